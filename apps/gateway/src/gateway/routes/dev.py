"""Local sign-in: a name is enough. These routes exist only without an issuer, on loopback."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from gateway.auth.local import LocalSignIn


class DevTokenRequest(BaseModel):
    """A name, as its owner writes it: `A` and `a` are two users."""

    user: str


def make_router(sign_in: LocalSignIn) -> APIRouter:
    """Return the route that signs in with this installation's key."""
    router = APIRouter(tags=["sign-in"])

    @router.post("/dev/token")
    async def token(body: DevTokenRequest) -> dict[str, Any]:
        """Sign in as somebody, for a day."""
        access_token, seconds = sign_in.issue(body.user)
        return {"access_token": access_token, "token_type": "Bearer", "expires_in": seconds}

    return router
