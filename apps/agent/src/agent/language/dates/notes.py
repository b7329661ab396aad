"""Write out the relative dates of a sentence, so that it is still understood when its day is forgotten."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice, pairwise

from agent.language.dates.corrections import apply_corrections
from agent.language.dates.formats import NOTE_WORDS, format_of
from agent.language.dates.periods import Period, single_day
from agent.language.dates.resolution import Mention, mentions, strip_dates
from agent.language.dates.returns import after_departure
from agent.language.parsing.sentences import sentences
from agent.language.pattern_files import load_patterns

MAX_WORDS_BEFORE = 20  # characters
MAX_MENTIONS, MAX_NOTES = 40, 4  # further ones are not examined, and not written
MIN_PLAN_DAYS, MIN_HABIT_DAYS = 2, 3  # weekdays in a sentence with or without a word for a plan
READINGS_OF_OTHER_DAYS = 2  # the last and the next one; on the same day of the week, today is the third one
MAX_DISTANCE = timedelta(270)  # to a day without a year
_PATTERNS = load_patterns("dates/notes.toml")
MAX_CONTEXT_CHARS = 40  # that are examined on each side of a date
MAX_CLAUSE_CHARS = 80
_CLAUSE_END = re.compile(
    r"[,;:.!?]|\b(?:and|but|so|that|who|which|und|aber|dass|y|pero|que|et|mais|qui|ma|che|mas|en|maar|dat|ale|że|bo"
    r"|i(?= (?:w|we|mam|muszę)\b))\b",
    re.IGNORECASE,
)
LAST_LATIN_LETTER = "\u024f"
_DAY = timedelta(1)
_ISO_MONTH = re.compile(r"\b(?:19|20)\d\d-\d\d\b(?!-)")
_NOTE = re.compile(r" \((?P<dates>[^()\n]{4,400})\)$")


def date_note(text: str, today: date, *, spoken: str = "", meant: str = "") -> str:
    """The dates that the relative dates of a text mean (" (27 November 2026)"), or "" without a certain one.

    Each follows its words if there are several, also if others remain unclear ("(tomorrow: 28 November 2026)").

    Args:
        text: what the user said.
        today: the day when they said it, where they were.
        spoken: a longer text by them, which tells the language.
        meant: a text by another author who understood them, which may name one of the possible dates.
    """
    corrected = apply_corrections(text, spoken or text, today)
    named = {period for one in mentions(meant, today) if one.is_absolute for period in one.periods}
    notes: dict[str, str] = {}
    departures: dict[str, date] = {}
    mentioned: set[str] = set()
    spans = (corrected[slice(*span)] for span in sentences(corrected))
    found = ((sentence, mention) for sentence in spans for mention in _relative_mentions(sentence, today))
    for sentence, mention in islice(found, MAX_MENTIONS):
        words, written = sentence[mention.start : mention.stop], format_of(sentence, mention, spoken or text)
        periods = _resolve(sentence, mention, today, named) if written else []
        periods = after_departure(sentence, mention, periods, departures.get(sentence))
        departures |= {sentence: departures.get(sentence, periods[0].start)} if periods else {}
        if _PATTERNS["onwards"].search(sentence, max(0, mention.start - MAX_CONTEXT_CHARS), mention.start):
            periods = [single_day(one.start) if one.stop >= today else one for one in periods]
        if written and periods:
            is_about = mention.rule == "offset" and _unit(mention) == "week" and not set(periods) & named
            dates = written.write_all(periods)
            dates = written.around.format(dates) if is_about else dates
            notes.setdefault(dates, words)
        if periods or mention.rule != "day_of_month":  # "at 3." may be a time
            mentioned.add(words.casefold().split()[-1])
    if notes and len(mentioned) > 1:
        return f" ({'; '.join(f'{words}: {dates}' for dates, words in islice(notes.items(), MAX_NOTES))})"
    return "".join(f" ({dates})" for dates in notes)


def meant_dates(sentence: str, today: date) -> Iterator[tuple[Mention, list[Period]]]:
    """Yield the relative dates of a sentence, each with its likely readings; with none if it remains unclear."""
    departure: date | None = None
    for mention in _relative_mentions(sentence, today):
        periods = after_departure(sentence, mention, _resolve(sentence, mention, today, set()), departure)
        departure = departure or (periods[0].start if periods else None)
        yield mention, periods


def split_date_note(text: str) -> tuple[str, str]:
    """Split a text into the user's words and the note of `date_note`, which may be empty."""
    found = _NOTE.search(text)
    if not found:
        return text, ""
    dates = strip_dates(_ISO_MONTH.sub(" ", found["dates"]), relative=True)
    rest = re.findall(r"[^\W_]+", dates.casefold())
    return (text[: found.start()], found[0]) if NOTE_WORDS.issuperset(rest) else (text, "")


