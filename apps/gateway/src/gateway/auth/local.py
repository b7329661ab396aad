"""Local sign-in: tokens for any name, signed with a key of this installation."""

import hashlib
import hmac
import time
import uuid
from collections.abc import Callable

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from jose import jws
from jose.backends.cryptography_backend import CryptographyECKey

from agent import SetupError
from gateway.auth.principal import Verifier
from gateway.auth.tokens import PublicKey, TokenValidator, is_plain
from gateway.errors import InvalidUserNameError, SignInSecretError

LOCAL_ISSUER = "keepsake-local"
LOCAL_AUDIENCE = "keepsake"
LOCAL_LIFETIME_SECONDS = 24 * 3600


class LocalSignIn(Verifier):
    """Issues tokens for a single machine, and verifies those issued with the same key.

    A request for a token must contain the secret; an empty one: nothing.
    """

    @staticmethod
    def new_key() -> str:
        """Generate a signing key (EC P-256, PEM, unencrypted). Tokens are valid only as long as it is kept."""
        pem = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return pem.decode()

    def __init__(self, key: str, *, secret: str = "", clock: Callable[[], float] = time.time) -> None:
        self._key = _load_key(key)
        self._secret = secret
        self._public = PublicKey.of(self._key.public_key())
        info = self._key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self._kid = hashlib.sha256(info).hexdigest()[:16]
        self._clock = clock
        super().__init__(TokenValidator(LOCAL_ISSUER, LOCAL_AUDIENCE, self._find_key, clock))

    def check_secret(self, secret: str) -> None:
        """Check the secret that a request for a token contains.

        Raises:
            SignInSecretError: this installation has a secret, and it is another one.
        """
        if self._secret and not hmac.compare_digest(secret.encode(), self._secret.encode()):
            raise SignInSecretError("send the secret of the sign-in link as X-Keepsake-Secret")

    def issue(self, user: str) -> tuple[str, int]:
        """Issue a token for a case-sensitive name; return it with its lifetime in seconds.

        Raises:
            InvalidUserNameError: the name is empty, longer than 256 characters, or contains control characters.
        """
        if not is_plain(user):
            raise InvalidUserNameError("a name has 1 to 256 characters and no control characters")
        now = int(self._clock())
        names = {"iss": LOCAL_ISSUER, "aud": LOCAL_AUDIENCE, "sub": user, "client_id": LOCAL_AUDIENCE}
        claims = names | {"iat": now, "exp": now + LOCAL_LIFETIME_SECONDS, "jti": str(uuid.uuid4())}
        header = {"kid": self._kid, "typ": "at+jwt"}
        token = jws.sign(claims, CryptographyECKey(self._key, "ES256"), header, "ES256")
        return token, LOCAL_LIFETIME_SECONDS

    async def _find_key(self, kid: str) -> PublicKey | None:
        return self._public if kid == self._kid else None


def _load_key(pem: str) -> EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise SetupError("the key of local sign-in cannot be read") from error
    if not isinstance(key, EllipticCurvePrivateKey) or not isinstance(key.curve, SECP256R1):
        raise SetupError("the key of local sign-in is not EC P-256")
    return key
