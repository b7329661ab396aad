"""Find the names of persons and animals in statements ("my sister Anna", "Cat is called Miso")."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import read_tables
from agent.language.persons.roles import MAX_CHARS, USER, WORDS, Mention, mentions
from agent.language.text_cache import cache_per_user

_NO_NAMES = frozenset(read_tables("persons/names.toml")["words"]["no_names"].split())
_TITLE = r"(?:(?i:dr|mrs?|ms|miss|herr|frau|señora?|mme|prof)\b\.? )"
_WORD = r"[^\W\d_][\w-]{1,20}"
_NAME = rf"(?:{_TITLE}{_WORD}|[A-ZÀ-ÖØ-Þ][\w-]{{1,20}})"
_FULL_NAME = rf"{_NAME}(?: [A-ZÀ-ÖØ-Þ][\w-]{{1,20}})?"
_AND = r"(?:, | and | und | y | et | e | en | & )"
_NAMES = rf"(?P<names>{_FULL_NAME}(?:{_AND}{_FULL_NAME}){{0,6}})"
_ANY_NAMES = rf"(?P<names>{_TITLE}?{_WORD}(?:{_AND}{_NAME}){{0,6}})"
_IS = f"(?i:{WORDS['is']})"
_AFTER = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:'s?)? (?i:(?:first |full )?names?)(?: (?i:is|are)|'s|:) {_ANY_NAMES}",
        rf"(?: ?{_IS}) (?i:{WORDS['naming']}|called|named) {_ANY_NAMES}",
        rf",? (?i:{WORDS['naming']}) {_ANY_NAMES}",
        rf",? (?:called|named) {_NAMES}",
        rf"(?:'s| {_IS}) {_NAMES}(?=\W*\Z| ?[,.;!?\u2026(]| (?:and|und|y|et|e|en|who|from) )",
        rf",? ?[(]?(?<=\W){_NAMES}",
        r"(?:的名字)?(?:叫|是|名叫)(?P<names>[\u3400-\u9fff]{1,4}|[A-Z]\w{1,20})(?=\W|\Z)",
    )
)
_BEFORE = re.compile(
    rf"(?:\A|[.;\u2026] ){_NAMES}(?:'s| (?i:is|are|ist|sind|es|son|est|sont|è|sono|é|são|zijn)|,)"
    rf" (?i:{WORDS['own']}) (?:[a-zß-ÿ-]{{2,14}} ){{0,2}}\Z"
)
_PHONED = re.compile(r",? called ")
"""After "my mum", it is followed by no name of hers."""
_SPLIT = re.compile(_AND)


@dataclass(frozen=True, slots=True)
class Link:
    """The names of a person or an animal, in one statement."""

    mention: Mention
    names: frozenset[str]


@cache_per_user(maxsize=4096)
def links(text: str) -> tuple[Link, ...]:
    """The persons and animals that a statement gives names."""
    plain = plain_punctuation(text[:MAX_CHARS])
    found = ((one, _names(plain, one)) for one in mentions(text))
    return tuple(Link(one, names) for one, names in found if names)


def _names(plain: str, mention: Mention) -> frozenset[str]:
    after = (pattern.match(plain, mention.end) for pattern in _AFTER)
    match = next((one for one in after if one and _split(one["names"])), None)
    if match and mention.has_own_word and _PHONED.match(plain, mention.end):
        match = None
    if match is None and mention.has_own_word:
        match = _BEFORE.search(plain[: mention.start])
    return frozenset(_split(match["names"])) if match else frozenset()


def _split(names: str) -> list[str]:
    return [one for one in _SPLIT.split(names) if one.split()[0] not in _NO_NAMES or len(one.split()) > 1]


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names in the statements of one user."""

    links: tuple[Link, ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "KnownNames":
        """Read statements."""
        return cls(tuple(link for text in texts for link in links(text)))

    def of_roles(self, roles: frozenset[str]) -> frozenset[str]:
        """The names of the user's own persons and animals with one of these roles."""
        return _united(one.names for one in self.links if one.mention.roles & roles and is_of_user(one.mention))

    def of_relatives(self, roles: frozenset[str], via: frozenset[str], owners: frozenset[str]) -> frozenset[str]:
        """The names of what belongs to others: those with the roles `via`, who are called `owners`."""
        return _united(one.names for one in self.links if is_relative_of(one.mention, roles, via, owners))

    def roles_of(self, name: str) -> Iterator[frozenset[str]]:
        """The roles of the user's persons and animals with a name."""
        wanted = name.casefold()
        for one in self.links:
            if is_of_user(one.mention) and any(wanted in words_of_name(each) for each in one.names):
                yield one.mention.roles


def _united(names: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*names)


def words_of_name(name: str) -> tuple[str, ...]:
    """A name, and the first of its words without a title, case-folded."""
    return tuple(dict.fromkeys([name.casefold(), name.casefold().split()[-1], *name.casefold().split()[:1]]))


def is_of_user(mention: Mention) -> bool:
    """Check whether a text mentions a person or an animal of the user."""
    return mention.owner == USER and not mention.via


def is_relative_of(mention: Mention, roles: frozenset[str], via: frozenset[str], owners: frozenset[str]) -> bool:
    """Check whether a text mentions a person or an animal that belongs to another person."""
    if not mention.roles & roles:
        return False
    folded = {word for owner in owners for word in words_of_name(owner)}
    return bool(mention.via & via) or mention.owner.casefold() in folded
