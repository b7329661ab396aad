"""The schema of errors (RFC 9457)."""

from pydantic import Field

from gateway.schemas.base import Schema


class Problem(Schema):
    """An error, sent as `application/problem+json` (RFC 9457)."""

    type: str = Field(description="`urn:keepsake:` followed by the code.")
    title: str = Field(description="A summary for the user; the same for every problem with this code.")
    status: int = Field(description="The HTTP status.")
    code: str = Field(description="A stable identifier for programs.")
    detail: str = Field(description="What is wrong with this request; may be empty.")
