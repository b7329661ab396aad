"""Dependencies of routes: the agent, the signed-in user, and ids in the path.

All of them are `async`: FastAPI runs a plain function in a thread and waits for it.
"""

from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

import agent as api
from agent import Agent, KeyId, MemoryId, MessageId, ThreadId, User, UserId, bind_user
from gateway.auth.authentication import authenticate, authenticate_session, is_personal_key, require_sign_in
from gateway.auth.local import LocalSignIn
from gateway.auth.principal import Principal, Verifier, bearer_token
from gateway.auth.session_cookie import read_cookie
from gateway.errors import KeyNotAllowedError
from gateway.process_metrics import ProcessMetrics
from gateway.rate_limits import announce_quotas
from gateway.settings import GatewaySettings
from gateway.streams import OpenStreams


class _BearerToken(SecurityBase):
    """Takes the token or key from `Authorization`, and marks operations as secured in the OpenAPI document."""

    def __init__(self) -> None:
        self.model = HTTPBearer(bearerFormat="JWT")
        self.scheme_name = "bearer"

    async def __call__(self, request: Request) -> str | None:
        """Return None if the request has a session's cookie instead."""
        authorization = request.headers.get("authorization")
        if authorization is None and read_cookie(request, request.app.state.settings) is not None:
            return None
        return bearer_token(authorization)


async def _require_bearer(request: Request) -> None:
    bearer_token(request.headers.get("authorization"))


require_bearer = Depends(_require_bearer)
"""For operations that a cookie does not sign in."""


class _AppState:
    """Reads an attribute of `app.state`, as set by `create_app`."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def __call__(self, request: Request) -> Any:  # noqa: ANN401 - the annotation of the dependency tells the type
        return getattr(request.app.state, self._name)


CurrentAgent = Annotated[Agent, Depends(_AppState("agent"))]
CurrentVerifier = Annotated[Verifier, Depends(_AppState("verifier"))]
LocalVerifier = Annotated[LocalSignIn, Depends(_AppState("verifier"))]  # its routes exist only if it is one
Settings = Annotated[GatewaySettings, Depends(_AppState("settings"))]
GroupMetrics = Annotated[ProcessMetrics | None, Depends(_AppState("process_metrics"))]
Streams = Annotated[OpenStreams, Depends(_AppState("streams"))]


async def _principal(
    request: Request,
    token: Annotated[str | None, Depends(_BearerToken())],
    verifier: CurrentVerifier,
    agent: CurrentAgent,
) -> Principal:
    """Verify the token or the key, and count the request. Nothing else in a request identifies the user."""
    if token is None:
        secret = read_cookie(request, request.app.state.settings) or ""
        principal = await authenticate_session(secret, agent)
    else:
        principal = await authenticate(token, verifier, agent)
    bind_user(principal.user)
    announce_quotas(request, partial(agent.usage.states, principal.user))
    await agent.usage.admit_request(principal.user)
    return principal


CurrentPrincipal = Annotated[Principal, Depends(_principal)]
SIGNED_IN = Depends(_principal)
"""For routers: verify the token before anything else in a request is validated."""


async def _require_sign_in(principal: CurrentPrincipal) -> None:
    require_sign_in(principal)


async def _refuse_keys(request: Request) -> None:
    _, _, credentials = request.headers.get("authorization", "").partition(" ")
    if is_personal_key(credentials.strip()):
        raise KeyNotAllowedError("send no personal key")


WITHOUT_KEY = Depends(_refuse_keys)
"""For operations that need neither a token nor a key."""

TOKEN_ONLY = Depends(_require_sign_in)
"""For operations that need an access token; a personal key is refused."""


async def current_account(principal: CurrentPrincipal, agent: CurrentAgent) -> User:
    """Load the account of the principal; the first request creates it."""
    if principal.account is not None:
        return principal.account
    return await agent.users.sign_in(principal.user, issuer=principal.issuer, subject=principal.subject)


CurrentAccount = Annotated[User, Depends(current_account)]


async def _user_id(account: CurrentAccount) -> UserId:
    return account.id


CurrentUser = Annotated[UserId, Depends(_user_id)]


UUID: dict[str, Any] = {"format": "uuid", "examples": ["0b6f1c1a-52a7-4b2c-8a3e-6a1f2d3c4b5a"]}


async def _thread(thread_id: Annotated[str, Path(description="A UUID.", json_schema_extra=UUID)]) -> ThreadId:
    return ThreadId(api.parse_uuid(thread_id))


async def _memory(memory_id: Annotated[str, Path(description="A UUID.", json_schema_extra=UUID)]) -> MemoryId:
    return MemoryId(api.parse_uuid(memory_id))


async def _key(key_id: Annotated[str, Path(description="A UUID.", json_schema_extra=UUID)]) -> KeyId:
    return KeyId(api.parse_uuid(key_id))


async def _message(message_id: Annotated[str, Path(description="A UUID.", json_schema_extra=UUID)]) -> MessageId:
    return MessageId(api.parse_uuid(message_id))


ThreadInPath = Annotated[ThreadId, Depends(_thread)]
THREAD_ERRORS = (api.InvalidIdError, api.ThreadNotFoundError)
MemoryInPath = Annotated[MemoryId, Depends(_memory)]
MEMORY_ERRORS = (api.InvalidIdError, api.MemoryNotFoundError)
KeyInPath = Annotated[KeyId, Depends(_key)]
MessageInPath = Annotated[MessageId, Depends(_message)]
MESSAGE_ERRORS = (api.InvalidIdError, api.MessageNotFoundError)
