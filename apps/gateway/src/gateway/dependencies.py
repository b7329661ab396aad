"""What a route can ask for: the agent, and the user who is speaking.

All of them are `async`, or FastAPI would send each to a thread and wait for it.
"""

from typing import Annotated

from fastapi import Depends, Path, Request

from agent import Agent, MemoryId, ThreadId, User, UserId, parse_uuid
from gateway.auth.local import Principal, Verifier, bearer_token
from gateway.settings import GatewaySettings


async def _agent(request: Request) -> Agent:
    return request.app.state.agent  # type: ignore[no-any-return] # put there by create_app


async def _verifier(request: Request) -> Verifier:
    return request.app.state.verifier  # type: ignore[no-any-return] # put there by create_app


async def _settings(request: Request) -> GatewaySettings:
    return request.app.state.settings  # type: ignore[no-any-return] # put there by create_app


CurrentAgent = Annotated[Agent, Depends(_agent)]
CurrentVerifier = Annotated[Verifier, Depends(_verifier)]
Settings = Annotated[GatewaySettings, Depends(_settings)]


async def _verified(request: Request, verifier: CurrentVerifier) -> Principal:
    """Return whoever the token speaks for; nothing else in a request says who it is."""
    return await verifier.verify(bearer_token(request.headers.get("authorization")))


Verified = Annotated[Principal, Depends(_verified)]


async def signed_in(who: Verified, agent: CurrentAgent) -> User:
    """Return the account of whoever the token speaks for, made at the first call."""
    return await agent.users.sign_in(who.user, issuer=who.issuer, subject=who.subject)


SignedIn = Annotated[User, Depends(signed_in)]


async def _user_id(user: SignedIn) -> UserId:
    return user.id


CurrentUser = Annotated[UserId, Depends(_user_id)]


async def _thread(thread_id: Annotated[str, Path()]) -> ThreadId:
    return ThreadId(parse_uuid(thread_id))


async def _memory(memory_id: Annotated[str, Path()]) -> MemoryId:
    return MemoryId(parse_uuid(memory_id))


ThreadInPath = Annotated[ThreadId, Depends(_thread)]
MemoryInPath = Annotated[MemoryId, Depends(_memory)]
