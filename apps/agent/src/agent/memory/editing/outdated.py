"""Find what a message makes untrue, of what it asks to forget ("I moved to York, so forget Leeds")."""

from collections.abc import Sequence

from agent.language.facts.extraction import own_statements
from agent.language.parsing.clause_order import to_main_clause
from agent.language.requests.attributes import states_named
from agent.language.revision.contradictions import contradicts
from agent.memory.editing.selection import Statement


def outdated(
    name: str, statements: Sequence[Statement], remaining: str, remembered: Sequence[str], at: str
) -> list[Statement]:
    """The statements that what a message states, or asks to remember, makes untrue.

    Args:
        name: what the request names ("my address"); another value of it that is to be remembered replaces those known.
        statements: what a request of the message may mean.
        remaining: the message without its requests.
        remembered: what it asks to remember.
        at: the time of the message, in ISO 8601.
    """
    values = [to_main_clause(text) for text in remembered]
    texts = [*own_statements(remaining), *values]
    has_value = any(states_named(text, name) for text in values)
    return [
        one
        for one in statements
        if (has_value and states_named(one.text, name))
        or any(contradicts(text, one.text, stated_at=at) for text in texts)
    ]
