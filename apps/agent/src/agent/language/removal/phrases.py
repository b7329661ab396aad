"""Prepositional phrases: details of a clause that can become untrue while the rest of it remains true."""

import re
from collections.abc import Callable
from itertools import pairwise, takewhile

from agent.language.dates.notes import split_date_note
from agent.language.grounding.checks import normalise
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import compile_lazily, load_patterns
from agent.language.revision.changes import changes, reports_other_time
from agent.language.text_cache import cache_per_user
from agent.language.words.content import SCHEDULE, content_of, stems
from agent.language.words.quantities import quantity_kind
from agent.language.words.stems import Stems

_LIST = re.compile(r"\S{1,60},(?: .*)?|\S{1,60} (?:and|or|und|oder|y|o|et|ou|e|en|&)")
_WORD = re.compile(r"[^\W_]+")
MIN_DATE_CHARS = 4  # of weekdays and months: "mon" is also the French "my"
MIN_REST_WORDS = 2  # content words: "I work" without the place says nothing
MAX_PHRASES = 6  # further ones are not examined

_PATTERNS = load_patterns("words/parts.toml")
_CLOCK = _PATTERNS["clock"]
_TIME = compile_lazily(rf"(?P<comma>,?)\s(?:{_PATTERNS['clock'].pattern}|{_PATTERNS['bare_clock'].pattern})")
_FREQUENCY = load_patterns("revision/change_patterns")["frequency"]


def outdated_phrases(clause: str, new: str, is_outdated: Callable[[str], bool]) -> list[str]:
    """The phrase of an outdated clause without which the rest remains true, verbatim; empty if there is none.

    "I code in Python with VS Code" is true without "with VS Code" after "I dropped VS Code". The rest must contain
    words that the newer text, which may be about all of it, does not have. If the words before the first phrase name
    nothing ("I work"), only later phrases and those that name people ("with Sara") are examined. After a new day, time
    or number, the phrase with the old one comes first.

    Args:
        clause: the outdated clause.
        new: the newer text.
        is_outdated: checks a text.
    """
    named, kinds = stems(new), _kinds(new)
    if SCHEDULE.isdisjoint(kinds) and _PATTERNS["same"].search(new):
        return []  # "swapped pottery for life drawing, same time same place"
    phrases = [one for one in _phrases(clause)[:MAX_PHRASES] if not _is_repeated(one, new)]
    phrases = [one for one in phrases if not _has_measure(one, clause, new)]
    if phrases and not stems(clause[: clause.index(phrases[0])]):
        start = clause.index(phrases[0])
        phrases = [one for one in phrases if _PATTERNS["company"].match(one) or clause.index(one) > start]
    if reports_other_time(new) and not SCHEDULE.isdisjoint(kinds):
        phrases = [one for one in (*_days(clause), *phrases) if is_date(one)]
    for one in sorted(phrases, key=lambda one: kinds.isdisjoint(_kinds(one))):
        phrase = _with_time(one, clause, new)
        rest = without_phrase(clause, phrase)
        says_more = (
            bool(stems(_without_replaced(split_date_note(rest)[0], new)) - named)
            and _states_something(rest)
            and not _is_joined(phrase, rest, new)
        )
        if says_more and not is_outdated(rest):
            return [phrase]
    return []


def _without_replaced(rest: str, new: str) -> str:
    """A text without the names of places and companions in whose place a newer text gives others ("at Boots")."""
    for kind in ("named_company", "named_place"):
        if _PATTERNS[kind].search(new):
            rest = _PATTERNS[kind].sub(" ", rest)
    return rest


def _has_measure(phrase: str, clause: str, new: str) -> bool:
    """Check whether a time or an amount after a phrase belongs to it ("at the shop from 9 to noon", which I left).

    The time of an event does not belong to its place ("Mum's 70th is at the Red Lion on the 9th").
    """
    before, _, following = clause.partition(phrase)
    if _PATTERNS["measure"].match(following.strip()) is None or _PATTERNS["company"].match(phrase):
        return False
    if _PATTERNS["event"].search(before):
        return False
    ends = (end.things for change in changes(new) for end in change.ended)
    return "number" in _kinds(phrase) or any(not things.isdisjoint(stems(phrase)) for things in ends)


def _is_repeated(phrase: str, new: str) -> bool:
    """Check for a phrase that a newer statement repeats and does not end."""
    return normalise(phrase) in normalise(new) and not _PATTERNS["ending"].search(new)


def _is_joined(phrase: str, rest: str, new: str) -> bool:
    """Check whether a newer statement joins a phrase and the rest ("a course in art", "the art course")."""
    named, others = stems(phrase), stems(rest)
    pairs = pairwise(_WORD.findall(plain_punctuation(new)))
    return any(not stems(one).isdisjoint(named) and stems(other) & others - named for one, other in pairs)


def _days(clause: str) -> list[str]:
    """The days in a clause with the words before each ("Next Thursday I have a meeting"), verbatim."""
    return [match[0] for match in _PATTERNS["day"].finditer(clause)]


