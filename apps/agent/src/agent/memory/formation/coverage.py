"""Find the statements of a message that no memory contains, so that formation loses none."""

from collections.abc import Iterator, Sequence

from agent.language.authorship.framing import Framing
from agent.language.dates.resolution import strip_dates
from agent.language.facts.statements import framed_text, mask_unusable, statement_spans, without_masked
from agent.language.facts.text_tasks import without_text_task
from agent.language.grounding.pronouns import refers_back
from agent.language.grounding.support import is_about_assistant, uncovered_stems
from agent.language.parsing.openers import blank_openers
from agent.language.parsing.sentences import Span, is_small_talk
from agent.language.revision.name_corrections import name_corrections
from agent.language.words.verbless import is_fragment
from agent.memory.formation.item_words import MAX_SENTENCE_CHARS
from agent.memory.records.inbox import InboxItem


def uncovered_statements(text: str, covering: Sequence[str]) -> list[str]:
    """The statements in a message that must be kept verbatim, as texts of limited length; may be empty.

    One that refers to the statement before it, or has no verb, is kept together with that ("We got a puppy. His name is
    Biscuit").

    Args:
        text: the message.
        covering: the texts of memories; a statement whose significant words all occur in them is covered.
    """
    kept_texts = "\n".join([*covering, *_corrected_names(text, covering)])
    has_dates = any(strip_dates(text) != text for text in covering)
    masked = mask_unusable(blank_openers(text))
    spans: list[Span] = []
    before: list[Span] = []  # covered statements that the next one may refer to
    for span in statement_spans(masked):
        statement = without_masked(text, masked, span)
        if not statement or is_small_talk(statement) or is_about_assistant(statement):
            continue
        before = [*before, span] if refers_back(statement) or is_fragment(statement) else [span]
        undated = strip_dates(statement, relative=True) if has_dates else ""
        if uncovered_stems(undated if uncovered_stems(undated, "") else statement, kept_texts):
            spans += before
            before = []
    return list(_join(_texts(text, masked, spans)))


def uncovered_texts(item: InboxItem, covering: Sequence[str]) -> list[str]:
    """The statements of an item that must be kept; one that is not understood by itself follows the one before it."""
    if item.is_remark:
        return []
    if not item.follows:
        return uncovered_statements(item.text, covering)
    kept_texts = "\n".join([*covering, *_corrected_names(item.own_text, covering)])
    is_uncovered = item.recallable and uncovered_stems(item.own_text, kept_texts)
    before = item.text.removesuffix(item.own_text)
    return list(_split(before + without_text_task(item.own_text))) if is_uncovered else []


def _corrected_names(text: str, covering: Sequence[str]) -> list[str]:
    """The wrong names in a text that corrects them, if a memory has the right one ("it's Mitzi, not Mitsi")."""
    corrections = (one for one in name_corrections(text) if any(one.right in memory for memory in covering))
    return [one.contrast.wrong for one in corrections if one.contrast and one.contrast.wrong[0].isupper()]


def _texts(text: str, masked: str, spans: Sequence[Span]) -> list[str]:
    """The statements of a message; one that may be invented is kept together with what frames it."""
    framing = Framing.of(masked)
    if framing.frame and spans:
        start, stop = min(framing.frame[0], spans[0][0]), max(framing.frame[1], spans[-1][1])
        if stop - start <= MAX_SENTENCE_CHARS:
            return [without_masked(text, masked, (start, stop))]
        return [framed_text(text, masked, span, framing.frame, MAX_SENTENCE_CHARS) for span in spans]
    return [without_masked(text, masked, span) for span in spans]


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
