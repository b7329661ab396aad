"""Token validation: accepted and rejected tokens."""

import hashlib
import hmac
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jose import jwk

from gateway.auth.tokens import MAX_TOKEN_CHARS, Claims, PublicKey, TokenValidator
from gateway.errors import TokenError, TokenExpiredError, TokenInvalidError, TokenMissingError
from support.signed_tokens import EC_HEADER, EC_KEY, RSA_HEADER, RSA_KEY, PrivateKey, find_key, segment, signed, without

NOW = 1_800_000_000
ISSUER = "https://issuer.example"
AUDIENCE = "https://api.example"
CLAIMS: dict[str, Any] = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": NOW + 600, "iat": NOW}
BODY = json.dumps(CLAIMS).encode()
VALIDATOR = TokenValidator(ISSUER, AUDIENCE, find_key, lambda: NOW)


async def is_rejected(token: str) -> bool:
    with pytest.raises(TokenInvalidError):
        await VALIDATOR.validate(token)
    return True


@pytest.mark.parametrize(("header", "key"), [(RSA_HEADER, RSA_KEY), (EC_HEADER, EC_KEY)], ids=["rsa", "ec"])
async def test_a_valid_token_is_accepted(header: dict[str, Any], key: PrivateKey) -> None:
    assert await VALIDATOR.validate(signed(CLAIMS, header, key)) == CLAIMS


@pytest.mark.parametrize(
    "change",
    [
        {"aud": ["https://other.example", AUDIENCE]},
        {"exp": NOW + 0.5},
        {"exp": NOW - 59, "iat": NOW + 60, "nbf": NOW + 60},
        {"sub": "Ada Lovelace <ada@example.org> 🎻"},
    ],
)
async def test_variants_allowed_by_the_standard_are_accepted(change: dict[str, Any]) -> None:
    assert await VALIDATOR.validate(signed(without(CLAIMS, "iat") | change))


@pytest.mark.parametrize("typ", ["JWT", "jwt", "AT+JWT", "application/at+jwt"])
async def test_the_type_is_jwt_or_missing(typ: str) -> None:
    assert await VALIDATOR.validate(signed(CLAIMS, EC_HEADER | {"typ": typ}))
    assert await VALIDATOR.validate(signed(CLAIMS, without(EC_HEADER, "typ")))


@pytest.mark.parametrize("name", ["iss", "aud", "exp", "sub"])
async def test_a_token_without_a_required_claim_is_rejected(name: str) -> None:
    assert await is_rejected(signed(without(CLAIMS, name)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("iss", value) for value in (ISSUER + "/", "https://other.example", [ISSUER], None)],
        *[("aud", value) for value in ("", AUDIENCE + "/", AUDIENCE[:-1], [], [AUDIENCE, 1], {AUDIENCE: 1})],
        *[("exp", value) for value in (1e308, 10**400, f"{NOW + 600}", True, None, [NOW], -1)],
        ("exp", NOW + 367 * 24 * 3600),
        ("exp", (NOW + 600) * 1000),
        *[(name, value) for name in ("iat", "nbf") for value in (NOW + 61, 1e308, f"{NOW}", True, None, -1)],
        *[("sub", value) for value in ("", "a" * 257, 7, True, None, ["ada"])],
        *[("sub", value) for value in ("ada\0", "ada\n", "\x9f", "\ud800")],
    ],
)
async def test_a_token_with_an_invalid_claim_is_rejected(name: str, value: object) -> None:
    assert await is_rejected(signed(CLAIMS | {name: value}))


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e400", b"9" * 5000])
async def test_a_token_with_an_invalid_number_is_rejected(number: bytes) -> None:
    assert await is_rejected(signed(BODY.replace(str(NOW + 600).encode(), number)))


async def test_an_expired_token_is_reported_as_expired() -> None:
    with pytest.raises(TokenExpiredError):
        await VALIDATOR.validate(signed(CLAIMS | {"exp": NOW - 60}))


