"""Find what persons and animals are to the user in a text ("my sister", "Katherine's husband"), in eight languages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import read_tables
from agent.language.text_cache import cache_per_user

MAX_CHARS = 300
"""Only the beginning of a longer text is read."""
_FILE = "persons/roles.toml"
_TABLES = read_tables(_FILE)
WORDS = _TABLES["words"]
"""Determiners and verbs, as alternatives of patterns."""
_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
_SMALL = "a-zß-öø-ÿœ"
_NAME = rf"{_CAPITAL}[\w-]{{1,20}}"


def _entries(table: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(text.split()) for name, text in _TABLES[table].items()}


GROUPS = {name: frozenset(roles) for name, roles in _entries("groups").items()}
WIDER = _entries("wider")
DERIVED = {name: tuple(tuple(one.split("/")) for one in chains) for name, chains in _entries("derived").items()}
_SERVICES = frozenset(_entries("services")["services"])
_KIN = frozenset(_entries("services")["kin"])
_ROLES_OF: dict[str, frozenset[str]] = {}
for _table in ("roles", "group_words"):
    for _role, _words in _entries(_table).items():
        for _word in _words:
            _plain = _word.replace("_", " ")
            _ROLES_OF[_plain] = _ROLES_OF.get(_plain, frozenset()) | {_role}
_HAN = sorted((word for word in _ROLES_OF if word[0] > "\u3400"), key=len, reverse=True)
_SPACED = sorted((word for word in _ROLES_OF if word[0] < "\u3400"), key=len, reverse=True)


@cache
def _role_pattern() -> re.Pattern[str]:
    spaced = "|".join(map(re.escape, _SPACED))
    return re.compile(
        rf"(?<![{_SMALL}\d-])(?!kind of\b)(?:{spaced})(?![{_SMALL}\d-])|(?:{'|'.join(_HAN)})", re.IGNORECASE
    )


def _before(words: str, adjectives: int = 2) -> re.Pattern[str]:
    """The end of the text before a role: determiners, then a few adjectives."""
    return re.compile(rf"(?:\A|[^\w'])(?:{words}) (?:[{_SMALL}-]{{2,14}} ){{0,{adjectives}}}\Z", re.IGNORECASE)


_OWN = _before(WORDS["own"])
_OTHER = _before(WORDS["other"])
_BEGINNING = re.compile(
    rf"\W*(?:(?:and|but|so|und|y|et|e|en) )?(?:(?:{WORDS['own']}) (?:[{_SMALL}-]{{2,14}} ){{0,2}})?|我们?的?",
    re.IGNORECASE,
)
_SOME = _before(WORDS["some"])
_OWN_HAN = re.compile(r"我们?(?:家)?的?\Z")
_START = re.compile(rf"\A\W*(?:[{_SMALL}-]{{3,9}} )?\Z", re.IGNORECASE)
_GENITIVE = re.compile(rf"(?P<name>{_NAME})'s? (?:[{_SMALL}-]{{2,14}} )?\Z")
_GERMAN_GENITIVE = re.compile(rf"(?:\A|\s)(?P<name>{_CAPITAL}[\w-]{{1,20}})s \Z")
_OF_NAME = re.compile(rf" (?:{WORDS['of']}) ?(?P<name>{_NAME})")
_OF_PERSON = re.compile(rf" (?:(?:{WORDS['of']}) ?)?(?:{WORDS['own']}) (?:[{_SMALL}-]{{2,14}} )?\Z", re.IGNORECASE)
_OF_NAMED = re.compile(rf"(?!(?:Has|Had|Have|Got|Hat|Ha|A|Tem) ){_NAME} (?:has|owns|had|got|hat|tiene|a|ha|tem|heeft) ")
"""A statement that begins with a name ("Sam has a dog")."""
_S = re.compile(rf"'s? (?:[{_SMALL}-]{{2,14}} )?\Z", re.IGNORECASE)

USER = "\0user"
"""The possessor of a person or animal of the user; others are names, or empty if unknown."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A word for a person or an animal in a text, and what it belongs to."""

    roles: frozenset[str]
    start: int
    end: int
    owner: str
    """`USER`, a name, or empty if the text does not tell."""
    via: frozenset[str] = frozenset()
    """Of a relative of a relative ("my boss's husband"): the roles of the user's own ("boss")."""
    has_own_word: bool = False
    """Whether the text calls it the user's ("my")."""

    @property
    def is_named_by_role(self) -> bool:
        """Whether its role alone names a person of the user ("mum", "the vet")."""
        return self.owner == USER and (self.roles <= _SERVICES or self.is_kin)

    @property
    def is_kin(self) -> bool:
        """Whether its role is used like a name ("mum")."""
        return self.roles <= _KIN


