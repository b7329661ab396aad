"""Selection of the memories that a request to forget means: certain ones, or a list to choose from."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from langgraph.store.base import BaseStore, Item

from agent.language.parsing.sentences import sentences
from agent.language.requests.memory_requests import MemoryRequest, memory_requests
from agent.language.requests.statement_matching import (
    MIN_SHARE,
    is_same_statement,
    mentions,
    names_other_subject,
    share_of_words,
    states,
)
from agent.memory.records import lookup, namespaces
from agent.memory.records.documents import source_messages
from agent.types import FACT_KINDS, KINDS, UserId

MAX_OFFERED = 8


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact, or one sentence of an episode or of a message that is not yet processed."""

    id: str
    """Of the memory or message."""
    text: str
    ts: str
    messages: frozenset[str] = frozenset()
    """The messages that it comes from; empty if the user entered it."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a request means; at most one of the two is not empty."""

    certain: tuple[Statement, ...] = ()
    offered: tuple[Statement, ...] = ()
    """What may be meant, most likely first."""


async def load_statements(store: BaseStore, user: UserId) -> list[Statement]:
    """Everything that is remembered about a user, the latest first."""
    spaces = [*(namespaces.memories(user, kind) for kind in KINDS), namespaces.inbox(user)]
    items = [item for space in spaces for item in await lookup.read_all(store, space)]
    statements: list[Statement] = []
    for item in items:
        statements += _statements(item)
        await asyncio.sleep(0)  # other requests, because messages may be long
    return sorted(statements, key=lambda one: one.ts, reverse=True)


def select_words(words: str, statements: Sequence[Statement]) -> Selection:
    """Select what the words after "forget" mean: a statement ("that I live in London"), a topic, or a subject."""
    requests = memory_requests(f"forget {words}") or memory_requests(words)
    for request in [one for one in requests if one.action == "forget"]:
        return select(request, statements)
    equal = [one for one in statements if is_same_statement(one.text, words)]
    return Selection(tuple(equal)) if equal else select(MemoryRequest("forget", "subject", words, (0, 0)), statements)


def select(request: MemoryRequest, statements: Sequence[Statement]) -> Selection:
    """Select what a request means; the scopes `previous` and `all` select nothing."""
    text = request.text
    match request.scope:
        case "topic":
            certain = [one for one in statements if mentions(one.text, text)]
        case "subject":
            certain = [one for one in statements if mentions(one.text, text)]
            if len(_distinct(certain)) > 1 or any(names_other_subject(one.text, text) for one in certain):
                return Selection(offered=_ranked(certain, text))
        case "statement":
            certain = [one for one in statements if is_same_statement(one.text, text)]
            certain = certain or [one for one in statements if states(one.text, text)]
            if len(_distinct(certain)) > 1 and not any(is_same_statement(one.text, text) for one in certain):
                return Selection(offered=_ranked(certain, text))
        case _:
            certain = []
    return Selection(certain=tuple(certain)) if certain else Selection(offered=_ranked(statements, text))


def _ranked(statements: Iterable[Statement], text: str) -> tuple[Statement, ...]:
    shares = {one: share_of_words(one.text, text) for one in statements}
    likely = [one for one, share in shares.items() if share >= MIN_SHARE]
    return tuple(_distinct(sorted(likely, key=lambda one: -shares[one]))[:MAX_OFFERED])


def _distinct(statements: Iterable[Statement]) -> list[Statement]:
    return list({one.text.casefold(): one for one in reversed(list(statements))}.values())[::-1]


def _statements(item: Item) -> Iterator[Statement]:
    text, ts = item.value["text"], item.value.get("last_seen") or item.value.get("ts", "")
    messages = frozenset(source_messages(item.value, item.key))
    if item.namespace[-1] in FACT_KINDS:
        yield Statement(item.key, text, ts, messages)
        return
    if not item.value.get("recallable", True):
        return
    for span in sentences(text):
        if any(map(str.isalnum, sentence := text[slice(*span)].strip())):
            yield Statement(item.key, sentence, ts, messages)
