"""Dependencies of routes: the agent, the signed-in user, and ids in the path.

All of them are `async`: FastAPI runs a plain function in a thread and waits for it.
"""

from typing import Annotated

from fastapi import Depends, Path, Request
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

import agent as api
from agent import Agent, MemoryId, ThreadId, User, UserId
from gateway.auth.local import LocalSignIn
from gateway.auth.principal import Principal, Verifier, bearer_token
from gateway.settings import GatewaySettings


class _BearerToken(SecurityBase):
    """Takes the token from the `Authorization` header, and marks operations as secured in the OpenAPI document."""

    def __init__(self) -> None:
        self.model = HTTPBearer(bearerFormat="JWT")
        self.scheme_name = "bearer"

    async def __call__(self, request: Request) -> str:
        return bearer_token(request.headers.get("authorization"))


async def _agent(request: Request) -> Agent:
    return request.app.state.agent  # type: ignore[no-any-return] # set by create_app


async def _verifier(request: Request) -> Verifier:
    return request.app.state.verifier  # type: ignore[no-any-return] # set by create_app


async def _local_sign_in(request: Request) -> LocalSignIn:
    return request.app.state.verifier  # type: ignore[no-any-return] # its routes exist only if it is one


async def _settings(request: Request) -> GatewaySettings:
    return request.app.state.settings  # type: ignore[no-any-return] # set by create_app


CurrentAgent = Annotated[Agent, Depends(_agent)]
CurrentVerifier = Annotated[Verifier, Depends(_verifier)]
LocalVerifier = Annotated[LocalSignIn, Depends(_local_sign_in)]
Settings = Annotated[GatewaySettings, Depends(_settings)]


async def _principal(token: Annotated[str, Depends(_BearerToken())], verifier: CurrentVerifier) -> Principal:
    """Verify the token. Nothing else in a request identifies the user."""
    return await verifier.verify(token)


CurrentPrincipal = Annotated[Principal, Depends(_principal)]


async def current_account(principal: CurrentPrincipal, agent: CurrentAgent) -> User:
    """Load the account of the principal; the first request creates it."""
    return await agent.users.sign_in(principal.user, issuer=principal.issuer, subject=principal.subject)


CurrentAccount = Annotated[User, Depends(current_account)]


async def _user_id(account: CurrentAccount) -> UserId:
    return account.id


CurrentUser = Annotated[UserId, Depends(_user_id)]


async def _thread(thread_id: Annotated[str, Path(description="A UUID.")]) -> ThreadId:
    return ThreadId(api.parse_uuid(thread_id))


async def _memory(memory_id: Annotated[str, Path(description="A UUID.")]) -> MemoryId:
    return MemoryId(api.parse_uuid(memory_id))


ThreadInPath = Annotated[ThreadId, Depends(_thread)]
THREAD_ERRORS = (api.InvalidIdError, api.ThreadNotFoundError)
MemoryInPath = Annotated[MemoryId, Depends(_memory)]
MEMORY_ERRORS = (api.InvalidIdError, api.MemoryNotFoundError)
