"""Recognise new values of attributes of other persons, of which there is one at a time: "Sophie is studying law now".

What the older statement says beside the value ("in Edinburgh", "my best friend") may remain true, so that both belong
together; see `references.relations`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user

MAX_SENTENCE_CHARS = 200
_CHANGED = "_changed"
_PATTERNS = load_patterns("revision/other_persons.toml")
_ATTRIBUTES = ("home", "work", "study", "school", "favourite")
_FORMS = tuple(name for one in _ATTRIBUTES for name in (f"{one}{_CHANGED}", one) if name in _PATTERNS)


class _Value(NamedTuple):
    """The value of an attribute of a person."""

    attribute: str
    value: str
    """Casefolded; empty if only the former one has ended."""
    name: str
    relation: str
    """The words for who the person is, casefolded; empty if only the name is given."""
    is_new: bool

    def is_of_same(self, other: "_Value") -> bool:
        """Check whether both are about the same person, as far as both say it, and the same attribute."""
        if self.attribute != other.attribute:
            return False
        if self.name and other.name:
            return self.name == other.name
        return bool(self.relation) and self.relation == other.relation


def changed_attribute(new: str, old: str) -> tuple[str, str]:
    """The attribute of which a newer text gives another value than an older one, and its person; empty for none."""
    changed = [one for one in _values(new) if one.is_new]
    known = _values(old) if changed else ()
    pairs = ((one, other) for one in changed for other in known if one.is_of_same(other))
    found = ((one.attribute, one.name or one.relation) for one, other in pairs if one.value != other.value)
    return next(found, ("", ""))


def changes_attribute(text: str) -> bool:
    """Check whether a text says that an attribute of another person has a new value."""
    return any(one.is_new for one in _values(text))


@cache_per_user(maxsize=4096)
def _values(text: str) -> tuple[_Value, ...]:
    plain = with_apostrophes(plain_punctuation(split_date_note(text)[0]))
    spans = (plain[start:stop].strip() for start, stop in sentences(plain))
    return tuple(one for sentence in spans for one in _values_in(sentence))


def _values_in(sentence: str) -> Iterator[_Value]:
    if len(sentence) > MAX_SENTENCE_CHARS or sentence.endswith("?"):
        return
    matches = {form: match for form in _FORMS if (match := _PATTERNS[form].search(sentence))}
    subject = _PATTERNS["subject"].match(sentence) if matches else None
    if subject is None or not (subject["name"] or subject["relation"]):
        return
    is_now = _PATTERNS["now"].search(sentence) is not None
    for form, match in matches.items():
        if _PATTERNS["between"].fullmatch(sentence, subject.end(), match.start()) is None:
            continue
        found = match.groupdict()
        value = next((one for name, one in found.items() if name.startswith("value") and one), "")
        thing = next((one for name, one in found.items() if name.startswith("thing") and one), "")
        attribute = f"{form.removesuffix(_CHANGED)}{thing}".casefold()
        relation = " ".join((subject["relation"] or "").casefold().split())
        name = (subject["name"] or "").casefold()
        yield _Value(attribute, value.strip().casefold(), name, relation, is_now or form.endswith(_CHANGED))
