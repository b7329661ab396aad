"""Everything that can go wrong at the edge itself, as one tree beside the agent's.

    GatewayError
    ├── TokenError
    │   ├── TokenMissingError
    │   ├── TokenInvalidError
    │   └── TokenExpiredError
    ├── IssuerUnavailableError
    ├── InvalidUserNameError
    └── BodyTooLargeError

The first line of a class's docstring is the title that a client reads; its `code` never changes.
"""

from typing import ClassVar


class GatewayError(Exception):
    """The gateway could not do that."""

    code: ClassVar[str] = "gateway"

    @property
    def title(self) -> str:
        """The first line of the class's docstring."""
        return (type(self).__doc__ or "").partition("\n")[0]


class TokenError(GatewayError):
    """You are not signed in."""

    code = "token"


class TokenMissingError(TokenError):
    """Sign in first: the request carries no token."""

    code = "token_missing"


class TokenInvalidError(TokenError):
    """The token is not valid here."""

    code = "token_invalid"


class TokenExpiredError(TokenError):
    """The token has expired; sign in again."""

    code = "token_expired"


class IssuerUnavailableError(GatewayError):
    """The sign-in service does not answer now."""

    code = "issuer_unavailable"


class InvalidUserNameError(GatewayError):
    """The user's name cannot be used."""

    code = "invalid_user"


class BodyTooLargeError(GatewayError):
    """The request is too large."""

    code = "body_too_large"
