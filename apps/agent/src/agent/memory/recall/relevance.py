"""Relevance: which search results concern a message, and in which order."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from langgraph.store.base import SearchItem

from agent.language.grounding.checks import significant_stems
from agent.language.parsing.own_questions import asks_for_own_fact
from agent.language.parsing.sentences import contains_request, is_small_talk, question_share
from agent.language.requests.attributes import asked_attributes, asked_own_attributes, states_asked
from agent.language.requests.questions import is_personal
from agent.language.revision.contradictions import MAX_COMPARED_CHARS, contradicts
from agent.memory.recall.calibration import Calibration
from agent.memory.recall.named_persons import meant_statements
from agent.memory.recall.standing import has_expired, weight
from agent.memory.records.documents import effective_confidence
from agent.store.search import CENTRING, MEAN_SAMPLE_ROWS

NEAR_BEST_RANK, NEAR_BEST_SIMILARITY = 0.4, 0.65
"""Share of the best rank and of the best similarity; every other hit must reach one of them."""
ATTRIBUTE_FACTOR = 2.5
"""How much more a memory counts that states what a question names ("What sports do I do?": "Runs with Ann")."""
EXPIRED_PENALTY = 0.5
QUESTION_PENALTY = 0.5
"""How much less a text counts that only asks: it says little about the user, and often shares the message's words."""


MIN_ANSWERS, ANSWER_FLOOR = 5, 0.25
"""How many memories a question for a fact about the user recalls, because one of them may answer it, and the share of
the minimum rank that they must reach."""


@dataclass(frozen=True, slots=True)
class RankedItem:
    """A search result and its rank for the message."""

    item: SearchItem
    rank: float
    score: float | None
    """The similarity, None if it was found by words alone; a lower weight lowers both."""


def select_relevant(
    results: Sequence[Sequence[SearchItem]],
    message: str,
    calibration: Calibration,
    *,
    limit: int,
    lowered: Mapping[str, float] | None = None,
) -> list[list[RankedItem]]:
    """Select the results that concern a message.

    The minimum depends on the embedding model, on the user's own memories, on the best result, and on whether the
    message concerns the user at all: for general knowledge, a memory must be nearly about the same thing. A pending
    message that corrects a relevant memory is relevant, too, in whatever words ("We broke up").

    Args:
        results: [K][up to a limit] items by kind. Those without a score were found by words alone and are kept.
        message: the user's message.
        calibration: of the embedding model.
        limit: of the search; a kind with as many results or more is taken to be large.
        lowered: by key, factors of the ranks; see `dismissal.weights`.

    Returns:
        [K][up to the limit] items, best first.
    """
    if is_small_talk(message):
        return [[] for _ in results]
    rows = sum(MEAN_SAMPLE_ROWS if len(items) >= limit else len(items) for items in results)
    is_about_user = is_personal(message) or _names_known_thing(message, results)
    is_question_of_user = is_about_user and contains_request(message)
    floor = calibration.floor(personal=is_question_of_user, rows=rows, centring=CENTRING * rows / (rows + 10))
    now = datetime.now(UTC)
    lowered = lowered or {}
    ranked = [[_ranked(item, now, lowered.get(item.key, 1.0)) for item in items] for items in results]
    minimum = _Minimum.of((one for items in ranked for one in items), floor)
    if is_question_of_user and (asked := asked_attributes(message) | asked_own_attributes(message)):
        ranked = [[_raised(one, asked) for one in items] for items in ranked]
    relevant = {one.item.key: one for items in ranked for one in items if minimum.is_reached_by(one)}
    if is_question_of_user and asks_for_own_fact(message):
        relevant |= {one.item.key: one for one in _nearest(ranked, ANSWER_FLOOR * floor)}
    relevant = _with_meant(message, ranked, relevant, is_about_user=is_question_of_user)
    selected = (
        [relevant.get(one.item.key) or _correcting(one, relevant.values()) for one in items] for items in ranked
    )
    return [sorted((one for one in items if one), key=lambda one: -one.rank) for items in selected]


def _names_known_thing(message: str, results: Iterable[Sequence[SearchItem]]) -> bool:
    """Check whether a message and one of the best results have a significant word in common ("the bakery")."""
    named = significant_stems(message)
    best = (items[0].value["text"][:MAX_COMPARED_CHARS] for items in results if items)
    return any(not named.isdisjoint(significant_stems(text)) for text in best)


