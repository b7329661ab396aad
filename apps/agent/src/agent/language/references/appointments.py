"""Recognise a correction of the day or time of an appointment that a request mentions.

"Dentist is Tuesday at 10, what should I ask?" is followed by "sorry, it's Wednesday". What is asked remains; the
appointment is another one.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date

from agent.language.authorship.framing import Framing
from agent.language.dates.resolution import Mention, mentions
from agent.language.facts.extraction import extract_from_user, plain_clauses
from agent.language.facts.statements import mask_unusable, statement_spans, without_masked
from agent.language.parsing.folding import fold
from agent.language.parsing.openers import blank_openers
from agent.language.parsing.sentences import contains_request, plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.revision.fragments import contrasts
from agent.language.text_cache import cache_per_user

MAX_CORRECTION_CHARS = 80
MAX_STATED_CHARS = 300
MIN_STEM_CHARS = 4
_ANY_DAY = date(2000, 1, 3)  # whether a text names a day does not depend on when it was written
_LENGTHS = frozenset({"duration", "offset"})
_PATTERNS = load_patterns("references/appointments.toml")
_WORD = re.compile(r"[^\W\d_]+|\d+")


def moved_appointment(text: str, earlier: str) -> str:
    """What an earlier message states, if a text only gives another day or time for it; otherwise empty.

    The text says that it corrects something, and names nothing else but what the statement names.
    """
    plain = plain_punctuation(text).strip()
    if len(plain) > MAX_CORRECTION_CHARS or not _is_correction(plain):
        return ""
    is_day, is_time = _names_day(plain), _names_time(plain)
    if not (is_day or is_time):
        return ""
    stated = _statements(earlier)
    dated = [one for one in stated if (is_day and _names_day(one)) or (is_time and _names_time(one))]
    if not dated or _other_words(plain, " ".join(dated)):
        return ""
    asked = _without(earlier, stated)
    if (is_day and _names_day(asked)) or (is_time and _names_time(asked)):
        return ""  # it may change what is asked
    # A fact is a memory of its own; other statements are remembered together with the appointment.
    kept = "; ".join(one for one in stated if one in dated or not extract_from_user(one))
    return kept if len(kept) <= MAX_STATED_CHARS else dated[-1]


def _is_correction(plain: str) -> bool:
    return any(_PATTERNS[name].search(plain) for name in ("corrects", "moved")) or bool(contrasts(plain))


def _names_day(text: str) -> bool:
    return any(True for _ in _days(text))


def _names_time(text: str) -> bool:
    return _PATTERNS["time"].search(text) is not None


def _days(text: str) -> Iterator[Mention]:
    return (one for one in mentions(text, _ANY_DAY) if one.rule not in _LENGTHS)


def _without(text: str, parts: Iterable[str]) -> str:
    rest = " ".join(text.split())
    for one in parts:
        rest = rest.replace(one, " ")
    return rest


def _other_words(plain: str, statement: str) -> set[str]:
    """The words of a correction besides days, times and words for the correction that the statement does not have."""
    rest = plain
    for one in reversed(list(_days(plain))):
        rest = f"{rest[: one.start]} {rest[one.stop :]}"
    rest = _PATTERNS["filler"].sub(" ", _PATTERNS["time"].sub(" ", rest))
    known = {_stem(word) for word in _WORD.findall(statement)}
    return {word for word in _WORD.findall(rest) if _stem(word) not in known}


def _stem(word: str) -> str:
    """The first letters of a word, so that its other forms count as the same ("wizyta", "wizyt\u0119")."""
    return fold(word.casefold())[: max(MIN_STEM_CHARS, len(word) - 2)]


@cache_per_user(maxsize=128)
def _statements(text: str) -> tuple[str, ...]:
    """What a message states, also in a request, or when an appointment is that is not its author's ("Zoe's exam")."""
    masked = mask_unusable(blank_openers(text))
    spans = list(statement_spans(masked))
    if spans and (frame := Framing.of(masked).frame):  # it is remembered together with its frame
        spans = [(min(frame[0], spans[0][0]), max(frame[1], spans[-1][1]))]
    stated = [without_masked(text, masked, span) for span in spans]
    return tuple(filter(None, stated)) or tuple(_scheduled_clauses(masked.replace("\0", " ")))


def _scheduled_clauses(text: str) -> Iterator[str]:
    for clause in plain_clauses(text):
        if _PATTERNS["scheduled"].search(clause) and not contains_request(clause):
            yield clause
