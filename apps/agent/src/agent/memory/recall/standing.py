"""Standing memories: what the model needs to know for every message, most important first."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from itertools import chain, zip_longest
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, SearchItem, SearchOp

from agent.language.facts.standing import SAFETY_TOPICS, standing_topic, standing_topics
from agent.language.revision.contradictions import MAX_COMPARED_CHARS
from agent.language.text_cache import cache_per_user
from agent.memory.recall.pending_changes import PendingChanges
from agent.memory.records import batches, namespaces, profile
from agent.memory.records.documents import comes_only_from, effective_confidence, source_messages
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import CURRENT_FIELDS, Profile
from agent.prompt_text import neutralise
from agent.store.operations import UnindexedSearchOp
from agent.text_process import compare
from agent.types import KINDS, Hit, HitKind, UserId

MAX_PENDING = 10
"""Messages that are not yet processed, the latest of which may change memories."""
MAX_STANDING = 200
"""Limit of each search; a user has at most `max_facts` facts, unless they imported more."""


@dataclass(frozen=True, slots=True)
class StandingMemories:
    """The user's standing memories, and the history in their profile."""

    hits: tuple[Hit, ...]
    """The most important first; the current sentences of the profile are last."""
    profile: Profile
    has_changed: bool
    """True if a memory that the prompt already contains was changed, replaced or forgotten."""
    changes: PendingChanges = field(default_factory=PendingChanges)
    """What pending messages make untrue."""
    unindexed: tuple[SearchItem, ...] = ()
    """The pending messages without a vector that were found by their words."""


async def load_standing(  # noqa: PLR0913 - what the prompt contains already, and the time
    store: BaseStore,
    user: UserId,
    *,
    context_messages: Set[str],
    shown: Sequence[Mapping[str, Any]] = (),
    now: datetime | None = None,
    with_pending: bool = True,
    unindexed: Sequence[UnindexedSearchOp] = (),
) -> StandingMemories:
    """Load the standing memories, without those that come only from messages that the model sees anyway.

    Args:
        store: contains the memories.
        user: their owner.
        context_messages: the ids of the thread's messages.
        shown: the memories that the prompt already contains, as in `Hit.as_dict`.
        now: the current time in the user's time zone.
        with_pending: also read pending messages. It takes long to compare long ones with the memories.
        unindexed: a search for pending messages without a vector, to be sent together with the others.
    """
    reads = [profile.get_op(user), *_get_shown(user, shown)]
    results, [document, *read] = await batches.search_and_get(store, [*_searches(user), *unindexed], reads)
    user_profile = Profile.from_value(document.value if document else None)
    pinned, standing, pending, procedural, latest, *found_unindexed = results
    if not with_pending:
        pending, latest = [], []
    found = {item.key: item for item in chain(procedural, pinned, standing) if not item.value.get("reported_by")}
    covered = _sources(found.values())
    found |= {item.key: item for item in pending if item.value["recallable"] and item.key not in covered}
    now = now or datetime.now(UTC)
    changes = PendingChanges.of((*latest, *pending))
    chars = compared_chars((*found.values(), *changes.messages))
    current = await compare(_current, list(found.values()), changes, now.date(), chars=chars)
    # A pending message in the prompt remains valid when it has been processed, as long as its memory is current.
    processed = _sources(current) & {hit["id"] for hit in shown if hit["kind"] == "inbox"}
    expired = found.keys() - {item.key for item in current}
    valid = await compare(changes.apply, [item for item in read if item and item.key not in expired], chars=chars)
    unprocessed = [hit for hit in shown if hit["id"] not in processed]
    has_changed = _have_changed(unprocessed, valid, user_profile)
    seen = context_messages if has_changed else context_messages | processed
    unseen = [item for item in current if not comes_only_from(item.value, item.key, seen)]
    ranked = await compare(_by_priority, unseen, now, chars=chars)
    return StandingMemories(
        hits=(*(to_hit(item, why="standing") for item in ranked), *_profile_hits(user_profile)),
        profile=user_profile,
        has_changed=has_changed,
        changes=changes,
        unindexed=tuple(chain.from_iterable(found_unindexed)),
    )


def _searches(user: UserId) -> list[SearchOp]:
    """Search the memories that are pinned or standing, pending and procedural, and the latest pending messages."""
    filters: Sequence[tuple[Namespace, Mapping[str, Any]]] = (
        (namespaces.all_memories(user), {"pinned": True}),
        (namespaces.all_memories(user), {"standing": True}),
        (namespaces.inbox(user), {"standing": True}),
        (namespaces.memories(user, "procedural"), {}),
    )
    ops = [SearchOp(space, filter=dict(condition), limit=MAX_STANDING) for space, condition in filters]
    return [*ops, SearchOp(namespaces.inbox(user), limit=MAX_PENDING)]


