"""Remove a person who is only named as a companion from a statement that says more ("with Jean and our cats").

What remains is a complete statement; otherwise nothing is removed.
"""

import re
from dataclasses import dataclass

from agent.language.removal.completeness import is_complete_rest

MAX_CHARS = 400  # longer statements are not divided

_WITH = r"(?:with|mit|con|avec|com|met)"
_AND = r"(?:and|&|und|y|et|e|en)"
_OWN = (
    r"(?:my|our|meine[mnr]?|unsere[mnr]?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|(?:il |la )?mi[oa]"
    r"|(?:o |a )?(?:meu|minha)|mijn|onze|ons)"
)
# Another person or thing next to the person: "our two cats", "Bob", "unserer Tochter Mia".
_OTHER = (
    rf"(?:(?:{_OWN}|the|two|three|zwei|dos|deux|due|dois|twee) (?:[\w'-]{{2,20}} ){{0,2}}?[\w'-]{{2,20}}"
    r"|(?-i:[A-ZÀ-Þ])[\w'-]{1,20})"
)
_END = (
    r"(?=[\s.!;]{0,5}$|\s(?:nach|zu|le|el|los|de|in|on|at|from|near|since|every|each|next|this|last|today|tomorrow|again|now|am|im|seit|jeden"
    r"|jede|en|desde|cada|à|au|depuis|chaque|il|da|ogni|em|no|na|op|sinds|elke)\s)"
)
_PRONOUN = re.compile(
    r"\b(?:he|she|him|her|hers|his|they|them|their|both|each other|together|er|sie|ihn|ihm|ihr\w{0,2}|seine?\w?|beide"
    r"|él|ella|su|sus|ell[oe]s?|il|elle|lui|leur|lei|ele|ela|hij|zij|haar|zijn)\b",
    re.IGNORECASE,
)
_WITH_END = re.compile(rf",?\s(?P<word>{_WITH})\s$", re.IGNORECASE)
_NEXT = re.compile(rf"(?:,? {_AND} (?={_OTHER}{_END})|, (?={_OTHER},? (?:{_AND} )?))", re.IGNORECASE)
_AFTER_LISTED = re.compile(rf"(?:,| {_AND}) {_OTHER}(?:,| {_AND}|{_END})", re.IGNORECASE)
_LAST = re.compile(rf"(?:\s{_WITH}\s(?P<other>{_OTHER})),? {_AND} $", re.IGNORECASE)
_I_TOO = re.compile(r" and (?=I (?!are\b|were\b|both\b|each\b)\w)")
_IS_END = re.compile(_END, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Companion:
    """A person that a statement only names as a companion."""

    text: str
    """The words for the person, verbatim ("my wife Jean")."""
    rest: str
    """The statement without them."""


def find_companion(statement: str, person: str) -> Companion | None:
    """Find a person in a statement that remains complete without them; None if it says more about them.

    Args:
        statement: one sentence.
        person: a name, or words such as "my brother" or "my wife Jean".
    """
    named = _named(statement, person) if len(statement) <= MAX_CHARS else None
    if named is None:
        return None
    start, stop = named.span()
    cut = _cut(statement, start, stop)
    rest = f"{statement[: cut[0]]}{statement[cut[1] :]}".strip() if cut else ""
    if not cut or named[0] in rest or _PRONOUN.search(rest) or len(rest.split()) <= len(named[0].split()):
        return None
    return Companion(named[0], rest) if is_complete_rest(rest, statement, [statement[slice(*cut)]]) else None


def _named(statement: str, person: str) -> re.Match[str] | None:
    """The words for a person: a name with what the person is to the user, or that with a name after it."""
    words = re.escape(person.strip())
    if re.match(rf"{_OWN}\s", person, re.IGNORECASE):
        return re.search(rf"\b{words}(?: (?-i:[A-ZÀ-Þ])[\w'-]{{1,20}})?(?![\w'-])", statement, re.IGNORECASE)
    pattern = rf"\b(?P<own>{_OWN} (?!\w+ {_AND} )(?:[\w-]{{2,20}} ){{1,2}})?(?P<name>{words})(?![\w'-])"
    found = re.finditer(pattern, statement, re.IGNORECASE)
    return next((one for one in found if one["own"] or one["name"][:1].isupper()), None)


def _cut(statement: str, start: int, stop: int) -> tuple[int, int] | None:
    """The span to remove with the words for a person, so that the others beside them remain."""
    before = statement[:start]
    with_end, last = _WITH_END.search(before), _LAST.search(before)
    following = _NEXT.match(statement, stop)
    if with_end and following:
        return start, following.end()
    if statement[:start].endswith(", ") and _AFTER_LISTED.match(statement, stop):
        return start - 2, stop  # "with Dan, Lou and Meg"
    if with_end and _IS_END.match(statement, stop):
        return with_end.start(), stop
    if last and _IS_END.match(statement, stop):
        return last.end("other"), stop
    too = _I_TOO.match(statement, stop)
    return (0, too.end()) if too and not before.strip() else None
