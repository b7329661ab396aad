"""Slots: what of a user has one value at a time, told by the form of a memory's text.

Only where the words leave no doubt. A wrong replacement costs the user a memory until they undo it; a missed one, a
stale line beside the new one.
"""

import re

from agent.language.parsing import any_of
from agent.timestamps import parse_timestamp

_PLACE = r"(?P<value>(?:the )?(?-i:[A-Z])[\w'.-]*(?: (?-i:[A-Z])[\w'.-]*){0,3})"
_ASIDE = r"(?:(?:,| (?:since|with|near|again|in|last|this|from|after|these days)\b).*)?"
_HOME = any_of(rf"(?P<verb>lives|moved(?: back)?(?= to))(?: in| to) {_PLACE}{_ASIDE}")
_ALONE = (
    any_of(r"wants to be called (?P<value>[\w'.-]+(?: [\w'.-]+)?)(?: instead)?"),
    any_of(r"is (?P<value>\d{1,3}) years old"),
    any_of(r"(?:(?:new|current) )?(?:time ?zone) is (?P<value>\S+)"),
    any_of(r"pronouns are (?P<value>\w+/\w+(?:/\w+)?)"),
    any_of(r"(?:(?:new|current) )?(?:last name|surname|employer) is (?P<value>(?-i:[A-Z])[\w'.-]*)"),
)
_PARTLY = any_of(
    r"\b(?:and|or|but|sometimes|mostly|half|part|also|temporarily|weekends?|weekdays?|summers?|winters?)\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PAST = any_of(r"\b(?:ago|as a (?:child|kid|teen\w*|student|baby)|back then|at the time|when i was)\b")

# Where people live who live in a town of it, too.
_REGIONS = re.compile(
    r"africa|america|asia|australia|austria|bavaria|belgium|brazil|britain|bulgaria|california|canada|chile|china"
    r"|colombia|croatia|denmark|egypt|england|estonia|europe|finland|florida|france|germany|greece|hungary|iceland"
    r"|india|indonesia|iran|iraq|ireland|israel|italy|japan|kenya|korea|latvia|lithuania|malaysia|mexico|morocco"
    r"|netherlands|new zealand|nigeria|north america|norway|pakistan|peru|philippines|poland|portugal|romania"
    r"|russia|scandinavia|scotland|serbia|singapore|slovakia|slovenia|south africa|south america|south korea|spain"
    r"|sweden|switzerland|taiwan|texas|thailand|tunisia|turkey|uk|ukraine|united kingdom|united states|us|usa"
    r"|vietnam|wales"
)
# What people say they moved to, and do not live in.
_NO_PLACES = any_of(
    r"(?:the )?(?:"
    r"amazon|android|aws|azure|bing|chrome|debian|discord|django|docker|emacs|excel|facebook|fedora|firefox|git\w*"
    r"|gmail|go|google|i?mac(?:os)?|ios|iphone|java\w*|jira|kotlin|kubernetes|linux|meta|microsoft|mysql|netflix"
    r"|neovim|node|notion|open\w+|outlook|postgres\w*|python|react|ruby|rust|safari|signal|slack|spotify|teams"
    r"|telegram|type\w+|ubuntu|vim|vs ?code|vue|whatsapp|windows|zoom"
    r")\b"
)


def supersedes(text: str, known: str, *, said: str) -> bool:
    """Tell whether a new memory leaves a known one untrue beyond doubt.

    Args:
        text: of the new one, as the rules write it ("Moved to Paris").
        known: of the other ("Lives in Oslo").
        said: when the new one was said, ISO-8601.
    """
    return (
        _elsewhere(text, known, said) or _another_value(text, known) or _negates(text, known) or _negates(known, text)
    )


def _elsewhere(text: str, known: str, said: str) -> bool:
    """Tell whether somebody has another home now; a town and the country around it may be one home."""
    now, before = _home(text), _home(known)
    if now is None or before is None or _is_past(text, said):
        return False
    there, here = _place(now), _place(before)
    if there.startswith(here) or here.startswith(there):
        return False
    return now["verb"].lower() != "lives" or not (_REGIONS.fullmatch(there) or _REGIONS.fullmatch(here))


def _home(text: str) -> re.Match[str] | None:
    found = _HOME.fullmatch(text)
    if found is None or _PARTLY.search(text):
        return None
    moved = found["verb"].lower() != "lives"
    return None if moved and _NO_PLACES.match(found["value"]) else found


def _place(home: re.Match[str]) -> str:
    return home["value"].casefold().removeprefix("the ")


def _is_past(text: str, said: str) -> bool:
    """Tell whether a text speaks of years before the one in which it was said, or the one before that."""
    years = [int(year) for year in _YEAR.findall(text)]
    return bool(_PAST.search(text)) or (bool(years) and max(years) < parse_timestamp(said).year - 1)


def _another_value(text: str, known: str) -> bool:
    for form in _ALONE:
        now, before = form.fullmatch(text), form.fullmatch(known)
        if now and before:
            return now["value"].casefold() != before["value"].casefold()
    return False


def _negates(text: str, known: str) -> bool:
    """Tell whether one says of the same thing that it is not so, or no longer: "Does not like tea" of "Likes tea"."""
    verb, _, rest = known.casefold().partition(" ")
    words = text.casefold()
    if words == f"no longer {verb} {rest}":
        return True
    denied = re.fullmatch(r"does not (\w+) (.+?)(?: any ?(?:more|longer))?", words)
    return denied is not None and rest == denied[2] and verb.startswith(denied[1].rstrip("y"))
