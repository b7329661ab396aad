"""Schemas of the user's account, and of local sign-in."""

from typing import Literal

from pydantic import Field, StrictBool

import agent
from gateway.schemas.base import Page, Schema, Timestamp, text_schema, without_default


class Me(Schema):
    """The user who sent the request."""

    user_id: str = Field(
        validation_alias="id", description="An opaque id, derived from the issuer and the subject of the token."
    )
    memory_enabled: bool = Field(description="False while memory is paused: nothing is recalled and nothing is saved.")
    time_zone: str | None = Field(description="An IANA name, for the dates of what the user says; null if unknown.")


class MeUpdate(Schema):
    """Changes to the user's account; absent members are not changed."""

    memory_enabled: StrictBool = Field(
        default=True, description="False pauses memory, true resumes it.", json_schema_extra=without_default
    )
    time_zone: str | None = Field(
        default=None,
        description="An IANA name such as `Europe/Oslo`; null: unknown.",
        json_schema_extra=without_default,
    )


class NewKey(Schema):
    """A personal key to create."""

    name: str = Field(
        description="What the key is for, such as the name of a client.",
        json_schema_extra=text_schema(agent.MAX_KEY_NAME_CHARS),
    )


class Key(Schema):
    """A personal key of the user."""

    id: str
    name: str
    created_at: Timestamp
    last_used_at: Timestamp | None = Field(description="To within a minute; null if the key was never used.")


class SecretKey(Key):
    """A new personal key."""

    key: str = Field(description="The key, to send as `Authorization: Bearer <key>`. It is not shown again.")


class KeyPage(Page[Key]):
    """The user's keys."""


class Profile(Schema):
    """A summary of the user in a few sentences. A field is empty if nothing is known."""

    work_context: str
    personal_context: str
    top_of_mind: str = Field(description="What occupies the user at present.")
    recent_months: str
    earlier_context: str
    long_term_background: str
    last_updated: str = Field(description="ISO-8601; empty if there is no profile yet.")


class Receipt(Schema):
    """Numbers of deleted items."""

    deleted: dict[str, int] = Field(
        description="By kind of memory for `DELETE /memories`, by database table for `DELETE /me`."
    )


class SignIn(Schema):
    """A local sign-in."""

    user: str = Field(description="A name of 1 to 256 characters; case matters.")


class AccessToken(Schema):
    """A token to send as `Authorization: Bearer <access_token>`."""

    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int = Field(description="Lifetime in seconds.")


class Session(Schema):
    """A session of a browser, which its cookie continues."""

    expires_at: Timestamp