def _relative_mentions(sentence: str, today: date) -> Iterator[Mention]:
    """Yield the relative dates of a sentence that stand alone and are not written out there."""
    found = list(mentions(sentence, today))
    joint = {
        id(one) for first, second in pairwise(found) if _is_joint(sentence, first, second) for one in (first, second)
    }
    stated = {period for one in found if one.rule == "date" for period in one.periods}
    habits = _days_of_plan(sentence, found)
    for one in found:
        before = sentence[max(0, one.start - 16) : one.stop + 1]
        if (
            one.rule == "date"
            or id(one) in joint | habits
            or one.periods & stated
            or _PATTERNS["not_a_date"].search(before)
        ):
            continue
        if not _is_uncertain(sentence, one):
            yield one


def _days_of_plan(sentence: str, found: Sequence[Mention]) -> set[int]:
    """The weekdays of a weekly plan, by id: two in a sentence that names a plan, or three in any."""
    weekdays = [one for one in found if one.rule == "weekday" and len(one.words) == 1]
    timed = any(_PATTERNS["timed"].match(sentence, one.stop) for one in weekdays)
    least = MIN_PLAN_DAYS if _PATTERNS["plan"].search(sentence) else MIN_HABIT_DAYS
    is_plan = len({one.words[0].value for one in weekdays}) >= least
    return {id(one) for one in weekdays} if is_plan and not timed else set()


def _is_joint(sentence: str, first: Mention, second: Mention) -> bool:
    """Check whether two dates are one date, a range or a habit together."""
    is_age = first.rule == "duration" and _unit(first) == "year"  # "she turns 80 years Thursday"
    if not is_age and _PATTERNS["joint"].fullmatch(sentence, first.stop, second.start):
        return True
    are_weekdays = all(len(one.words) == 1 and one.rule == "weekday" for one in (first, second))
    return are_weekdays and _PATTERNS["list"].fullmatch(sentence, first.stop, second.start) is not None


def _is_uncertain(sentence: str, mention: Mention) -> bool:
    """Check whether the words around a date, or its own, leave open which day it is."""
    start, stop = mention.start, mention.stop
    before, after = sentence[max(0, start - MAX_CONTEXT_CHARS) : start], sentence[stop : stop + MAX_CONTEXT_CHARS]
    if mention.rule in ("weekday_of_month", "weekday_of_unit"):
        return _PATTERNS["counted_back"].search(before) is not None
    if _PATTERNS["uncertain"].search(f"{before}\0{sentence[start:stop]}\1{after}"):
        return True
    is_counted = any(word.code in "NOaV" for word in mention.words)
    if mention.rule == "unit":
        return _PATTERNS["plural"].search(sentence, start, stop) is not None
    is_other_script = sentence[start] > LAST_LATIN_LETTER
    return mention.rule == "offset" and not is_other_script and (not is_counted or _is_duration(sentence, mention))


