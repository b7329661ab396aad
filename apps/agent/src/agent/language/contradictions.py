"""Detect memories that a newer memory contradicts, by patterns of attributes with a single value.

The patterns are conservative: a false positive retires a valid memory until the user undoes it, while a false
negative only leaves an outdated memory next to the new one.
"""

import re

from agent.language.parsing import compile_any
from agent.timestamps import parse_timestamp

_PLACE = r"(?P<value>(?:the )?(?-i:[A-Z])[\w'.-]*(?: (?-i:[A-Z])[\w'.-]*){0,3})"
_ASIDE = r"(?:(?:,| (?:since|with|near|again|in|last|this|from|after|these days)\b).*)?"
_HOME = compile_any(rf"(?P<verb>lives|moved(?: back)?(?= to))(?: in| to) {_PLACE}{_ASIDE}")
_SINGLE_VALUED = (
    compile_any(r"wants to be called (?P<value>[\w'.-]+(?: [\w'.-]+)?)(?: instead)?"),
    compile_any(r"is (?P<value>\d{1,3}) years old"),
    compile_any(r"(?:(?:new|current) )?(?:time ?zone) is (?P<value>\S+)"),
    compile_any(r"pronouns are (?P<value>\w+/\w+(?:/\w+)?)"),
    compile_any(r"(?:(?:new|current) )?(?:last name|nickname|surname|employer) is (?P<value>(?-i:[A-Z])[\w'.-]*)"),
)
_PARTIAL = compile_any(
    r"\b(?:and|or|but|sometimes|mostly|half|part|also|temporarily|weekends?|weekdays?|summers?|winters?)\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PAST = compile_any(r"\b(?:ago|as a (?:child|kid|teen\w*|student|baby)|back then|at the time|when i was)\b")

# A place within one of these regions does not contradict it.
_REGIONS = re.compile(
    r"africa|america|asia|australia|austria|bavaria|belgium|brazil|britain|bulgaria|california|canada|chile|china"
    r"|colombia|croatia|denmark|egypt|england|estonia|europe|finland|florida|france|germany|greece|hungary|iceland"
    r"|india|indonesia|iran|iraq|ireland|israel|italy|japan|kenya|korea|latvia|lithuania|malaysia|mexico|morocco"
    r"|netherlands|new zealand|nigeria|north america|norway|pakistan|peru|philippines|poland|portugal|romania|russia"
    r"|scandinavia|scotland|serbia|singapore|slovakia|slovenia|south africa|south america|south korea|spain|sweden"
    r"|switzerland|taiwan|texas|thailand|tunisia|turkey|uk|ukraine|united kingdom|united states|us|usa|vietnam|wales"
)
# Products and companies that people "move to" without living there.
_NOT_PLACES = compile_any(
    r"(?:the )?(?:amazon|android|aws|azure|bing|chrome|debian|discord|django|docker|emacs|excel|facebook|fedora"
    r"|firefox|git\w*|gmail|go|google|i?mac(?:os)?|ios|iphone|java\w*|jira|kotlin|kubernetes|linux|meta|microsoft"
    r"|mysql|netflix|neovim|node|notion|open\w+|outlook|postgres\w*|python|react|ruby|rust|safari|signal|slack|spotify"
    r"|teams|telegram|type\w+|ubuntu|vim|vs ?code|vue|whatsapp|windows|zoom)\b"
)


def supersedes(new: str, old: str, *, stated_at: str) -> bool:
    """Check whether a new memory, stated at an ISO 8601 time, certainly makes an old one untrue.

    Both texts are in the form that the rules extract: "Moved to Paris" supersedes "Lives in Oslo".
    """
    return _changes_home(new, old, stated_at) or _changes_value(new, old) or _negates(new, old) or _negates(old, new)


def _changes_home(new: str, old: str, stated_at: str) -> bool:
    """Check for a different home; a town and a region, which may contain it, count as the same."""
    new_home, old_home = _home(new), _home(old)
    if new_home is None or old_home is None or _is_past(new, stated_at):
        return False
    (new_place, has_moved), (old_place, _) = new_home, old_home
    if new_place.startswith(old_place) or old_place.startswith(new_place):
        return False
    return has_moved or not (_REGIONS.fullmatch(new_place) or _REGIONS.fullmatch(old_place))


def _home(text: str) -> tuple[str, bool] | None:
    match = _HOME.fullmatch(text)
    if match is None or _PARTIAL.search(text):
        return None
    has_moved = match["verb"].lower() != "lives"
    if has_moved and _NOT_PLACES.match(match["value"]):
        return None
    return match["value"].casefold().removeprefix("the "), has_moved


def _is_past(text: str, stated_at: str) -> bool:
    """Check whether a text refers to the past: its latest year is before the year preceding `stated_at`."""
    years = [int(year) for year in _YEAR.findall(text)]
    return bool(_PAST.search(text)) or (bool(years) and max(years) < parse_timestamp(stated_at).year - 1)


def _changes_value(new: str, old: str) -> bool:
    for pattern in _SINGLE_VALUED:
        new_match, old_match = pattern.fullmatch(new), pattern.fullmatch(old)
        if new_match and old_match:
            return new_match["value"].casefold() != old_match["value"].casefold()
    return False


def _negates(text: str, other: str) -> bool:
    """Check whether a text negates the other: "Does not like tea" and "No longer likes tea" negate "Likes tea"."""
    verb, _, rest = other.casefold().partition(" ")
    text = text.casefold()
    if text == f"no longer {verb} {rest}":
        return True
    negation = re.fullmatch(r"does not (\w+) (.+?)(?: any ?(?:more|longer))?", text)
    return negation is not None and rest == negation[2] and verb.startswith(negation[1].rstrip("y"))
