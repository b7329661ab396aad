"""Detect credentials by their format: keys, tokens, passwords, card and account numbers."""

import re

from agent.language.parsing import compile_any, plain_punctuation

_API_KEYS = re.compile(
    r"(?<![\w-])(?:sk-(?=[\w-]{0,60}\d)[\w-]{20,}"  # OpenAI, Anthropic (sk-ant-), OpenRouter
    r"|[spr]k_(?:live|test)_[A-Za-z0-9]{16,}"  # Stripe
    r"|lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}"  # LangSmith
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])"  # AWS
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,}|glpat-[\w-]{20,}"  # GitHub, GitLab
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}"  # Slack
    r"|AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}"  # Google
    r"|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{40,}|gsk_[A-Za-z0-9]{40,}"
    r"|eyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{8,})"  # JSON Web Tokens, RFC 7519
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY"  # PEM, RFC 7468
    r"|\b[a-z][a-z0-9+]{1,20}://[^\s/:@]{1,100}:[^\s/@]{3,100}@[\w.-]"  # a URL with a password
)
_CREDENTIAL_NAMES = (
    r"\b(?:pass(?:word|phrase|code|wd)|pwd|pin(?:[ -]?(?:code|number))?"
    r"|(?:api|secret|access|account|encryption|licen[cs]e)[ _-]?(?:access[ _-]?)?key"
    r"|(?:access|auth|bearer|api|refresh|session)[ _-]?token|client[ _-]?secret|cvv|cvc"
    r"|(?:security|recovery|backup|verification|door|alarm|gate|safe)[ _-]code"
    r"|passwort|kennwort|mot de passe|contraseñ\w|wachtwoord)"
)
# The name of a secret, its value, and the two characters after it.
_NAMED_SECRET = compile_any(
    rf"{_CREDENTIAL_NAMES}s?(?: (?:for|to|of|on|at) [^\n.:=?]{{1,40}}?)?"
    r"(?:\s{0,3}[:=]\s{0,3}|\s(?:is now|is|was|are|ist|lautet|est|es):?\s{1,3}(?:now |still |(?:set"
    r"|changed) to )?)(?P<value>[\"'`]?[^\s\"]{3,200})(?P<rest>[^\n]{0,2})"
)
_SEED_PHRASE = compile_any(
    r"\b(?:seed|recovery|secret|pass|mnemonic)[ -]?phrase ?(?:is|:|=) ?(?!(?:too|not|the|an?|stored|in|on|very|wrong"
    r"|what|how|only|no|safe|my|as|used|for|something|that)\b)(?:[a-z]{3,12}[ ,]{1,2}){2,24}[a-z]{3,12}"
)
_ACCOUNT_NUMBER = compile_any(
    r"\b(?:ssn|social security(?: (?:number|no\.?))?)\b[^\d\n]{0,15}\d{3}[ -]?\d{2}[ -]?\d{4}(?!\d)",
    r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])",
    r"\b(?:account|routing|sort|card|iban)[ -]?(?:number|no\.?|code|nr\.?)\b[^\d\n]{0,15}\d(?:[ -]?\d){5}",
)
# Ordinary words and placeholders in the position of a secret.
_NOT_A_SECRET = compile_any(
    r"(?:\w{0,30}(?:ed|ing|able|ible|ful|less|ly|ous|ive|ent|ect|est|ic|en)|wrong|weak|strong|too|very|not"
    r"|the|all|only|also|lost|reset|long|short|secure|safe|invalid|easy|hard|good|bad|fine|same|known|what"
    r"|here|there|mine|gone|stuck|never|always|null|none|true|false|empty|free|just|both|different|unknown"
    r"|old|new|two|how|why|when|where|something|nothing|[x*•.]{3,}.{0,30}|[<${\[(].{0,200}|.{0,80}(?:environ"
    r"|getenv|process\.env|secrets?\.|\.get\(|\(\)|[- ]bit).{0,200})"
)
_DIGIT_GROUPS = re.compile(r"(?<![\d.])\d(?:[ \u00a0-]?\d){12,}")
_CARD_NUMBER = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15}(?:\d{3})?"
)
_CARD_GROUPS = {(13,), (14,), (15,), (16,), (19,), (4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)}
_IBAN_SHAPE = re.compile(r"(?=(?:[^\d]*\d){10})[A-Za-z0-9]{15,34}")
_IBAN = compile_any(r"(?<![a-z0-9])[a-z]{2}\d{2}(?:[ \u00a0-]?[a-z0-9]){11,44}")


def contains_credentials(text: str) -> bool:
    """Check a text for a key, token, password, card number, account number or social security number."""
    plain = plain_punctuation(text)
    return bool(
        any(pattern.search(plain) for pattern in (_API_KEYS, _SEED_PHRASE, _ACCOUNT_NUMBER))
        or any(map(_is_secret, _NAMED_SECRET.finditer(plain)))
        or any(map(_contains_card_number, _DIGIT_GROUPS.findall(plain)))
        or any(map(_contains_iban, _IBAN.findall(plain)))
    )


def _is_secret(match: re.Match[str]) -> bool:
    """Tell a secret from an ordinary word ("my password is weak") by its characters and its position."""
    value = match["value"].strip("\"'`,;.!?")
    if not value or _NOT_A_SECRET.fullmatch(value):
        return False
    looks_random = not value.isalpha() or not (value.islower() or value.istitle())
    return looks_random or not match["rest"].strip(" \t.,;!?\"'")


def _contains_card_number(digits: str) -> bool:
    parts = re.split(r"[ \u00a0-]", digits)
    max_groups = max(map(len, _CARD_GROUPS))
    runs = (parts[start : start + n] for start in range(len(parts)) for n in range(1, max_groups + 1))
    return any(tuple(map(len, run)) in _CARD_GROUPS and _is_card_number("".join(run)) for run in runs)


def _is_card_number(number: str) -> bool:
    """Check issuer, length and checksum (the Luhn formula, ISO/IEC 7812-1, annex B)."""
    doubled = "".join(str(int(digit) * (1 + n % 2)) for n, digit in enumerate(reversed(number)))
    return bool(_CARD_NUMBER.fullmatch(number)) and sum(map(int, doubled)) % 10 == 0


def _contains_iban(candidate: str) -> bool:
    parts = re.split(r"[ \u00a0-]", candidate)
    return any(_is_iban("".join(parts[: n + 1])) for n in range(len(parts)))


def _is_iban(number: str) -> bool:
    """Check length and checksum (ISO 13616-1: 1 modulo 97 as a number in which A is 10 and Z is 35)."""
    if not _IBAN_SHAPE.fullmatch(number):
        return False
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1