def _is_duration(sentence: str, mention: Mention) -> bool:
    """Check whether "in two weeks" says how long something took."""
    start, stop = mention.start, mention.stop
    pattern = _PATTERNS.get(f"within_{sentence[start : start + 2].casefold()}")
    before, after = _clause_around(sentence, mention)
    clause = f"{before}\0{sentence[start:stop]}\1{after}"
    return pattern is not None and pattern.search(clause) is not None


def _resolve(sentence: str, mention: Mention, today: date, named: set[Period]) -> list[Period]:
    """The most likely readings, at most two; none if it remains unclear."""
    days = sorted(mention.periods)
    if len(chosen := mention.periods & named) == 1:
        return list(chosen)
    if mention.rule == "weekday":
        return _resolve_weekday(sentence, mention, today)
    if mention.rule in ("weekday_of_month", "weekday_and_day"):
        return _nearest(sentence, days, today)
    if mention.rule == "offset":
        exact = min(days, key=lambda one: one.stop - one.start)
        return [exact if _unit(mention) in ("day", "week") else max(days, key=lambda one: one.stop - one.start)]
    is_directed = mention.rule == "unit" and any(word.code in "XTLD" for word in mention.words)
    if mention.rule == "day_of_month":
        is_ahead = _is_moved(sentence, mention) or _is_day_of_event(sentence, mention)
        return [day for day in days if day.start >= today][:1] if is_ahead else []
    is_certain = is_directed or mention.rule in ("date_of_year", "weekday_of_unit", "weekday_of_week", "from_day")
    return days if is_certain and len(days) == 1 else []


def _resolve_weekday(sentence: str, mention: Mention, today: date) -> list[Period]:
    days = sorted(mention.periods)
    is_past = _PATTERNS["past"].search(sentence) is not None
    direction = next((word.code for word in mention.words if word.code in "XTL"), "")
    if direction == "X":
        return _next(sentence, mention, today)
    if direction == "L":
        is_earlier = today - days[1].start == _DAY or _is_other_week(sentence, mention, days[1], today)
        return days[:1] if is_earlier else days[1:]
    if direction == "T":
        return days[:1] if is_past and days[1].start > today else days[1:]
    return [] if _is_habit(sentence, mention) else _nearest_weekday(sentence, mention, days)


def _nearest_weekday(sentence: str, mention: Mention, days: list[Period]) -> list[Period]:
    """The next or the last weekday without "next" or "last"; on a Saturday, "on Saturday" is not today."""
    if _is_moved(sentence, mention):
        return days[-1:]
    if _is_over(sentence, mention):
        return [] if len(days) > READINGS_OF_OTHER_DAYS else days[:1]
    is_named = any(_precedes(name, sentence, mention) for name in ("preposition", "appointments"))
    is_named = is_named or _is_bare(sentence, mention)
    is_ahead = _is_planned(sentence, mention) or (is_named and not _may_be_over(sentence, mention))
    return days[-1:] if is_ahead else []


def _may_be_over(sentence: str, mention: Mention) -> bool:
    """Check whether a sentence is in the past, and no verb in the clause of a weekday is in the present."""
    if not _PATTERNS["past"].search(sentence):
        return False
    clause = "".join(_clause_around(sentence, mention))
    is_past = _PATTERNS["past"].search(clause) is not None
    return _PATTERNS["certainly_present" if is_past else "present"].search(clause) is None


def _is_over(sentence: str, mention: Mention) -> bool:
    """Check whether something happened on a weekday, or lasts since then."""
    before, after = _clause_around(sentence, mention)
    if _PATTERNS["since"].search(before):
        return _PATTERNS["begins"].search(f"{before} {after}") is None
    clause = f"{before}{after}"
    return _PATTERNS["happened"].search(clause) is not None and _PATTERNS["arranged"].search(clause) is None


def _clause_around(sentence: str, mention: Mention) -> tuple[str, str]:
    """The words of the clause before and after a date."""
    start, stop = mention.start, mention.stop
    before, after = sentence[max(0, start - MAX_CLAUSE_CHARS) : start], sentence[stop : stop + MAX_CLAUSE_CHARS]
    return _CLAUSE_END.split(before)[-1], _CLAUSE_END.split(after)[0]


