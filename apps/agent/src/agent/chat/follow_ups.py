"""Messages that are not understood by themselves ("Sorry, I meant Thursday") are stored after what they refer to."""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.store.base import BaseStore, GetOp, SearchItem, SearchOp

from agent.language.facts.extraction import own_statements
from agent.language.grounding.checks import rejection_reason
from agent.language.impersonal.topics import continues_topic
from agent.language.message_analysis import MessageContent
from agent.language.parsing.sentences import QUESTION_MARKS
from agent.language.references.antecedents import (
    Antecedent,
    contains_statement,
    find_antecedent,
    is_about_statement,
    is_elliptical_correction,
)
from agent.language.references.references import asks
from agent.language.references.unnamed_changes import adds_detail
from agent.language.requests.questions import is_search_word
from agent.language.requests.value_requests import with_statements
from agent.language.revision.contradictions import contradicts
from agent.language.revision.value_statements import has_marker
from agent.memory.records import batches, inbox, namespaces
from agent.memory.records.documents import quotes_of, source_messages
from agent.memory.records.inbox import InboxItem
from agent.memory.records.lookup import MAX_READ_ITEMS
from agent.text_process import analyse
from agent.timestamps import parse_timestamp
from agent.types import KINDS, MessageId, UserId

T = TypeVar("T")

logger = logging.getLogger(__name__)

MAX_EARLIER_MESSAGES = 6
MAX_READ = 8
MAX_AGE = timedelta(hours=1)
"""Maximum time between a statement and its correction in another thread."""
READ_SECONDS = 0.2

_NO_STATEMENT = MessageContent(recallable=False, standing=False)

Said = tuple[MessageId, str]
"""An earlier message of the user: its id and its words."""


async def with_antecedent(
    item: InboxItem, thread_messages: Sequence[AnyMessage], store: BaseStore, user: UserId
) -> InboxItem:
    """The item after the statement that it refers to, or the item itself if there is none.

    A single word that answers no question ("diet") looks for something and states nothing, unless it matters for every
    message ("vegan"), and a detail of a question or a remark on the answer to a general one states nothing about the
    user: they are not recalled.

    The statement is in the thread; for a correction that begins a thread, it is the user's last one in any thread. A
    statement that the user has withdrawn or forgotten is not used again.

    Args:
        item: the user's message.
        thread_messages: the messages of the thread before it.
        store: contains the user's memories.
        user: the author.
    """
    if has_marker(item.text):  # a complete statement
        return item
    user_messages = [one for one in thread_messages if isinstance(one, HumanMessage)]
    said = [(MessageId(one.id or ""), with_statements(str(one.text))) for one in user_messages]
    if not said and is_elliptical_correction(item.text):
        said = await _last_said(store, user, item)
        antecedent = _find(item, said, answer="")
        is_corrected = antecedent and antecedent.is_corrected and is_about_statement(item.text, antecedent.statement)
        return await _joined(item, said, antecedent) if antecedent and is_corrected else item
    answer = next((one.text for one in reversed(thread_messages) if isinstance(one, AIMessage)), "")
    said = said[-MAX_EARLIER_MESSAGES:]
    if not _is_asked(answer) and _details_question(item.text, [text for _, text in said]):
        return replace(item, content=_NO_STATEMENT)
    antecedent = _find(item, said, answer=answer)
    if antecedent is None:
        if item.is_standing or _is_asked(answer):
            return item
        previous = said[-1][1] if said else ""
        is_statement = not (is_search_word(item.text) or continues_topic(item.text, previous))
        return item if is_statement else replace(item, content=_NO_STATEMENT)
    is_kept = antecedent.is_role or await _are_remembered(store, user, [said[n] for n in antecedent.positions])
    return await _joined(item, said, antecedent) if is_kept else item


def _find(item: InboxItem, said: Sequence[Said], *, answer: str) -> Antecedent | None:
    antecedent = find_antecedent(item.text, [text for _, text in said], answers_question=_is_asked(answer))
    if antecedent is None or not (antecedent.is_corrected or item.recallable or adds_detail(item.text)):
        return None
    return None if not antecedent.is_role and _names_what_it_changes(item, said, antecedent) else antecedent


