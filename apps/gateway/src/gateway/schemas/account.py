"""Schemas of the user's account, and of local sign-in."""

from typing import Literal

from pydantic import ConfigDict, Field

from gateway.schemas.base import Schema, example


class Me(Schema):
    """The user who sent the request."""

    model_config = ConfigDict(
        json_schema_extra=example(
            {"user_id": "5blhogo2zjpsihwrkbfnkn2vyahsyfu3l6fqgzqzp4rcaifljfpa", "memory_enabled": True}
        )
    )

    user_id: str = Field(description="An opaque id, derived from the issuer and the subject of the token.")
    memory_enabled: bool = Field(description="False while memory is paused: nothing is recalled and nothing is saved.")


class MeUpdate(Schema):
    """Changes to the user's account."""

    model_config = ConfigDict(json_schema_extra=example({"memory_enabled": False}))

    memory_enabled: bool = Field(description="False pauses memory, true resumes it.")


class Profile(Schema):
    """A summary of the user in a few sentences. A field is empty if nothing is known."""

    model_config = ConfigDict(
        json_schema_extra=example(
            {
                "work_context": "I work as a nurse.",
                "personal_context": "I live in Oslo.",
                "top_of_mind": "I am planning a trip to Lisbon.",
                "recent_months": "",
                "earlier_context": "",
                "long_term_background": "",
                "last_updated": "2026-11-22T09:30:00.123456+00:00",
            }
        )
    )

    work_context: str
    personal_context: str
    top_of_mind: str = Field(description="What occupies the user at present.")
    recent_months: str
    earlier_context: str
    long_term_background: str
    last_updated: str = Field(description="ISO-8601; empty if there is no profile yet.")


class Receipt(Schema):
    """Numbers of deleted items."""

    model_config = ConfigDict(json_schema_extra=example({"deleted": {"user": 12, "episodic": 40, "inbox": 1}}))

    deleted: dict[str, int] = Field(
        description="By kind of memory for `DELETE /memories`, by database table for `DELETE /me`."
    )


class SignIn(Schema):
    """A local sign-in."""

    model_config = ConfigDict(json_schema_extra=example({"user": "ada"}))

    user: str = Field(description="A name of 1 to 256 characters; case matters.")


class AccessToken(Schema):
    """A token to send as `Authorization: Bearer <access_token>`."""

    model_config = ConfigDict(
        json_schema_extra=example({"access_token": "eyJhbGci…", "token_type": "Bearer", "expires_in": 86_400})
    )

    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int = Field(description="Lifetime in seconds.")
