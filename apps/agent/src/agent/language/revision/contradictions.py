"""Detect statements that a newer statement makes untrue, by their form.

The rules are conservative: a false positive retires a valid memory until the user undoes it, while a false negative
only leaves an outdated memory next to the new one.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from agent.language.facts.extraction import extract_from_user, plain_clauses
from agent.language.parsing.sentences import NON_FACTUAL, compile_any, is_first_person, sentences
from agent.language.revision import frames
from agent.language.revision.alignment import is_outdated
from agent.language.revision.attitudes import is_reversed
from agent.language.revision.changes import changes, is_changed
from agent.language.revision.frames import Frame, word_key, word_keys
from agent.language.revision.slots import ANY_VALUE, Claim, bare, claims
from agent.language.text_cache import cache_per_user
from agent.timestamps import parse_timestamp

MAX_COMPARED_CHARS = 2_000

_PARTIAL = compile_any(
    r"\b(?:sometimes|mostly|half|part|temporarily|weekends?|weekdays?|summers?|winters?|second|another"
    r"|side|teilweise|manchmal)\b"
)
_JOINED = compile_any(r"\b(?:and|or|but|also|auch|también|aussi)\b")
_SUBJECT = compile_any(
    r"^(?:(?:so|and|now|finally|recently) )?(?:i|we|my|our)(?:'\w{1,2})?"
    r"(?: (?:have|am|are|just|recently|finally|now)){0,4} "
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PAST = compile_any(r"\b(?:ago|as a (?:child|kid|teen\w*|student|baby)|back then|at the time|when i was)\b")
# After the object of something that has ended: "Drinks coffee every morning", "Has a son called Max".
_HABIT_TAIL = compile_any(
    r"(?:called|named|aged|who|every|each|daily|all|a lot|twice|once|in the|on (?:\w+days?|weekends)|with|at|before"
    r"|after|now and)\b"
)

# A place within one of these regions does not contradict it.
_REGIONS = re.compile(
    r"africa|america|asia|australia|austria|bavaria|belgium|brazil|britain|bulgaria|california|canada|chile|china"
    r"|colombia|croatia|denmark|egypt|england|estonia|europe|finland|florida|france|germany|greece|hungary|iceland"
    r"|india|indonesia|iran|iraq|ireland|israel|italy|japan|kenya|korea|latvia|lithuania|malaysia|mexico|morocco"
    r"|netherlands|new zealand|nigeria|north america|norway|pakistan|peru|philippines|poland|portugal|romania|russia"
    r"|scandinavia|scotland|serbia|singapore|slovakia|slovenia|south africa|south america|south korea|spain|sweden"
    r"|switzerland|taiwan|texas|thailand|tunisia|turkey|uk|ukraine|united kingdom|united states|us|usa|vietnam|wales"
    r"|deutschland|österreich|schweiz|frankreich|spanien|italien|españa|francia|alemania|france|allemagne|espagne"
    r"|m[eé]xico|argentina|suisse|italie|belgique|ontario|quebec|tuscany|andalusia|catalonia|provence|brittany"
)
# Products and companies that people "move to" without living there.
_NOT_PLACES = compile_any(
    r"(?:the )?(?:amazon|android|aws|azure|bing|chrome|debian|discord|django|docker|emacs|excel|facebook|fedora"
    r"|firefox|git\w*|gmail|go|google|i?mac(?:os)?|ios|iphone|java\w*|jira|kotlin|kubernetes|linux|meta|microsoft"
    r"|mysql|netflix|neovim|node|notion|open\w+|outlook|postgres\w*|python|react|ruby|rust|safari|signal|slack|spotify"
    r"|teams|telegram|type\w+|ubuntu|vim|vs ?code|vue|whatsapp|windows|zoom)\b"
)
# Slots that are recognised in the user's own words, also where no fact is extracted from them.
_OWN_SLOTS = {
    "ability", "employer", "home", "job", "major", "relationship", "religion", "salary", "time_zone", "weight",
}  # fmt: skip
_STATUSES = {
    "single": r"single|ledig|solter|célibataire",
    "partnered": r"girlfriend|boyfriend|relationship",
    "engaged": r"engaged|fianc|verlobt|prometid",
    "married": r"married|wife|husband|verheiratet|geheiratet|cas|mari",
    "divorced": r"divorc|decree|got divorced|geschieden|scheiden",
    "separated": r"separat|broke up|split up|getrennt|separ|sépar",
    "widowed": r"widow|verwitwet|viud|veu",
}
_ENDED_BY_STATUS = {
    "single": {"partnered", "engaged", "married"},
    "partnered": {"single"},
    "engaged": {"single", "partnered"},
    "married": {"single", "partnered", "engaged", "divorced", "separated"},
    "divorced": {"married", "engaged"},
    "separated": {"partnered", "engaged", "married"},
    "widowed": {"married"},
}

_EXCLUDED_BY_DIETS = {
    "meat|chicken|beef|pork|lamb|bacon|steak|burger|fleisch": {"vega", "vege", "pesc"},
    "fish|salmon|tuna|seafood|fisch": {"vega", "vege"},
    "cheese|dairy|eggs|milk|butter|yog|käse|eier|milch": {"vega"},
}
"""By foods, the first four letters of the diets without them."""


def supersedes(new: str, old: str, *, stated_at: str) -> bool:
    """Check whether a new statement, made at an ISO 8601 time, certainly makes an old one untrue.

    Both are memories as the rules form them ("Moved to Paris" supersedes "Lives in Oslo"), or statements of users in
    German, Spanish or French.
    """
    pairs = [(one, other) for one in claims(new) for other in claims(old)]
    if not any(_conflict(one, other, is_partial=False) for one, other in pairs) or _is_past(new, stated_at):
        return False
    is_move = any(one.is_change and one.slot == other.slot == "home" for one, other in pairs)
    patterns = (_PARTIAL,) if is_move else (_PARTIAL, _JOINED)
    is_partial = any(pattern.search(text) for pattern in patterns for text in (new, old))
    return not is_partial or any(_conflict(one, other, is_partial=True) for one, other in pairs)


def contradicts(new: str, old: str, *, stated_at: str) -> bool:
    """Check whether a statement in a new text supersedes one in an old text; both are messages or memories.

    Of each, the first `MAX_COMPARED_CHARS` are compared.
    """
    new, old = new[:MAX_COMPARED_CHARS], old[:MAX_COMPARED_CHARS]
    keys = _word_keys(old)
    are_related = not keys.isdisjoint(_frame_keys(new))
    if are_related and any(is_outdated(before, after) for after in _frames(new) for before in _frames(old)):
        return not _is_past(new, stated_at)
    if any(is_changed(change, old) for change in changes(new)) or is_reversed(new, old):
        return not _is_past(new, stated_at)
    newer = _claiming(new)
    if newer.keys is not None and keys.isdisjoint(newer.keys):
        return False
    older = _claiming(old)
    if newer.slots.isdisjoint(older.slots):
        return False
    return any(supersedes(one, other, stated_at=stated_at) for one in newer.statements for other in older.statements)


def contradicted_statements(new: str, old: str, *, stated_at: str) -> list[str]:
    """The sentences of an old text that a new one contradicts; of each, only these clauses, if others remain true."""
    if not contradicts(new, old, stated_at=stated_at):
        return []
    found = []
    for start, stop in sentences(old[:MAX_COMPARED_CHARS]):
        sentence = old[start:stop].strip()
        if sentence and contradicts(new, sentence, stated_at=stated_at):
            parts = [part for part in frames.clauses(sentence) if contradicts(new, part, stated_at=stated_at)]
            found += parts or [sentence]
    return found


@cache_per_user(maxsize=4096)
def _frames(text: str) -> tuple[Frame, ...]:
    return tuple(frames.frames(text))


@cache_per_user(maxsize=4096)
def _word_keys(text: str) -> frozenset[str]:
    return frozenset(word_keys(text))


@cache_per_user(maxsize=4096)
def _frame_keys(text: str) -> frozenset[str]:
    """The keys of the words of which a text about the same contains one; see `frames.word_keys`."""
    return frozenset(word_key(token) for frame in _frames(text) for token in frame.significant)


class _Claiming(NamedTuple):
    """The statements of a text that make claims."""

    statements: tuple[str, ...]
    slots: frozenset[str]
    """The slots of their claims."""
    keys: frozenset[str] | None
    """The keys of the words of which a text that they supersede contains one; None if it need not contain any."""


@cache_per_user(maxsize=4096)
def _claiming(text: str) -> _Claiming:
    made = {one: claims(one) for one in _statements(text)}
    statements = {one: found for one, found in made.items() if found}
    slots = {claim.slot for found in statements.values() for claim in found}
    related = {"name": "called", "does:be": "job"}
    slots |= {other for slot, other in related.items() if slot in slots}
    # An activity concerns only statements about the same thing ("Plays the violin"); other slots have any values.
    values = [bare(claim.value) for found in statements.values() for claim in found if claim.slot.startswith("does:")]
    is_specific = all(values) and len(values) == sum(map(len, statements.values()))
    keys = frozenset(word_keys(" ".join(values))) if is_specific else None
    return _Claiming(tuple(statements), frozenset(slots), keys)


def _statements(text: str) -> Iterator[str]:
    if not is_first_person(text):
        yield text
    yield from (fact.text for fact in extract_from_user(text))
    for clause in plain_clauses(text):
        predicate = _SUBJECT.sub("", clause)
        if predicate == clause:
            yield clause
        elif not NON_FACTUAL.search(clause):
            yield from (one for one in (predicate, clause) if any(claim.slot in _OWN_SLOTS for claim in claims(one)))


def _conflict(new: Claim, old: Claim, *, is_partial: bool) -> bool:
    if new.slot != old.slot:
        is_renamed = (new.slot, old.slot) == ("name", "called") and not _agree(new.value, old.value)
        is_other_job = (new.slot, old.slot) == ("does:be", "job") and old.holds and not new.holds
        return is_renamed or (is_other_job and bare(new.value) == bare(old.value))
    if new.holds and old.holds:
        slot = new.slot.partition(":")[0]
        return not (is_partial and slot != "relationship") and _SINGLE_VALUED.get(slot, _never)(new, old)
    if not new.holds and old.holds:
        return new.value == ANY_VALUE or _ends(new, old)
    return new.holds and not old.holds and bare(new.value) == bare(old.value)


def _ends(new: Claim, old: Claim) -> bool:
    """Check whether a value that has ended is the old one, or the old one with details of the habit."""
    ended, value = bare(new.value), bare(old.value)
    if not ended:
        return not value or new.slot == "does:smok" or bool(_HABIT_TAIL.match(value))
    rest = value.removeprefix(ended)
    return rest == "" or (value.startswith(f"{ended} ") and bool(_HABIT_TAIL.match(rest.strip())))


def _agree(value: str, other: str) -> bool:
    """Check whether two values may be the same: equal, or one with more words ("New York", "New York City")."""
    one, two = bare(value), bare(other)
    return f"{one} ".startswith(f"{two} ") or f"{two} ".startswith(f"{one} ")


def _never(_new: Claim, _old: Claim) -> bool:
    return False


def _differ(new: Claim, old: Claim) -> bool:
    return not _agree(new.value, old.value)


def _differ_by_change(new: Claim, old: Claim) -> bool:
    return new.is_change and _differ(new, old)


def _other_employer(new: Claim, old: Claim) -> bool:
    are_names = new.value[:1].isupper() and old.value[:1].isupper()
    return (new.is_change or are_names) and _differ(new, old)


def _other_home(new: Claim, old: Claim) -> bool:
    """Check for a different home; a town and a region, which may contain it, count as the same."""
    if any(_NOT_PLACES.match(claim.value) for claim in (new, old)):
        return False
    are_regions = _REGIONS.fullmatch(bare(new.value)) or _REGIONS.fullmatch(bare(old.value))
    return _differ(new, old) and (new.is_change or not are_regions)


def _other_diet(new: Claim, old: Claim) -> bool:
    eaten = next((diets for foods, diets in _EXCLUDED_BY_DIETS.items() if re.match(foods, bare(new.value))), None)
    diet = bare(old.value).replace("é", "e")[:4]
    return diet != bare(new.value).replace("é", "e")[:4] if eaten is None else diet in eaten


def _other_status(new: Claim, old: Claim) -> bool:
    return _status(old.value) in _ENDED_BY_STATUS[_status(new.value)]


def _status(value: str) -> str:
    return next(status for status, words in _STATUSES.items() if re.match(words, value, re.IGNORECASE))


def _is_past(text: str, stated_at: str) -> bool:
    """Check whether a text refers to the past: its latest year is before the year preceding `stated_at`."""
    years = [int(year) for year in _YEAR.findall(text)]
    return bool(_PAST.search(text)) or (bool(years) and max(years) < parse_timestamp(stated_at).year - 1)


_SINGLE_VALUED: dict[str, Callable[[Claim, Claim], bool]] = {
    **dict.fromkeys(("name", "called", "surname", "nickname", "age", "favourite", "pronouns", "role"), _differ),
    **dict.fromkeys(("time_zone", "answer_language", "handedness"), _differ),
    **dict.fromkeys(("job", "device", "major", "salary", "weight"), _differ_by_change),
    "home": _other_home,
    "employer": _other_employer,
    "religion": lambda new, old: new.is_change and bare(new.value)[:4] != bare(old.value)[:4],
    "diet": _other_diet,
    "relationship": _other_status,
}
"""By slot, the check whether two values exclude each other."""