def _details_question(text: str, earlier: Sequence[str]) -> bool:
    """Check whether a message only adds a detail to a question or request that states nothing ("in Leeds")."""
    if not adds_detail(text):
        return False
    previous = next((one for one in reversed(earlier) if not adds_detail(one)), "")
    return asks(previous) and not own_statements(previous)


def _is_asked(answer: str) -> bool:
    return answer.rstrip().endswith(QUESTION_MARKS)


def _names_what_it_changes(item: InboxItem, said: Sequence[Said], antecedent: Antecedent) -> bool:
    """Check whether an item makes a statement untrue by itself, so that it is understood without it."""
    if is_elliptical_correction(item.text):
        return False
    return any(contradicts(item.text, said[position][1], stated_at=item.ts) for position in antecedent.positions)


async def _joined(item: InboxItem, said: Sequence[Said], antecedent: Antecedent) -> InboxItem:
    """The item after a statement; the item itself if it states something, and the statement cannot be kept.

    A message that refers to a credential is not kept either ("My PIN is 5521", "actually it's 5512").
    """
    messages = tuple(said[position][0] for position in antecedent.positions)
    text, corrects = antecedent.before(item.text), antecedent.is_corrected
    joined = await inbox.analysed(replace(item, text=text, follows=messages, corrects=corrects))
    if rejection_reason(antecedent.statement) == "credentials":
        return replace(joined, content=_NO_STATEMENT)
    if joined.recallable or not item.recallable:
        return joined
    if antecedent.is_role:
        return replace(joined, content=item.content)  # kept only together with what began the role play
    # Together, the texts may look like something else: "I have two cats; correction: three".
    statement = said[antecedent.positions[0]][1]
    content = await analyse(MessageContent.of, statement, chars=len(statement))
    return replace(joined, content=content) if content.recallable else item


async def _are_remembered(store: BaseStore, user: UserId, said: Sequence[Said]) -> bool:
    """Check whether the inbox or a memory still has each message; False if the store does not answer.

    A memory has its sources, and what these refer to, if its text or a quote still contains the words.
    """
    messages = {message for message, _ in said}
    gets = [GetOp(namespaces.inbox(user), message, refresh_ttl=False) for message in sorted(messages)]
    pending = {item.key for item in await _within_deadline(batches.get(store, gets)) or () if item}
    if messages <= pending:
        return True
    searches = [SearchOp(namespaces.memories(user, kind), limit=MAX_READ_ITEMS, refresh_ttl=False) for kind in KINDS]
    found = [item for items in await _within_deadline(batches.search(store, searches)) or () for item in items]
    values = [item.value for item in found if not messages.isdisjoint(source_messages(item.value, item.key))]
    formed = [text for value in values for text in (value["text"], *quotes_of(value))]
    sources = {message for item in found for message in source_messages(item.value, item.key)}
    return all(
        message in pending | sources or any(contains_statement(one, text) for one in formed) for message, text in said
    )


async def _last_said(store: BaseStore, user: UserId, item: InboxItem) -> list[Said]:
    """The user's last message within `MAX_AGE`, as far as it is remembered; empty if the store does not answer."""
    spaces = (namespaces.inbox(user), namespaces.all_memories(user))
    results = await _within_deadline(batches.search(store, [SearchOp(space, limit=MAX_READ) for space in spaces]))
    now = parse_timestamp(item.ts)
    recent = [one for found in results or () for one in found if now - _stated_at(one) <= MAX_AGE]
    recent = [one for one in recent if item.message not in source_messages(one.value, one.key)]
    if not recent:
        return []
    latest = max(recent, key=_stated_at)
    [message, *_] = source_messages(latest.value, latest.key) or {""}
    same = [one for one in recent if message in source_messages(one.value, one.key)]
    texts = list(dict.fromkeys(text for one in same for text in quotes_of(one.value) or [one.value["text"]]))
    distinct = [one for one in texts if not any(one != other and contains_statement(other, one) for other in texts)]
    return [(MessageId(message), ". ".join(distinct))]


async def _within_deadline(reading: Awaitable[T]) -> T | None:
    """Await a read of the store; None if it fails or takes too long."""
    try:
        async with asyncio.timeout(READ_SECONDS):
            return await reading
    except Exception as error:  # a memory error of any kind must not break an answer
        logger.warning("the statement before a follow-up was not read", exc_info=error)
        return None


def _stated_at(item: SearchItem) -> datetime:
    return parse_timestamp(item.value.get("ts", ""))
