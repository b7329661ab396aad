"""The schema of errors (RFC 9457)."""

from pydantic import ConfigDict, Field

from gateway.schemas.base import Schema, example

PROBLEM = {
    "type": "urn:keepsake:thread_not_found",
    "title": "There is no such thread.",
    "status": 404,
    "code": "thread_not_found",
    "detail": "the user has no such thread",
}


class Problem(Schema):
    """An error, sent as `application/problem+json` (RFC 9457)."""

    model_config = ConfigDict(json_schema_extra=example(PROBLEM))

    type: str = Field(description="`urn:keepsake:` followed by the code.")
    title: str = Field(description="A summary for the user; the same for every problem with this code.")
    status: int = Field(description="The HTTP status.")
    code: str = Field(description="A stable identifier for programs.")
    detail: str = Field(description="What is wrong with this request; may be empty.")
