"""Sessions of browsers, which keep the user signed in by a cookie."""

from fastapi import APIRouter, Request, Response

from gateway.auth.session_cookie import delete_cookie, read_cookie, set_cookie
from gateway.dependencies import SIGNED_IN, TOKEN_ONLY, CurrentAgent, CurrentUser, Settings, require_bearer
from gateway.errors import CrossSiteError, KeyNotAllowedError
from gateway.problems import problem_responses, user_responses
from gateway.schemas.account import Session

router = APIRouter(tags=["sign-in"])


@router.post(
    "/session", dependencies=[require_bearer, SIGNED_IN, TOKEN_ONLY], responses=user_responses(KeyNotAllowedError)
)
async def start_session(
    user: CurrentUser, agent: CurrentAgent, settings: Settings, request: Request, response: Response
) -> Session:
    """Exchange an access token for a cookie, which signs the browser in until it expires or the session is ended."""
    secret, expires_at = await agent.sessions.create(user, seconds=settings.session_hours * 3600.0)
    set_cookie(response, request, settings, secret)
    return Session(expires_at=expires_at)


@router.delete("/session", status_code=204, responses=problem_responses(CrossSiteError))
async def end_session(agent: CurrentAgent, settings: Settings, request: Request, response: Response) -> None:
    """End the session of the cookie, if there is one, and delete the cookie."""
    if secret := read_cookie(request, settings):
        await agent.sessions.end(secret)
    delete_cookie(response, request, settings)
