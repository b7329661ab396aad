"""Tokens of a test issuer, well-formed or not."""

import base64
import json
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from gateway.auth.tokens import PublicKey

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey

RSA_KEY = rsa.generate_private_key(65537, 2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
KEYS = {"rsa": PublicKey.of(RSA_KEY.public_key()), "ec": PublicKey.of(EC_KEY.public_key())}
RSA_HEADER = {"alg": "RS256", "kid": "rsa", "typ": "at+jwt"}
EC_HEADER = {"alg": "ES256", "kid": "ec", "typ": "at+jwt"}


async def find_key(kid: str) -> PublicKey | None:
    return KEYS.get(kid)


def segment(data: bytes | dict[str, Any]) -> str:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def signature(message: str, key: PrivateKey) -> bytes:
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(message.encode(), padding.PKCS1v15(), hashes.SHA256())
    r, s = decode_dss_signature(key.sign(message.encode(), ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(32) + s.to_bytes(32)


def signed(claims: bytes | dict[str, Any], header: bytes | dict[str, Any] = EC_HEADER, key: PrivateKey = EC_KEY) -> str:
    message = f"{segment(header)}.{segment(claims)}"
    return f"{message}.{segment(signature(message, key))}"


def without(members: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in members.items() if key != name}
