"""Memories that the user asks for explicitly; they pass the same gates as formation."""

from collections.abc import Sequence
from dataclasses import replace

from langgraph.store.base import BaseStore, Item

from agent.errors import InvalidTextError
from agent.language.dates.notes import split_date_note
from agent.language.facts.addressed import is_answer_preference, is_standing_instruction
from agent.language.grounding.checks import is_quoted, normalise, rejection_reason
from agent.language.parsing.sentences import plain_punctuation
from agent.language.references.corrected_values import correct_value
from agent.language.removal.redaction import Redaction
from agent.language.requests.denials import Denial, split_denial
from agent.language.requests.statement_matching import mentions
from agent.language.revision.contradictions import contradicts, supersedes
from agent.memory.records import batches, lookup, namespaces
from agent.memory.records.changes import Change, ChangeSet, commit_change
from agent.memory.records.documents import (
    confirm,
    derived_id,
    document_op,
    from_document,
    quotes_of,
    source_messages,
    to_document,
)
from agent.memory.records.history import Retirement
from agent.text import MAX_MEMORY_CHARS, validate_text
from agent.text_process import analyse
from agent.timestamps import now
from agent.types import KINDS, Category, Kind, Memory, Source, UserId


async def remember_text(  # noqa: PLR0913 - the parts of a memory, and its source message
    store: BaseStore,
    user: UserId,
    kind: Kind,
    text: str,
    source: Source,
    *,
    message_text: str,
    category: Category = "personal",
) -> Memory:
    """Add a fact with the message that asks for it as its source, or confirm the fact with the same words.

    Facts that the new one makes untrue, by their form, move to history.

    Raises:
        InvalidTextError: the text or the quote is rejected; the message states the reason.
    """
    text = validate_text(text, max_chars=MAX_MEMORY_CHARS)
    if not is_quoted(plain_punctuation(source.quote), [plain_punctuation(message_text)]):
        raise InvalidTextError("the quote does not occur in the user's last message")
    if reason := rejection_reason(text) or rejection_reason(source.quote) or _instruction(kind, source.quote):
        raise InvalidTextError(f"this is not kept as a memory ({reason})")
    namespace = namespaces.memories(user, kind)

    async def plan() -> Change[Memory]:
        items = await lookup.read_all(store, namespace)
        same = next((item for item in items if normalise(item.value["text"]) == normalise(text)), None)
        if same is None:
            key = derived_id(user, source.message, normalise(text))
            denial, stated = split_denial(text), text
            outdated: list[Item] = [
                item for item in items if supersedes(denial.affirmed, item.value["text"], stated_at=source.ts)
            ] or await _denied(store, user, denial)
            if any(_repeats_value(denial, item, source) for item in outdated):
                stated = denial.affirmed
            changed = [] if outdated else await _with_other_value(store, user, denial.affirmed)
            if len(changed) == 1:  # of several, it is not certain which one is meant
                [(stated, item)] = changed
                outdated = [item]
            memory = Memory(
                key, kind, stated, source.ts, source.thread, category=category, sources=(source,), last_seen=now()
            )
            return await _add(store, user, memory, outdated)
        memory = from_document(same.key, same.value)
        if source.message in {known.message for known in memory.sources}:
            return Change([], {}, memory)
        confirmed = confirm(memory, source)
        put = document_op(namespace, same.key, same.value | to_document(confirmed))
        return Change([put], batches.read_versions([same]), confirmed)

    return await commit_change(store, plan)


async def _denied(store: BaseStore, user: UserId, denial: Denial) -> list[Item]:
    """The memories that only state what a text denies at its end."""
    if not denial.words:
        return []
    return [item for item in await _own_memories(store, user) if denial.makes_untrue(item.value["text"])]


def _repeats_value(denial: Denial, item: Item, source: Source) -> bool:
    """Check whether a text only denies the value that it replaces ("Lives in York, not in Leeds")."""
    known = item.value["text"]
    return mentions(known, denial.value) and contradicts(denial.affirmed, known, stated_at=source.ts)


async def _own_memories(store: BaseStore, user: UserId) -> list[Item]:
    """The memories of all kinds that no application has reported."""
    items = [item for kind in KINDS for item in await lookup.read_all(store, namespaces.memories(user, kind))]
    return [item for item in items if not item.value.get("reported_by")]


async def _with_other_value(store: BaseStore, user: UserId, text: str) -> list[tuple[str, Item]]:
    """The memories that state the same with another value, each with its text as corrected by `text`."""
    own = await _own_memories(store, user)
    known = [split_date_note(item.value["text"])[0] for item in own]
    corrected = await analyse(_corrected_texts, known, text, chars=sum(map(len, known)))
    return [(one, item) for one, item in zip(corrected, own, strict=True) if one]


def _corrected_texts(known: Sequence[str], text: str) -> list[str]:
    """[len(known)] each text with the value of another one; empty if that gives none for it."""
    return [correct_value(one, text) or "" for one in known]


def _instruction(kind: Kind, quote: str) -> str | None:
    """The reason to refuse words that tell the assistant something else than how to answer the user."""
    if kind == "procedural":
        return None if is_answer_preference(quote) else "instructions"
    return "instructions" if is_standing_instruction(quote) else None


async def _add(store: BaseStore, user: UserId, memory: Memory, outdated: Sequence[Item]) -> Change[Memory]:
    """Plan to add a memory in place of outdated ones; it is pinned if one of them is."""
    memory = replace(memory, pinned=any(item.value.get("pinned") for item in outdated))
    change_set = await ChangeSet.load(store, user)
    for item in outdated:
        retirement = Retirement("user", "replaced", successor=memory.id)
        redaction = Redaction.outdated(
            item.value["text"],
            memory.text,
            quotes=quotes_of(item.value),
            messages=source_messages(item.value, item.key),
        )
        change_set.retire([item], retirement)
        await change_set.redact(redaction, retirement)
    change = change_set.build(memory)
    namespace = namespaces.memories(user, memory.kind)
    put = document_op(namespace, memory.id, to_document(memory))
    return Change([*change.ops, put], {**change.preconditions, (namespace, memory.id): None}, memory)
