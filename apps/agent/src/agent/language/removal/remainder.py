"""What remains true of a text when a newer one makes a part of it untrue."""

from agent.language.removal.extent import contradicted_statements, without_statements
from agent.language.revision.contradictions import MAX_COMPARED_CHARS, contradicts
from agent.language.text_cache import cache_per_user


@cache_per_user(maxsize=16_384)
def remainder(text: str, new: str, *, stated_at: str) -> str:
    """The text without what a newer one, stated at an ISO 8601 time, makes untrue; empty if nothing else is left.

    Of each, the first `MAX_COMPARED_CHARS` are compared.
    """
    if not contradicts(new, text, stated_at=stated_at):
        return text
    return without_statements(text, contradicted_statements(new, text, stated_at=stated_at), new[:MAX_COMPARED_CHARS])
