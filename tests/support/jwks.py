"""Public keys as JSON Web Keys."""

from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jose import jwk

from gateway.auth.local import LocalSignIn

KEY = LocalSignIn.new_key()


def public_jwk(kid: str, key: str = KEY) -> dict[str, Any]:
    return jwk.construct(key, "ES256").public_key().to_dict() | {"kid": kid, "use": "sig"}


def rsa_jwk(bits: int) -> dict[str, Any]:
    key = rsa.generate_private_key(65537, bits).public_key()
    pem = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    numbers = jwk.construct(pem, "RS256").to_dict()
    return {"kid": "rsa", "kty": "RSA", "n": numbers["n"], "e": numbers["e"]}
