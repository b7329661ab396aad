"""Count the statements of an attribute of the user that a change concerns without naming its value.

"We've bought a place in Sale" concerns "We're renting in Chorlton", if that is the only statement about a home.
"""

from agent.language.requests.attributes import states_attribute
from agent.language.requests.statement_matching import begins_with_other_person
from agent.language.revision.sole_things import changed_kind, count_things

_ATTRIBUTES = {
    **{name: name for name in ("home", "job", "phone", "instrument", "sport", "language", "car", "school")},
    "salary": "income",
}
"""The attributes whose statements are of a kind of thing; see `revision.sole_things`."""


def changed_attribute_kind(text: str) -> str:
    """The kind of thing that a text changes without its name; empty if there is none, or it is another person's."""
    kind = changed_kind(text)
    return "" if kind in _ATTRIBUTES and begins_with_other_person(text) else kind


def count_stated(kind: str, text: str) -> int:
    """How many things of a kind a statement gives, by its form or by its words."""
    attribute = _ATTRIBUTES.get(kind, "")
    return count_things(kind, text) or int(bool(attribute) and states_attribute(text, attribute))