async def test_an_expired_token_with_a_wrong_signature_is_reported_as_invalid() -> None:
    stranger = ec.generate_private_key(ec.SECP256R1())

    assert await is_rejected(signed(CLAIMS | {"exp": NOW - 60}, EC_HEADER, stranger))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("alg", value) for value in ("none", "None", "HS256", "RS256", "RS512", "PS256", "ES384", "")],
        *[("alg", value) for value in (None, 1, ["ES256"])],
        *[("typ", value) for value in ("logout+jwt", "dpop+jwt", "JOSE", "", None, 1, ["JWT"])],
        *[("kid", value) for value in ("unknown", "rsa", "", None, 1, ["ec"], "e\0c", "ec" * 200)],
        *[("crit", value) for value in (["exp"], ["future"], [], None)],
        *[("jku", "https://evil.example/keys"), ("x5u", "https://evil.example/certificate"), ("x5c", [])],
    ],
)
async def test_a_token_with_an_invalid_header_is_rejected(name: str, value: object) -> None:
    assert await is_rejected(signed(CLAIMS, EC_HEADER | {name: value}))


@pytest.mark.parametrize("name", ["alg", "kid"])
async def test_a_header_without_algorithm_or_key_id_is_rejected(name: str) -> None:
    assert await is_rejected(signed(CLAIMS, without(EC_HEADER, name)))


@pytest.mark.parametrize("with_own_key", [True, False])
async def test_a_token_that_contains_a_key_is_rejected(*, with_own_key: bool) -> None:
    stranger = ec.generate_private_key(ec.SECP256R1())
    pem = stranger.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    own = {"jwk": jwk.construct(pem, "ES256").to_dict()}

    assert await is_rejected(signed(CLAIMS, EC_HEADER | own, EC_KEY if with_own_key else stranger))


async def test_a_signature_by_another_key_is_rejected() -> None:
    assert await is_rejected(signed(CLAIMS, EC_HEADER, ec.generate_private_key(ec.SECP256R1())))
    assert await is_rejected(signed(CLAIMS, RSA_HEADER, rsa.generate_private_key(65537, 2048)))
    assert await is_rejected(signed(CLAIMS, {"alg": "RS256", "kid": "ec"}, RSA_KEY))
    assert await is_rejected(signed(CLAIMS, {"alg": "ES256", "kid": "rsa"}, EC_KEY))


@pytest.mark.parametrize("form", [PublicFormat.SubjectPublicKeyInfo, PublicFormat.PKCS1])
async def test_a_public_key_is_not_accepted_as_an_hmac_secret(form: PublicFormat) -> None:
    message = f"{segment({'alg': 'HS256', 'kid': 'rsa', 'typ': 'JWT'})}.{segment(CLAIMS)}"
    secret = RSA_KEY.public_key().public_bytes(Encoding.PEM, form)
    mac = hmac.digest(secret, message.encode(), hashlib.sha256)

    assert await is_rejected(f"{message}.{segment(mac)}")


