"""What remains true of a text when a newer one makes a part of it untrue."""

from collections.abc import Set
from dataclasses import replace

from agent.language.grounding.checks import normalise
from agent.language.revision.contradictions import MAX_COMPARED_CHARS, contradicts
from agent.language.revision.extent import contradicted_statements
from agent.language.revision.phrases import is_phrase
from agent.language.revision.redaction import Redaction
from agent.language.text_cache import cache_per_user


def exact_redaction(statement: str, new: str, messages: Set[str]) -> Redaction:
    """Remove a statement that a newer text makes untrue, and nothing else from the texts that quote it.

    Args:
        statement: as it is in the texts.
        new: the newer text.
        messages: the sources of the statement.
    """
    redaction = Redaction.outdated(statement, new, quotes=[statement], messages=messages)
    quotes = redaction.quotes | {normalise(statement).rstrip(" .!")}
    return replace(redaction, quotes=quotes, is_exact=True, phrase=statement if is_phrase(statement) else "")


def remainder(text: str, new: str, *, stated_at: str) -> str:
    """The text without what a newer one, stated at an ISO 8601 time, makes untrue; empty if nothing else is left.

    Of each, the first `MAX_COMPARED_CHARS` are compared.
    """
    return _remainder(text, new, stated_at) if contradicts(new, text, stated_at=stated_at) else text


@cache_per_user(maxsize=8192)
def _remainder(text: str, new: str, stated_at: str) -> str:
    messages = frozenset({""})
    for statement in contradicted_statements(new, text, stated_at=stated_at):
        text = exact_redaction(statement, new[:MAX_COMPARED_CHARS], messages).redact(text, messages, is_verbatim=True)
    return text
