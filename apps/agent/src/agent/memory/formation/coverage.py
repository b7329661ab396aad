"""Find the statements of a message that no memory contains, so that formation loses none."""

from collections.abc import Iterator, Sequence

from agent.language.authorship.own_words import mask_quoted
from agent.language.dates.resolution import strip_dates
from agent.language.facts.statements import mask_rejected, statement_spans, without_masked
from agent.language.grounding.support import uncovered_stems
from agent.language.parsing.sentences import is_small_talk
from agent.memory.formation.item_words import MAX_SENTENCE_CHARS


def uncovered_statements(text: str, covering: Sequence[str]) -> list[str]:
    """The statements in a message that must be kept verbatim, as texts of limited length; may be empty.

    Args:
        text: the message.
        covering: the texts of memories; a statement whose significant words all occur in them is covered.
    """
    kept_texts = "\n".join(covering)
    has_dates = any(strip_dates(text) != text for text in covering)
    masked = mask_rejected(mask_quoted(text))
    kept = []
    for span in statement_spans(masked):
        statement = without_masked(text, masked, span)
        undated = strip_dates(statement, relative=True) if has_dates else statement
        if statement and not is_small_talk(statement) and uncovered_stems(undated, kept_texts):
            kept.append(statement)
    return list(_join(kept))


def _join(statements: Sequence[str]) -> Iterator[str]:
    """Join statements to texts of at most `MAX_SENTENCE_CHARS`, and split longer ones between words."""
    joined = ""
    for part in (part for statement in statements for part in _split(statement)):
        if joined and len(joined) + len(part) >= MAX_SENTENCE_CHARS:
            yield joined
            joined = ""
        joined = f"{joined} {part}".strip()
    if joined:
        yield joined


def _split(statement: str) -> Iterator[str]:
    while len(statement) > MAX_SENTENCE_CHARS:
        space = statement.rfind(" ", 0, MAX_SENTENCE_CHARS)
        end = space if space > 0 else MAX_SENTENCE_CHARS
        yield statement[:end]
        statement = statement[end:].strip()
    yield statement