@cache_per_user(maxsize=4096)
def mentions(text: str) -> tuple[Mention, ...]:
    """The persons and animals that the beginning of a text mentions by what they are, in order."""
    plain = plain_punctuation(text[:MAX_CHARS])
    found = [(match, _ROLES_OF[match[0].casefold()]) for match in _role_pattern().finditer(plain)]
    read = [_read(plain, found, n) for n in range(len(found))]
    return tuple(_with_owners(plain, [one for one in read if one]))


def begins_with_person(text: str, *, with_services: bool = False) -> bool:
    """Check whether a statement begins with a relative, friend, colleague or animal of the user ("Mum is 70").

    Args:
        text: the statement.
        with_services: whether those count whose statements are about the user ("The landlord put the rent up").
    """
    first = next(iter(mentions(text)), None)
    if first is None or not first.owner or (first.roles <= _SERVICES and not with_services):
        return False
    return _BEGINNING.fullmatch(plain_punctuation(text[: first.start])) is not None


def role_words(text: str) -> list[tuple[frozenset[str], int, int]]:
    """The words for persons and animals in a text, with their positions and owners."""
    return [(_ROLES_OF[one[0].casefold()], *one.span()) for one in _role_pattern().finditer(text)]


def _read(plain: str, found: list[tuple[re.Match[str], frozenset[str]]], n: int) -> Mention | None:
    match, roles = found[n]
    start, end = match.span()
    before = plain[:start]
    if via := _own_possessor(plain, found, n):
        return Mention(roles, start, end, USER, via=via, has_own_word=True)
    if _is_own(before):
        return Mention(roles, start, end, USER, has_own_word=True)
    if owner := _named_owner(before, plain[end:]):
        return Mention(roles, start, end, owner)
    if _OTHER.search(before):
        return Mention(roles, start, end, "")
    return Mention(roles, start, end, USER) if _START.search(before) or _SOME.search(before) else None


def _own_possessor(plain: str, found: list[tuple[re.Match[str], frozenset[str]]], n: int) -> frozenset[str]:
    """What a person of the user is to whom another one belongs ("my boss's husband"); empty if there is none."""
    start, end = found[n][0].span()
    if n and _S.fullmatch(plain[found[n - 1][0].end() : start]) and _is_own(plain[: found[n - 1][0].start()]):
        return found[n - 1][1]
    following = found[n + 1] if n + 1 < len(found) else None
    return following[1] if following and _OF_PERSON.fullmatch(plain[end : following[0].start()]) else frozenset()


def _is_own(before: str) -> bool:
    return _OWN.search(before) is not None or _OWN_HAN.search(before) is not None


def _named_owner(before: str, after: str) -> str:
    match = _GENITIVE.search(before) or _GERMAN_GENITIVE.search(before) or _OF_NAME.match(after)
    return match["name"] if match else ""


def _with_owners(plain: str, read: list[Mention]) -> Iterator[Mention]:
    """Give what a text does not call the user's to the person that it begins with ("My sister has a cat")."""
    begins = bool(read) and (read[0].has_own_word or not plain[: read[0].start].strip())
    first = read[0] if begins else None
    if first is None and _OF_NAMED.match(plain):
        read = [replace(one, owner="") if not one.has_own_word else one for one in read]
    for one in read:
        is_of_first = first and one is not first and one.owner == USER and not one.has_own_word
        yield replace(one, owner="") if is_of_first else one
