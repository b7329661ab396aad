"""Selection of the memories that a request to forget means: certain ones, or a list to choose from."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from langgraph.store.base import BaseStore, Item

from agent.language.facts.standing import standing_topic
from agent.language.parsing.lists import list_items
from agent.language.parsing.sentences import sentences
from agent.language.requests.attributes import attributes, states_any
from agent.language.requests.memory_requests import UNCERTAIN, MemoryRequest, memory_requests
from agent.language.requests.statement_matching import (
    MIN_SHARE,
    are_different_people,
    has_same_negation,
    is_same_statement,
    mentions,
    names_other_subject,
    share_of_words,
    states,
)
from agent.language.revision.frames import separate_clauses
from agent.memory.records import lookup, namespaces
from agent.memory.records.documents import source_messages
from agent.types import FACT_KINDS, KINDS, UserId

MAX_OFFERED = 8


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact, one sentence or separate clause of an episode or of a pending message, or one of the things it lists."""

    id: str
    """Id of the memory or message."""
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
    for request in requests:
        if request.action == "forget" and request.scope not in {*UNCERTAIN, "words"}:
            return select(request, statements)
    return select(MemoryRequest("forget", "words", words, (0, 0)), statements)


def select(request: MemoryRequest, statements: Sequence[Statement]) -> Selection:
    """Select what a request means; the scopes `previous` and `all` select nothing.

    Memories of the attribute that a request names ("my job") are only offered, because their words differ from it. So
    is one of several things that a sentence lists, because the sentence remains without it.
    """
    text = request.text
    certain = _certain(request, statements)
    is_divided = any(_named_item(one, text) != one for one in certain)
    if certain and not is_divided and _is_unambiguous(request, certain, statements):
        return Selection(certain=tuple(certain))
    likely = certain or _ranked(statements, text)
    offered = (_named_item(one, text) for one in (*likely, *_of_attributes(text, statements)))
    return Selection(offered=_offered(offered))


def _certain(request: MemoryRequest, statements: Sequence[Statement]) -> list[Statement]:
    """The statements that contain what a request names."""
    text = request.text
    match request.scope:
        case "topic" | "subject" | "thing":
            return [one for one in statements if mentions(one.text, text)]
        case "words":
            equal = [one for one in statements if is_same_statement(one.text, text)]
            return equal or [one for one in statements if mentions(one.text, text)]
        case "statement":
            equal = [one for one in statements if is_same_statement(one.text, text)]
            return equal or [one for one in statements if states(one.text, text)]
        case _:
            return []


def _is_unambiguous(request: MemoryRequest, certain: Sequence[Statement], statements: Sequence[Statement]) -> bool:
    """Check whether a request can only mean the statements that contain what it names."""
    text, scope = request.text, request.scope
    if scope == "topic":
        return not are_different_people(text, (one.text for one in certain))
    if scope in {"statement", "words"} and any(is_same_statement(one.text, text) for one in certain):
        return True
    if len(_distinct(certain)) > 1:
        return False
    if scope == "statement":
        return True
    others = [one for one in _of_attributes(text, statements) if one not in certain]
    if others or any(names_other_subject(one.text, text) for one in certain):
        return False
    is_risky = any(standing_topic(one.text) or not has_same_negation(one.text, text) for one in certain)
    return scope == "subject" or not is_risky


def _named_item(statement: Statement, text: str) -> Statement:
    """The thing in a list that a request names; the statement itself if it names no single one."""
    items = [item.text for item in list_items(statement.text)]
    shares = [share_of_words(item, text) for item in items]
    best = max(shares, default=0.0)
    if not best or shares.count(best) > 1:
        return statement
    named = items[shares.index(best)]
    is_all_named = all(mentions(text, item) for item in items)
    return statement if is_all_named else replace(statement, text=named)


def _of_attributes(text: str, statements: Sequence[Statement]) -> list[Statement]:
    names = attributes(text)
    return [one for one in statements if names and states_any(one.text, names)]


def _offered(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    return tuple(_distinct(statements)[:MAX_OFFERED])


def _ranked(statements: Iterable[Statement], text: str) -> tuple[Statement, ...]:
    shares = {one: share_of_words(one.text, text) for one in statements}
    likely = [one for one, share in shares.items() if share >= MIN_SHARE]
    return _offered(sorted(likely, key=lambda one: -shares[one]))


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
        for clause in separate_clauses(text[slice(*span)]):
            if any(map(str.isalnum, clause)):
                yield Statement(item.key, clause, ts, messages)
