"""Authentication: user labels, principals and local sign-in."""

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from agent import SetupError
from gateway.auth.local import LocalSignIn
from gateway.auth.principal import bearer_token, principal_of, user_label
from gateway.errors import InvalidUserNameError, TokenExpiredError, TokenInvalidError, TokenMissingError

ISSUER = "https://issuer.example"
KEY = LocalSignIn.new_key()


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def to_pem(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def test_a_user_label_never_changes() -> None:
    assert user_label(ISSUER, "ada") == "5blhogo2zjpsihwrkbfnkn2vyahsyfu3l6fqgzqzp4rcaifljfpa"


def test_user_labels_of_different_users_differ() -> None:
    pairs = [("a", "bc"), ("ab", "c"), ("a", "BC"), ("abc", ""), ("a", "bc ")]

    assert len({user_label(*pair) for pair in pairs}) == len(pairs)


@pytest.mark.parametrize(
    ("user_claim", "claims", "subject"),
    [
        ("sub", {"oid": "o", "tid": "t"}, "ada"),
        ("email", {"email": "Ada@example.org"}, "Ada@example.org"),
        ("oid", {"oid": "o"}, "o"),
        ("oid", {"oid": "o", "tid": "t"}, "t/o"),
    ],
)
def test_the_user_claim_determines_the_subject(user_claim: str, claims: dict[str, str], subject: str) -> None:
    ada = principal_of({"iss": ISSUER, "sub": "ada"} | claims, user_claim)

    assert (ada.subject, ada.user) == (subject, user_label(ISSUER, subject))


@pytest.mark.parametrize("claims", [{}, {"oid": 1}, {"oid": ""}, {"oid": "t/o"}, {"oid": "o", "tid": None}])
def test_a_token_without_a_valid_user_claim_is_rejected(claims: dict[str, Any]) -> None:
    with pytest.raises(TokenInvalidError):
        principal_of({"iss": ISSUER, "sub": "ada"} | claims, "oid")


def test_the_bearer_token_is_extracted_from_the_header() -> None:
    assert bearer_token("Bearer a.b.c") == bearer_token("bearer  a.b.c") == "a.b.c"


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic YTpi", "a.b.c"])
def test_a_header_without_a_bearer_token_is_rejected(header: str | None) -> None:
    with pytest.raises(TokenMissingError):
        bearer_token(header)


@pytest.mark.parametrize("name", ["ada", "Ada", " ", "ада", "a/b", "\U0001f3bb" * 256, "a@b.example"])
async def test_local_sign_in_preserves_the_exact_name(name: str) -> None:
    issued, _ = LocalSignIn(KEY).issue(name)
    ada = await LocalSignIn(KEY).verify(issued)

    assert (ada.subject, ada.user) == (name, user_label("keepsake-local", name))


@pytest.mark.parametrize("name", ["", "a" * 257, "a\0", "a\n", "\x7f", "\ud83c"])
def test_local_sign_in_rejects_invalid_names(name: str) -> None:
    with pytest.raises(InvalidUserNameError):
        LocalSignIn(KEY).issue(name)


async def test_a_local_token_is_valid_for_one_day() -> None:
    clock = Clock()
    local = LocalSignIn(KEY, clock=clock)
    issued, expires_in = local.issue("ada")
    clock.now += expires_in

    assert expires_in == 24 * 3600
    assert await local.verify(issued)
    clock.now += 60
    with pytest.raises(TokenExpiredError):
        await local.verify(issued)


async def test_a_local_token_of_another_installation_is_rejected() -> None:
    issued, _ = LocalSignIn(LocalSignIn.new_key()).issue("ada")

    with pytest.raises(TokenInvalidError):
        await LocalSignIn(KEY).verify(issued)


@pytest.mark.parametrize(
    "key",
    ["", "no key", to_pem(ec.generate_private_key(ec.SECP384R1())), to_pem(rsa.generate_private_key(65537, 2048))],
)
def test_local_sign_in_rejects_other_kinds_of_keys(key: str) -> None:
    with pytest.raises(SetupError):
        LocalSignIn(key)
