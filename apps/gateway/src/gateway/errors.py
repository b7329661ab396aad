"""The gateway's own errors. The agent has a separate tree.

    GatewayError
    ├── TokenError
    │   ├── TokenMissingError
    │   ├── TokenInvalidError
    │   └── TokenExpiredError
    ├── IssuerUnavailableError
    ├── InvalidUserNameError
    ├── SignInSecretError
    ├── CrossSiteError
    ├── KeyNotAllowedError
    ├── BodyTooLargeError
    ├── HeadersTooLargeError
    ├── RequestTimeoutError
    ├── TooManyConnectionsError
    └── UnsupportedError

The first line of a docstring is the title that clients receive. A `code` never changes.
"""

from typing import ClassVar


class GatewayError(Exception):
    """The gateway failed."""

    code: ClassVar[str] = "gateway"

    def __init_subclass__(cls, *, code: str) -> None:
        cls.code = code

    @property
    def title(self) -> str:
        """The first line of the class's docstring."""
        return (type(self).__doc__ or "").partition("\n")[0]


class TokenError(GatewayError, code="token"):
    """You are not signed in."""


class TokenMissingError(TokenError, code="token_missing"):
    """Sign in first: the request has no token."""


class TokenInvalidError(TokenError, code="token_invalid"):
    """The token is invalid."""


class TokenExpiredError(TokenError, code="token_expired"):
    """The token has expired. Sign in again."""


class IssuerUnavailableError(GatewayError, code="issuer_unavailable"):
    """The sign-in service is unavailable."""


class InvalidUserNameError(GatewayError, code="invalid_user"):
    """The user name is invalid."""


class SignInSecretError(GatewayError, code="sign_in_secret"):
    """Open the sign-in link that Keepsake printed when it started."""


class KeyNotAllowedError(GatewayError, code="key_not_allowed"):
    """Personal keys do not give access to this. Sign in."""


class CrossSiteError(GatewayError, code="cross_site"):
    """The request was made by another site."""


class BodyTooLargeError(GatewayError, code="body_too_large"):
    """The request body is too large."""


class HeadersTooLargeError(GatewayError, code="headers_too_large"):
    """The request headers are too large."""


class RequestTimeoutError(GatewayError, code="request_timeout"):
    """The request did not arrive in time."""


class TooManyConnectionsError(GatewayError, code="too_many_connections"):
    """The server has too many connections."""


class UnsupportedError(GatewayError, code="not_implemented"):
    """This part of the API is not implemented."""