def _is_bare(sentence: str, mention: Mention) -> bool:
    """Check for a weekday without article or preposition, in a language in which it then is one day."""
    is_bare = _PATTERNS["bare"].search(sentence[mention.start : mention.stop]) is not None
    is_bound = _precedes("bound", sentence, mention) or _PATTERNS["named"].match(sentence, mention.stop)
    return is_bare and not is_bound


def _is_planned(sentence: str, mention: Mention) -> bool:
    """Check whether something is planned for a weekday."""
    if _precedes("planned", sentence, mention):
        return True
    has_time = _PATTERNS["timed"].match(sentence, mention.stop) is not None
    return has_time and len(mention.words) == 1 and not _precedes("article", sentence, mention)


def _is_moved(sentence: str, mention: Mention) -> bool:
    """Check whether an event was moved to a day, which is then ahead."""
    start = max(0, mention.start - MAX_CLAUSE_CHARS)
    if _PATTERNS["moved_to"].search(sentence, start, mention.start):
        return True
    pairs = (("onto", "moved"), ("becomes", "become"))
    return any(
        _PATTERNS[before].search(sentence, start, mention.start) and _PATTERNS[after].match(sentence, mention.stop)
        for before, after in pairs
    )


def _is_day_of_event(sentence: str, mention: Mention) -> bool:
    """Check for the day of an event without its month that is ahead ("a party on the 20th")."""
    if _PATTERNS["counted"].match(sentence, mention.stop) or _PATTERNS["habit"].search(sentence):
        return False
    start = max(0, mention.start - MAX_CONTEXT_CHARS)
    return not _PATTERNS["past"].search(sentence) and bool(_PATTERNS["event"].search(sentence, start, mention.stop))


def _is_habit(sentence: str, mention: Mention) -> bool:
    """Check for a habit; until a weekday, something may happen at intervals ("every 12 hours until Friday")."""
    is_end = _precedes("until", sentence, mention)
    return _PATTERNS["habit"].search(_PATTERNS["interval"].sub("", sentence) if is_end else sentence) is not None


def _precedes(name: str, sentence: str, mention: Mention) -> bool:
    """Check whether one of the patterns matches directly before a mention."""
    return _PATTERNS[name].search(sentence, max(0, mention.start - MAX_WORDS_BEFORE), mention.start) is not None


def _next(sentence: str, mention: Mention, today: date) -> list[Period]:
    first, second = sorted(mention.periods)
    if _PATTERNS["coming"].search(sentence, mention.start, mention.stop):
        return [first]
    if first.start - today == _DAY or _is_other_week(sentence, mention, first, today):
        return [second]
    return [first, second] if _is_this_week(first, today) else [first]


def _nearest(sentence: str, days: list[Period], today: date) -> list[Period]:
    """The last one before today if the sentence is about the past, otherwise the first one after it; none if far."""
    if len(days) == 1 or _PATTERNS["habit"].search(sentence):
        return days[:1] if len(days) == 1 else []
    if _PATTERNS["past"].search(sentence):
        before = [day for day in days if day.start < today and today - day.start < MAX_DISTANCE]
        return before[-1:]
    return [day for day in days if day.start >= today and day.start - today < MAX_DISTANCE][:1]


def _is_this_week(day: Period, today: date) -> bool:
    return day.start.isocalendar()[:2] == today.isocalendar()[:2]


def _is_other_week(sentence: str, mention: Mention, day: Period, today: date) -> bool:
    """Whether a language counts a weekday by weeks: \u4e0b\u5468\u4e94 is Friday of next week, never of this one."""
    return sentence[mention.start] >= "\u3400" and _is_this_week(day, today)


def _unit(mention: Mention) -> str:
    return next(word.value.split()[-1] for word in mention.words if word.code in "UV")