async def test_a_token_with_a_missing_or_foreign_signature_is_rejected() -> None:
    header, payload, own = signed(CLAIMS).split(".")
    der = EC_KEY.sign(f"{header}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))

    assert await is_rejected(f"{segment({'alg': 'none', 'kid': 'ec'})}.{payload}.")
    assert await is_rejected(f"{header}.{payload}.")
    assert await is_rejected(f"{header}.{payload}.{segment(der)}")
    assert await is_rejected(f"{header}.{segment(CLAIMS | {'sub': 'eve'})}.{own}")


@pytest.mark.parametrize(
    "payload",
    [
        b'{"sub":"eve",' + BODY[1:],
        BODY[:-1] + b',"a":{"b":1,"b":1}}',
        BODY[:-1] + b',"a":NaN}',
        BODY[:-1] + b',"a":' + b"[" * 900 + b"]" * 900 + b"}",
        b"[" * 5000,
        BODY + b"{}",
        BODY + b"\0",
        b"\xef\xbb\xbf" + BODY,
        BODY.decode().encode("utf-16"),
        b"[" + BODY + b"]",
        b"\xff",
        b"null",
        b"",
    ],
)
async def test_an_ambiguous_payload_is_rejected(payload: bytes) -> None:
    assert await is_rejected(signed(payload))


async def test_an_ambiguous_header_is_rejected() -> None:
    assert await is_rejected(signed(CLAIMS, b'{"alg":"none",' + json.dumps(EC_HEADER).encode()[1:]))
    assert await is_rejected(signed(CLAIMS, b"[" * 5000))


@pytest.mark.parametrize("change", ["{}\n", "{}=", " {}", "{}.", "{}.e30", "{}\0", "{}é", "{}\ud800", ".{}"])
async def test_characters_around_a_token_are_rejected(change: str) -> None:
    assert await is_rejected(change.format(signed(CLAIMS)))


async def test_a_segment_must_be_canonical_base64url() -> None:
    header, payload, own = signed(CLAIMS).split(".")
    twin = own[:-1] + chr(ord(own[-1]) + 1)  # 64 bytes leave four bits of the last character unused

    assert await is_rejected(f"{header}.{payload}.{twin}")
    assert await is_rejected(f"{header}.{payload[:4]}\n{payload[4:]}.{own}")
    assert await is_rejected(f"{header}.{payload}.{own[:40]}+/{own[42:]}")


async def test_a_token_larger_than_8_kb_is_rejected() -> None:
    room = MAX_TOKEN_CHARS - len(signed(CLAIMS | {"pad": ""}))

    assert await VALIDATOR.validate(signed(CLAIMS | {"pad": "x" * (room * 3 // 4 - 2)}))
    assert await is_rejected(signed(CLAIMS | {"pad": "x" * (room * 3 // 4 + 2)}))
    assert await is_rejected("x" * 2_000_000)


async def test_an_empty_token_is_reported_as_missing() -> None:
    with pytest.raises(TokenMissingError):
        await VALIDATOR.validate("")


@pytest.mark.parametrize(
    "key",
    [
        rsa.generate_private_key(65537, 1024).public_key(),
        ec.generate_private_key(ec.SECP384R1()).public_key(),
        ec.generate_private_key(ec.SECP256K1()).public_key(),
        ed25519.Ed25519PrivateKey.generate().public_key(),
        RSA_KEY,
        b"secret",
    ],
    ids=["rsa-1024", "p-384", "secp256k1", "ed25519", "private", "secret"],
)
def test_weak_keys_and_other_key_types_are_rejected(key: object) -> None:
    with pytest.raises(ValueError, match="neither RSA"):
        PublicKey.of(key)


async def validated_claims(token: str) -> Claims | None:
    try:
        return await VALIDATOR.validate(token)
    except TokenError:
        return None


@given(st.one_of(st.text(), st.lists(st.binary(), max_size=4).map(lambda parts: ".".join(map(segment, parts)))))
async def test_random_text_is_rejected_without_another_error(token: str) -> None:
    assert await validated_claims(token) is None


@settings(deadline=None)
@given(st.data())
async def test_a_modified_token_is_rejected_without_another_error(data: st.DataObject) -> None:
    token = signed(CLAIMS)
    start = data.draw(st.integers(0, len(token)))
    end = data.draw(st.integers(start, min(len(token), start + 4)))
    changed = token[:start] + data.draw(st.text(st.sampled_from("aA0-_.=+/ \0é"), max_size=4)) + token[end:]
    assume(changed != token)

    assert await validated_claims(changed) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@settings(deadline=None, max_examples=50)
@given(st.sampled_from([*EC_HEADER, *CLAIMS, "nbf", "crit"]), JSON)
async def test_signed_tokens_with_random_members_are_rejected_or_valid(name: str, value: object) -> None:
    change = {name: value}
    claims = await validated_claims(signed(CLAIMS | change, EC_HEADER | change))

    assert claims is None or (claims["iss"], claims["aud"]) == (ISSUER, AUDIENCE)
    assert claims is None or (isinstance(claims["sub"], str) and isinstance(claims["exp"], int | float))
