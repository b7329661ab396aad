"""The gateway's own errors. The agent has a separate tree.

    GatewayError
    ├── TokenError
    │   ├── TokenMissingError
    │   ├── TokenInvalidError
    │   └── TokenExpiredError
    ├── IssuerUnavailableError
    ├── InvalidUserNameError
    └── BodyTooLargeError

The first line of a docstring is the title that clients receive. A `code` never changes.
"""

from typing import ClassVar


class GatewayError(Exception):
    """The gateway failed."""

    code: ClassVar[str] = "gateway"

    @property
    def title(self) -> str:
        """The first line of the class's docstring."""
        return (type(self).__doc__ or "").partition("\n")[0]


class TokenError(GatewayError):
    """You are not signed in."""

    code = "token"


class TokenMissingError(TokenError):
    """Sign in first: the request has no token."""

    code = "token_missing"


class TokenInvalidError(TokenError):
    """The token is invalid."""

    code = "token_invalid"


class TokenExpiredError(TokenError):
    """The token has expired. Sign in again."""

    code = "token_expired"


class IssuerUnavailableError(GatewayError):
    """The sign-in service is unavailable."""

    code = "issuer_unavailable"


class InvalidUserNameError(GatewayError):
    """The user name is invalid."""

    code = "invalid_user"


class BodyTooLargeError(GatewayError):
    """The request body is too large."""

    code = "body_too_large"
