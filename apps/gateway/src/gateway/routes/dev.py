"""Local sign-in. These routes exist only on loopback, and only without an issuer."""

from typing import Annotated

from fastapi import APIRouter, Header

from gateway.dependencies import WITHOUT_KEY, LocalVerifier
from gateway.errors import InvalidUserNameError, KeyNotAllowedError, SignInSecretError
from gateway.problems import problem_responses
from gateway.schemas.account import AccessToken, SignIn

router = APIRouter(tags=["sign-in"])

Secret = Annotated[
    str, Header(alias="X-Keepsake-Secret", description="The secret in the sign-in link; see `GET /config`.")
]


@router.post(
    "/dev/token",
    dependencies=[WITHOUT_KEY],
    responses=problem_responses(InvalidUserNameError, KeyNotAllowedError, SignInSecretError, body=True),
)
async def create_token(body: SignIn, local: LocalVerifier, secret: Secret = "") -> AccessToken:
    """Sign in with a name and receive a token for one day. Available with local sign-in only."""
    local.check_secret(secret)
    access_token, expires_in = local.issue(body.user)
    return AccessToken(access_token=access_token, token_type="Bearer", expires_in=expires_in)  # noqa: S106 - not a secret
