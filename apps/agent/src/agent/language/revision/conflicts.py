"""Conflicts between two claims about the same attribute of a user: whether the newer one makes the older one untrue."""

import re
from collections.abc import Callable

from agent.language.parsing.sentences import compile_any
from agent.language.revision.slots import ANY_VALUE, Claim, bare

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
_DIGIT = re.compile(r"\d")
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
"""The first four letters of the diets that exclude foods, by the words for the foods."""


def conflict(new: Claim, old: Claim, *, is_partial: bool) -> bool:
    """Check whether a newer claim certainly makes an older one untrue.

    If one of the statements is partial ("also", "sometimes"), only claims about a relationship exclude each other.
    """
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


def is_excluded_food(new: Claim, old: Claim) -> bool:
    """Check whether a new diet excludes a food that an older claim says is eaten."""
    is_diet = new.slot == "diet" and new.holds and old.slot == "does:eat" and old.holds
    return is_diet and bare(new.value).replace("é", "e")[:4] in (_diets_without(old.value) or set())


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
    """Check for a different home; a town does not differ from a region or a street."""
    if _DIGIT.search(new.value) and not (_DIGIT.search(old.value) or new.is_change):
        return False
    if any(_NOT_PLACES.match(claim.value) for claim in (new, old)):
        return False
    are_regions = _REGIONS.fullmatch(bare(new.value)) or _REGIONS.fullmatch(bare(old.value))
    return _differ(new, old) and (new.is_change or not are_regions)


def _other_diet(new: Claim, old: Claim) -> bool:
    excluding = _diets_without(new.value)
    diet = bare(old.value).replace("é", "e")[:4]
    return diet != bare(new.value).replace("é", "e")[:4] if excluding is None else diet in excluding


def _diets_without(food: str) -> set[str] | None:
    return next((diets for foods, diets in _EXCLUDED_BY_DIETS.items() if re.match(foods, bare(food))), None)


def _other_status(new: Claim, old: Claim) -> bool:
    return _status(old.value) in _ENDED_BY_STATUS[_status(new.value)]


def _status(value: str) -> str:
    return next(status for status, words in _STATUSES.items() if re.match(words, value, re.IGNORECASE))


_SINGLE_VALUED: dict[str, Callable[[Claim, Claim], bool]] = {
    **dict.fromkeys(("name", "called", "surname", "nickname", "age", "favourite", "pronouns", "role"), _differ),
    **dict.fromkeys(("time_zone", "answer_language", "handedness"), _differ),
    **dict.fromkeys(("job", "device", "major", "named", "salary", "weight"), _differ_by_change),
    "home": _other_home,
    "employer": _other_employer,
    "religion": lambda new, old: new.is_change and bare(new.value)[:4] != bare(old.value)[:4],
    "diet": _other_diet,
    "relationship": _other_status,
}
"""The check whether two values exclude each other, by slot."""