def _with_time(phrase: str, clause: str, new: str) -> str:
    """The phrase of a date with its time, if the newer text gives both; else with the comma before its time."""
    following = clause.partition(phrase)[2]
    time = _TIME.match(following) if is_date(phrase) else None
    if time is None:
        return phrase
    return phrase + (time[0] if _names_time(new) else time["comma"])


def _names_time(text: str) -> bool:
    return "time" in _kinds(text) or any(_PATTERNS[name].search(text) for name in ("clock", "bare_clock"))


def _states_something(rest: str) -> bool:
    rest, _ = split_date_note(rest)
    if _PATTERNS["incomplete"].search(rest):
        return False
    is_short = _PATTERNS["shared_home"].match(rest) or _PATTERNS["occupation"].fullmatch(rest)
    return len(Stems.of(rest).words) >= MIN_REST_WORDS or is_short is not None


@cache_per_user(maxsize=8192)
def _kinds(text: str) -> frozenset[str]:
    """The kinds of the quantities in a text, such as weekdays; each new message asks for those of the same phrases."""
    return frozenset(kind for kind, _, _ in content_of(text).quantities)


def is_phrase(text: str) -> bool:
    """Check whether a text begins with a preposition, or says on what day or how often something happens."""
    is_time = _FREQUENCY.fullmatch(text) is not None or _is_day(text)
    return is_time or _PATTERNS["preposition"].match(text) is not None


def is_date(phrase: str) -> bool:
    """Check whether a phrase names a day, a month or a time."""
    return not SCHEDULE.isdisjoint(_kinds(phrase))


def contains_phrase(text: str, phrase: str) -> bool:
    """Check whether a phrase follows a word in a text, so that it is not a sentence or clause of its own."""
    if not phrase:
        return False
    follows_word = re.search(rf"\w\s+{re.escape(phrase)}(?!\w)", text) is not None
    return follows_word or (_is_day(phrase) and re.search(rf"(?<!\w){re.escape(phrase)},?\s+\w", text) is not None)


def without_phrase(text: str, phrase: str) -> str:
    """A text without the first occurrence of a phrase and of the space before it."""
    stop = r"(?:\.(?=\s\w))?" if _CLOCK.search(phrase) else ""  # of "9 a.m."
    rest = re.sub(rf"\s*(?<!\w){re.escape(phrase.rstrip(' .!'))}(?!\w){stop}", "", text, count=1)
    return _with_subject_first(rest.lstrip(" ,")) if text.startswith(phrase) else rest


def _with_subject_first(clause: str) -> str:
    """A clause without its first phrase, with its subject before the verb ("habe ich", "Ich habe")."""
    match = _PATTERNS["inverted"].match(clause)
    return f"{match['subject'].capitalize()} {match['verb']}{clause[match.end() :]}" if match else clause


def _is_day(phrase: str) -> bool:
    return _PATTERNS["day"].fullmatch(phrase) is not None


def _phrases(clause: str) -> list[str]:
    """The phrases after the first words of a clause, each with the places and months after it ("at a school in Bath").

    What follows a destination, an occupation or a date does not depend on it ("to Lisbon in March").
    """
    plain = plain_punctuation(clause)
    starts = [match.start() for match in _PATTERNS["preposition"].finditer(plain) if match.start() > 0]
    phrases: list[str] = []
    for number, start in enumerate(starts):
        others = starts[number + 1 :]
        is_independent = (bool(others) and is_date(clause[start : others[0]])) or plain.startswith(
            ("to ", "as ", "als "), start
        )
        following = (one for one in others if is_independent or not _PATTERNS["place_phrase"].match(plain, one))
        stops = [next(following, len(clause))]
        if _PATTERNS["company"].match(plain, start):  # the place may belong to the verb
            stops = [*others[:1], *stops]
        if date := _PATTERNS["numbered_day"].search(plain, start, stops[-1]):
            stops = [date.start(), *stops]
        found = [clause[start:stop].strip(" .!") for stop in stops]
        complete = [one for one in dict.fromkeys(found) if not _PATTERNS["list_of_phrase"].search(one)]
        phrases += dict.fromkeys((*filter(None, [_date_at(clause, start)]), *complete))
    return [*phrases, *(match[0] for match in _FREQUENCY.finditer(plain) if match.start() > 0)]


def _date_at(clause: str, start: int) -> str:
    """The phrase of a date at a position, without what follows it ("on the 3rd of March", to see Ollie), or ""."""
    time = _CLOCK.search(clause, start)
    before = clause[start : time.start()].rstrip(" ,") if time else clause[start:]
    first, *others = before.split() or [""]
    date = list(takewhile(lambda word: _is_of_date(word.rstrip(".,;!")), others))
    if _LIST.fullmatch(" ".join(others[len(date) - 1 : len(date) + 1])):
        return ""  # the first day of several
    is_date = any(len(word) >= MIN_DATE_CHARS and quantity_kind(word.rstrip(".,;!")) in SCHEDULE for word in date)
    return " ".join((first, *date)).rstrip(" .,;!") if is_date else ""


def _is_of_date(word: str) -> bool:
    return bool(quantity_kind(word.casefold())) or word in {"the", "of", "de", "del", "du"}