def _nearest(ranked: Iterable[Iterable[RankedItem]], floor: float) -> list[RankedItem]:
    """The items with the best ranks, of those that reach a floor."""
    similar = [one for items in ranked for one in items if one.rank >= floor]
    return sorted(similar, key=lambda one: -one.rank)[:MIN_ANSWERS]


def _with_meant(
    message: str,
    ranked: Sequence[Sequence[RankedItem]],
    relevant: Mapping[str, RankedItem],
    *,
    is_about_user: bool,
) -> dict[str, RankedItem]:
    """Add what a question for a person or a list means before the other items, without those of other persons."""
    items = sorted((one for each in ranked for one in each), key=lambda one: -one.rank)
    texts = [one.item.value["text"] for one in items]
    meant = meant_statements(message, texts, is_about_user=is_about_user)
    if not meant.statements:
        return dict(relevant)
    others = {items[n].item.key for n in meant.of_others}
    best, last = items[0].rank, len(meant.statements)
    first = [replace(items[n], rank=best + 1 - place / last) for place, n in enumerate(meant.statements)]
    rest = {key: one for key, one in relevant.items() if key not in others}
    return rest | {one.item.key: one for one in first}


def _raised(one: RankedItem, asked: Set[str]) -> RankedItem:
    """An item with a higher rank if it states one of the attributes that a question names."""
    text = one.item.value["text"]
    if one.score is None or len(text) > MAX_COMPARED_CHARS or not states_asked(text, asked):
        return one
    return RankedItem(one.item, one.rank * ATTRIBUTE_FACTOR, one.score * ATTRIBUTE_FACTOR)


def _correcting(one: RankedItem, relevant: Iterable[RankedItem]) -> RankedItem | None:
    """A pending message with the rank of the relevant item that it corrects; None if it corrects none."""
    if one.item.namespace[-1] != "inbox":
        return None
    text, ts = one.item.value["text"], one.item.value["ts"]
    older = (other for other in relevant if (other.item.value.get("last_seen") or other.item.value["ts"]) < ts)
    corrected = (other.rank for other in older if contradicts(text, other.item.value["text"], stated_at=ts))
    rank = max(corrected, default=None)
    return None if rank is None else RankedItem(one.item, rank, one.score)


@dataclass(frozen=True, slots=True)
class _Minimum:
    """What a relevant item reaches: the rank or the similarity."""

    rank: float
    similarity: float

    @classmethod
    def of(cls, ranked: Iterable[RankedItem], floor: float) -> Self:
        """Raise the floor for items that are far from the best of them in rank or in similarity."""
        scored = [(one.rank, one.score) for one in ranked if one.score is not None]
        best_rank = max((rank for rank, _ in scored), default=0.0)
        best_similarity = max((score for _, score in scored), default=0.0)
        return cls(max(floor, NEAR_BEST_RANK * best_rank), max(floor, NEAR_BEST_SIMILARITY * best_similarity))

    def is_reached_by(self, one: RankedItem) -> bool:
        """Check an item. One without a similarity was found by its words and is relevant."""
        return one.score is None or one.rank >= self.rank or one.score >= self.similarity


def _ranked(item: SearchItem, now: datetime, weight_factor: float) -> RankedItem:
    score = None if item.score is None else item.score * weight_factor
    return RankedItem(item, rank_of(item, now) * weight_factor, score)


def rank_of(item: SearchItem, now: datetime) -> float:
    """The fused rank of `ExactPostgresStore` (in other stores, the similarity), lowered for questions and old facts."""
    rank = getattr(item, "rank", item.score)
    value = item.value
    rank = 0.0 if rank is None else rank * (1 - QUESTION_PENALTY * question_share(value["text"][:MAX_COMPARED_CHARS]))
    if "confidence" in value and value.get("type", "user") == "user":
        seen = value.get("last_seen") or value.get("ts", "")
        rank *= (1 + effective_confidence(value["confidence"], seen, now)) / 2
    return rank * EXPIRED_PENALTY if has_expired(value, now.date()) else rank


def by_weight(items: Iterable[SearchItem]) -> list[SearchItem]:
    """Sort by the weight that does not depend on a message."""
    now = datetime.now(UTC)
    return sorted(items, key=lambda item: weight(item.value, now), reverse=True)
