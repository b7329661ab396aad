"""Find where a sentence may begin a request after another clause ("We've split up, so forget everything about …")."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from agent.language.parsing.sentences import NON_FACTUAL
from agent.language.pattern_files import load_patterns

MAX_CLAUSES = 6  # further ones are not examined
MAX_REPORT_CHARS = 40

Kind = Literal["any", "retraction", "removal"]
"""What may begin there: any request, only "… but forget I said that", or only a request to forget something named."""

_PATTERNS = load_patterns("requests/clause_starts.toml")
# After the other boundaries than `any`, "forget …" mostly has a subject ("I try but forget my keys"), unless it is a
# retraction ("… but forget I said that").
_BOUNDARY = re.compile(
    r"(?P<any>[,;:.] {1,2}(?:and |so |but |then )?|\s(?:and|so|but) (?=please\b))"
    r"(?:aber |und |pero |y |mais |et |ma |mas |e )?"
    r"|(?:\s\(|[\U0001f300-\U0001faff]\ufe0f? ?|\s-{1,2} |[\uff0c\u3001\uff1b\u060c] ?)(?:and |so |but |但是?|不过)?"
    r"|\s(?:lol|lmao|ha(?:ha){1,3}|omg|oops|tho|though),? (?=forget (?:that )?i\b)"
    r"|\s(?:so|but|aber|pero|mais|ma|mas) (?=(?:forget (?:(?:that )?i\b|what i\b|(?:that|this)(?=\W{0,3}$))"
    r"|(?:do not|don'?t) (?:remember|save|store|keep)|vergiss,? (?:dass|was|das)|olvida (?:que|lo que|eso|esto)"
    r"|oublie (?:que|ce que|ça)|dimentica (?:che|quello|ciò)|esque[cç][ea] (?:que|o que|isso))\b)",
    re.IGNORECASE,
)
_REPORT_END = re.compile(
    r"\b(?:says?|said|wrote|writes|told \w{1,20}|was like|asks?|asked|quote)[\s,:;.-]{0,5}$", re.IGNORECASE
)
# Words that join a request to the clause before it.
_JOINT = re.compile(
    r"[\s,;\u2013\u2014-]{1,3}(?:(?:and|so|but|also|then|&|und|aber|dann|daher|deshalb|y|pero|así que|entonces|et|mais"
    r"|donc|alors|e|ma|quindi|allora|mas|então|por isso|portanto|en|maar|dus|i|ale|więc|pls|plz|please)\s{1,2}){1,3}$"
    "|[\uff0c,\u3001\uff1b]?(?:\u6240\u4ee5|\u90a3\u4e48|\u56e0\u6b64|\u8bf7|\u8acb|\u9ebb\u70e6|\u4f60){1,3}$",
    re.IGNORECASE,
)


class ClauseStart(NamedTuple):
    """Where a clause begins, and which requests it may be."""

    position: int
    kind: Kind
    is_reported: bool = False
    """Whether it may be the reported speech of another person."""


def clause_starts(text: str, start: int, stop: int) -> list[ClauseStart]:
    """The starts of the clauses of a sentence after its first one, in order."""
    return sorted([*_boundaries(text, start, stop), *_removals(text, start, stop)])[:MAX_CLAUSES]


def without_joint(before: str) -> str:
    """The text before a request without the words that join both ("We've split up so")."""
    return _JOINT.sub("", before)


def first_boundary(text: str, start: int, stop: int) -> re.Match[str] | None:
    """The first boundary of clauses in a part of a text."""
    return _BOUNDARY.search(text, start, stop)


def ends_with_report(text: str, stop: int) -> bool:
    """Check whether the text before a position announces what another person says ("my wife said, …")."""
    return _REPORT_END.search(text, max(0, stop - MAX_REPORT_CHARS), stop) is not None


def _boundaries(text: str, start: int, stop: int) -> Iterator[ClauseStart]:
    for end in islice(_BOUNDARY.finditer(text, start, stop), MAX_CLAUSES):
        position = end.end()
        is_factual = not NON_FACTUAL.search(text, start, position)
        is_reported = _REPORT_END.search(text, start, position) is not None
        yield ClauseStart(position, "any" if end["any"] is not None and is_factual else "retraction", is_reported)


def _removals(text: str, start: int, stop: int) -> Iterator[ClauseStart]:
    """The starts of clauses without a subject that are the consequence of what the clause before states."""
    for name in ("consequence", "sequence"):
        for end in islice(_PATTERNS[name].finditer(text, start, stop), MAX_CLAUSES):
            if _is_removal(text, (start, end.start()), stop, is_consequence=name == "consequence"):
                yield ClauseStart(end.end(), "removal")


def _is_removal(text: str, before: tuple[int, int], stop: int, *, is_consequence: bool) -> bool:
    """Check whether a verb after a clause is a request, and not an action or speech of its subject."""
    if NON_FACTUAL.search(text, *before) or _PATTERNS["reported"].search(text, *before):
        return False
    if _PATTERNS["to_assistant"].match(text, before[1], stop):
        return True
    has_ended = _PATTERNS["ended"].search(text, *before) is not None
    if is_consequence:
        return has_ended or not _PATTERNS["habit"].search(text, *before)
    return has_ended and not any(_PATTERNS[name].search(text, *before) for name in ("habit", "joined_verb"))
