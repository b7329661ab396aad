"""The day of a return is later than that of the departure ("we fly on Friday and come back on Monday")."""

from collections.abc import Sequence
from datetime import date, timedelta

from agent.language.dates.periods import Period
from agent.language.dates.resolution import Mention
from agent.language.parsing.sentences import compile_any

MAX_CHARS_BEFORE = 40
_RETURN = compile_any(
    r"\b(?:back|return(?:ing|s)?|home|zurück|heim|retour|reviens|revient|revenons|rentre|rentrons|rentrent|vuelvo"
    r"|vuelve|volvemos|vuelven|vuelta|regreso|regresamos|torno|torna|torniamo|tornano|ritorno|volto|volta|voltamos"
    r"|voltam|regresso|terug)\b[^,;.]{0,20}$",
    r"(?:回来|返回|回程).{0,6}$",
)
_RETURN_AFTER = compile_any(r"[^,;.]{0,12}\b(?:zurück|heim|nach hause|terug|naar huis)\b")


def after_departure(sentence: str, mention: Mention, periods: Sequence[Period], departure: date | None) -> list[Period]:
    """The readings of a weekday; in the first week after a departure if the words beside it speak of a return.

    Args:
        sentence: the sentence with the weekday.
        mention: the weekday, or another date, whose readings remain.
        periods: its readings, as if it were the only date.
        departure: the first date that the sentence names before it; None without one.
    """
    if departure is None or mention.rule != "weekday":
        return list(periods)
    before = sentence[max(0, mention.start - MAX_CHARS_BEFORE) : mention.start]
    is_return = _RETURN.search(before) or _RETURN_AFTER.match(sentence, mention.stop)
    return [_not_before(one, departure) for one in periods] if is_return else list(periods)


def _not_before(period: Period, day: date) -> Period:
    weeks = max(0, -((period.start - day).days // 7))
    return Period(period.start + timedelta(weeks=weeks), period.stop + timedelta(weeks=weeks))