def _sources(items: Iterable[SearchItem]) -> set[str]:
    """The messages that memories come from."""
    memories = (item for item in items if item.namespace[-1] != "inbox")
    return {message for item in memories for message in source_messages(item.value, item.key)}


def _get_shown(user: UserId, shown: Sequence[Mapping[str, Any]]) -> list[GetOp]:
    kinds = {"inbox": namespaces.inbox(user)} | {kind: namespaces.memories(user, kind) for kind in KINDS}
    return [GetOp(kinds[hit["kind"]], hit["id"], refresh_ttl=False) for hit in shown if hit["kind"] in kinds]


def _have_changed(shown: Iterable[Mapping[str, Any]], valid: Iterable[Item], user_profile: Profile) -> bool:
    """Check whether a memory of the prompt is neither among the valid ones with the same text, nor in the profile."""
    texts = {(item.key, neutralise(item.value["text"])) for item in valid}
    return any((hit["id"], hit["text"]) not in texts and not _is_sentence(hit, user_profile) for hit in shown)


def _is_sentence(hit: Mapping[str, Any], user_profile: Profile) -> bool:
    texts = (sentence.text for sentences in user_profile.sentences.values() for sentence in sentences)
    return hit["kind"] == "profile" and any(hit["text"].endswith(neutralise(text)) for text in texts)


def to_hit(item: SearchItem, **changes: Any) -> Hit:  # noqa: ANN401 - the fields of a hit
    """Convert a memory or an inbox item to a hit."""
    value = item.value
    kind: HitKind = "inbox" if item.namespace[-1] == "inbox" else value.get("type", "user")
    hit = Hit(
        item.key,
        kind,
        value["text"],
        item.score,
        value.get("source_thread", ""),
        value.get("ts", ""),
        value.get("last_seen", ""),
        until=value.get("until"),
        pinned=value.get("pinned", False),
        reported_by=value.get("reported_by"),
    )
    return replace(hit, **changes)


def has_expired(value: Mapping[str, Any], today: date) -> bool:
    """Check whether the last day on which a memory holds has passed."""
    return bool(value.get("until")) and value["until"] < today.isoformat()


def weight(value: Mapping[str, Any], now: datetime) -> tuple[float, int, str]:
    """The weight of a memory that does not depend on a message: confidence, confirmations and recency."""
    seen = value.get("last_seen") or value.get("ts", "")
    # Rounded, because it decays all the time: otherwise the confirmations would never decide.
    confidence = round(effective_confidence(value.get("confidence", 0.9), seen, now), 2)
    return confidence, value.get("confirmed", 1), seen


def compared_chars(items: Iterable[SearchItem]) -> int:
    """The length of the pending messages among items, as far as they are compared with others; see `compare`."""
    return sum(min(len(item.value["text"]), MAX_COMPARED_CHARS) for item in items if item.namespace[-1] == "inbox")


def _by_priority(items: Iterable[SearchItem], now: datetime) -> list[SearchItem]:
    return sorted(items, key=lambda item: _priority(item, now), reverse=True)


def _priority(item: SearchItem, now: datetime) -> tuple[Any, ...]:
    text, is_pending = item.value["text"], item.namespace[-1] == "inbox"
    is_safety = _concerns_safety(text[:MAX_COMPARED_CHARS]) if is_pending else standing_topic(text) in SAFETY_TOPICS
    is_procedural = item.namespace[-1] == "procedural"
    return bool(item.value.get("pinned")), is_safety, is_procedural, *weight(item.value, now)


def _current(items: Collection[SearchItem], changes: PendingChanges, today: date) -> list[SearchItem]:
    """Drop memories that have expired, and what pending messages make untrue."""
    return changes.apply(item for item in items if not has_expired(item.value, today))


@cache_per_user(maxsize=1024)
def _concerns_safety(text: str) -> bool:
    return bool(SAFETY_TOPICS & standing_topics(text))


def _profile_hits(user_profile: Profile) -> list[Hit]:
    """The latest sentence of each current field, then the earlier ones."""
    fields = [
        [Hit(name, "profile", sentence.text, None, "", sentence.ts, why="standing") for sentence in reversed(sentences)]
        for name in CURRENT_FIELDS
        if (sentences := user_profile.sentences.get(name))
    ]
    return [hit for latest in zip_longest(*fields) for hit in latest if hit]
