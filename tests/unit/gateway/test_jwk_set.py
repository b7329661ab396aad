"""Keys of a JWK Set: those that are used, and those that are ignored."""

from typing import Any

import pytest
from jose import jwk

from gateway.auth.local import LocalSignIn
from gateway.auth.oidc import read_keys
from support.jwks import KEY, public_jwk, rsa_jwk


def test_signature_keys_are_read() -> None:
    unknown = [None, {}, {"kid": "a"}, {"kid": "b", "kty": "OKP", "crv": "Ed25519", "x": "AA"}]
    entries = [public_jwk("ec"), public_jwk("ec"), rsa_jwk(2048) | {"key_ops": ["verify"]}, *unknown]

    assert {kid: key.algorithm for kid, key in read_keys({"keys": entries}).items()} == {
        "ec": "ES256",
        "rsa": "RS256",
    }


@pytest.mark.parametrize(
    "entry",
    [
        rsa_jwk(1024),
        rsa_jwk(2048) | {"use": "enc"},
        rsa_jwk(2048) | {"alg": "RSA-OAEP"},
        rsa_jwk(2048) | {"alg": "PS256"},
        rsa_jwk(2048) | {"key_ops": ["encrypt"]},
        rsa_jwk(2048) | {"n": "AQAB="},
        jwk.construct(KEY, "ES256").to_dict() | {"kid": "private"},
        public_jwk("off the curve") | {"x": "AQAB"},
        public_jwk("curve") | {"crv": "P-384"},
        public_jwk("number") | {"x": 1},
    ],
)
def test_other_keys_are_ignored(entry: dict[str, Any]) -> None:
    assert read_keys({"keys": [entry]}) == {}


def test_an_id_with_two_keys_is_ignored() -> None:
    assert read_keys({"keys": [public_jwk("one"), public_jwk("one", LocalSignIn.new_key())]}) == {}
