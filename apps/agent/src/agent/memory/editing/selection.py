"""Selection of the memories that a request to forget means: certain ones, or a list to choose from."""

import asyncio
import re
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from langgraph.store.base import BaseStore, Item

from agent.language.facts.standing import standing_topic
from agent.language.grounding.clarification import split_clarification
from agent.language.parsing.lists import list_items
from agent.language.removal.companions import find_companion
from agent.language.requests.attributes import attributes, states_any
from agent.language.requests.clause_subjects import is_antecedent, is_of_another, names_antecedent, refers_to_antecedent
from agent.language.requests.memory_requests import UNCERTAIN, MemoryRequest, memory_requests
from agent.language.requests.statement_matching import (
    MIN_SHARE,
    are_different_people,
    has_same_negation,
    is_same_statement,
    mentions,
    names_other_subject,
    names_several_people,
    share_of_words,
    states,
    uses_as_name,
)
from agent.memory.editing.separation import added_clause, says_more, separate_statements
from agent.memory.records import lookup, namespaces
from agent.memory.records.documents import source_messages, source_threads
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
    thread: str = ""
    """The thread that it comes from; empty if the user entered it."""
    said_at: str = ""
    """The time of the message that it was first stated in."""
    threads: frozenset[str] = frozenset()
    """The threads of all its sources; empty if it is not known to come from one."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a request means; both are not empty only for a topic that some statements share with something else."""

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
    if request.scope == "topic":
        return _select_topic(request.text, statements)
    text = request.text
    statements = [one for one in statements if not is_of_another(one.text, text)]
    certain = _certain(request, statements)
    is_divided = any(_named_item(one, text) != one for one in certain)
    if certain and not is_divided and _is_unambiguous(request, certain, statements):
        return Selection(certain=tuple(certain))
    likely = certain or _ranked(statements, text)
    offered = _offered(_named_item(one, text) for one in (*likely, *_of_attributes(text, statements)))
    is_counted = request.count > 1 and len(offered) == request.count  # "both my jobs"
    return Selection(certain=offered) if is_counted else Selection(offered=offered)


def _select_topic(topic: str, statements: Sequence[Statement]) -> Selection:
    """Select what is only about a topic, and the words for a person in a statement that is complete without them.

    What also says something else is offered.
    """
    about = _with_name(topic, [one for one in statements if mentions(one.text, topic)])
    if are_different_people(topic, (one.text for one in about)):
        return Selection(offered=_offered(about))
    named = {one: _named_item(one, topic) for one in about}
    more = [one for one, item in named.items() if item == one and says_more(one.text, topic)]
    parts = {one: replace(one, text=found.text) for one in more if (found := find_companion(one.text, topic))}
    mixed = [one for one, item in named.items() if item != one or (one in more and one not in parts)]
    certain = [parts.get(one, one) for one in about if one not in mixed]
    start = {one for one in certain if is_antecedent(one.text, topic) and not names_several_people(one.text)}
    same, later = _continued(start, about, statements)
    offered = _offered((*(named[one] for one in mixed), *later))
    if certain or offered:
        return Selection((*certain, *same), offered)
    return Selection(offered=_offered((*_ranked(statements, topic), *_of_attributes(topic, statements))))


def _with_name(topic: str, about: list[Statement]) -> list[Statement]:
    """The statements about a topic; if that is a name, without those with the noun ("Biscuit", "empire biscuits")."""
    names = [one for one in about if re.search(rf"(?<=[^\W\d_.!?] ){re.escape(topic)}\b", one.text)]
    is_name = topic.istitle() and bool(names)
    return [one for one in about if topic in one.text or uses_as_name(one.text, topic)] if is_name else about


def with_continuations(chosen: Sequence[Statement], statements: Sequence[Statement]) -> list[Statement]:
    """Chosen statements, with those of the same messages that go on about their persons and things with a pronoun."""
    texts = {one.text for one in chosen}
    same = {one for one in statements if one.text in texts}
    start = {one for one in same if names_antecedent(one.text) and not names_several_people(one.text)}
    return [*chosen, *_continued(start, same, statements)[0]]


def _continued(
    start: Set[Statement], about: Container[Statement], statements: Sequence[Statement]
) -> tuple[list[Statement], list[Statement]]:
    """The statements that go on with a pronoun about a topic: those of the same messages, and those of later ones.

    Args:
        start: the statements whose topic a pronoun may refer to.
        about: those that name the topic.
        statements: all, in any order.
    """
    same: list[Statement] = []
    later: list[Statement] = []
    latest: dict[str, Statement] = {}
    subjects = set(start)
    for one in sorted(statements, key=lambda one: one.said_at):
        before = latest.get(one.thread or one.id)
        if before in subjects and one not in about and refers_to_antecedent(one.text):
            subjects.add(one)
            is_same = one.id == before.id or (one.messages and one.messages == before.messages)
            (same if is_same else later).append(one)
        latest[one.thread or one.id] = one
    return same, later


def _certain(request: MemoryRequest, statements: Sequence[Statement]) -> list[Statement]:
    """The statements that contain what a request names."""
    text = request.text
    match request.scope:
        case "subject" | "thing":
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
    if scope in {"statement", "words"} and any(is_same_statement(one.text, text) for one in certain):
        return True
    if len(_distinct(certain)) > 1:
        return False
    if scope == "statement":
        return True
    if any(says_more(one.text, text) for one in certain):
        return False
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
    return [_stating_part(one, names) for one in statements if names and states_any(one.text, names)]


def _stating_part(statement: Statement, names: Set[str]) -> Statement:
    """The last clause of a statement if only that is about an attribute ("78 kilos" of "I'm 41, 78 kilos")."""
    added = added_clause(statement.text)
    before = statement.text.removesuffix(added)
    is_part = added and states_any(added, names) and not states_any(before, names)
    return replace(statement, text=added) if is_part else statement


def _offered(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    return tuple(_distinct(statements)[:MAX_OFFERED])


def _ranked(statements: Iterable[Statement], text: str) -> tuple[Statement, ...]:
    shares = {one: share_of_words(one.text, text) for one in statements}
    best = max(shares.values(), default=0.0)  # what contains only a part is not meant if something contains all
    likely = [one for one, share in shares.items() if share >= (best if best == 1 else MIN_SHARE)]
    return _offered(sorted(likely, key=lambda one: -shares[one]))


def _distinct(statements: Iterable[Statement]) -> list[Statement]:
    return list({one.text.casefold(): one for one in reversed(list(statements))}.values())[::-1]


def _statements(item: Item) -> Iterator[Statement]:
    value = item.value
    if item.namespace[-1] not in FACT_KINDS and not value.get("recallable", True):
        return
    last_seen, said_at = value.get("last_seen") or value.get("ts", ""), value.get("ts", "")
    messages, thread = frozenset(source_messages(value, item.key)), value.get("source_thread", "")
    threads = frozenset(source_threads(value))
    asked, said, _ = split_clarification(value["text"])
    texts = separate_statements(said)
    for text in texts if len(texts) > 1 else [f"{asked}{said}"]:
        yield Statement(item.key, text, last_seen, messages, thread, said_at, threads)
