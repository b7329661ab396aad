"""What pending messages make untrue, repeat or concern, as formation will find it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence, Set
from copy import copy
from dataclasses import dataclass
from typing import Self, TypeVar

from langgraph.store.base import Item, SearchItem

from agent.language.facts.statements import only_own_words
from agent.language.references.antecedents import (
    CORRECTS,
    MAX_STATEMENT_CHARS,
    antecedent_in,
    contains_statement,
    with_statements,
    without_antecedent,
)
from agent.language.references.corrected_values import states_correction, with_corrected_value
from agent.language.references.relations import shared_things, states_change
from agent.language.removal.remainder import remainder
from agent.language.requests.sole_attributes import changed_attribute_kind, count_stated
from agent.language.revision.value_statements import without_marker
from agent.memory.recall.follow_ups import without_followed
from agent.memory.records.documents import source_messages

T = TypeVar("T", bound=Item)


@dataclass(frozen=True, slots=True)
class PendingChanges:
    """The changes that pending messages state."""

    messages: tuple[SearchItem, ...] = ()
    """The earliest first, so that a new one leaves the cached results of those before it valid."""

    @classmethod
    def of(cls, items: Iterable[SearchItem]) -> Self:
        """Read the changes of the inbox items among some items."""
        pending = {item.key: item for item in items if item.namespace[-1] == "inbox" and item.value["recallable"]}
        return cls(tuple(sorted(pending.values(), key=lambda item: str(item.value["ts"]))))

    def apply(self, items: Iterable[T]) -> list[T]:
        """The items without what newer messages make untrue or repeat.

        An item that a message likely concerns also states the message, which is then left out. Items of which nothing
        is left are dropped. Of a message, only the user's own words are left.
        """
        applied = [(item, self._apply_to(item)) for item in without_followed(items, self.messages)]
        result = [item for _, item in applied if item is not None]
        changed = {item.key for before, item in applied if item is not None and item is not before}
        for message in self.messages:
            result = _without_stated(message, result, changed) or _before(message, result)
        return list(map(_own_words_of, result))

    def unscored(self) -> list[SearchItem]:
        """The messages as results of a search that only those which change other results are taken from."""
        return [_with(message, score=0.0) for message in self.messages]

    def _after(self, item: Item) -> Sequence[SearchItem]:
        """The messages that were stated after an item."""
        find = bisect_right if item.namespace[-1] == "inbox" else bisect_left
        return self.messages[find(self.messages, _stated_at(item), key=_stated_at) :]

    def _apply_to(self, item: T) -> T | None:
        text, sources = item.value["text"], source_messages(item.value, item.key)
        for message in self._after(item):
            if text and message.key not in sources:
                text = _without_outdated(text, message)
        if text == item.value["text"]:
            return item
        return _with(item, value={**item.value, "text": text}) if text else None


def is_told(item: Item, text: str) -> bool:
    """Check whether another text of a prompt also states an item: after its antecedent, or as its value."""
    new, is_pending = item.value["text"], item.namespace[-1] == "inbox"
    if new == text:
        return False
    if antecedent_in(text):
        return contains_statement(text, new)
    return is_pending and states_change(new) and states_correction(text, new)


def _without_outdated(text: str, message: SearchItem) -> str:
    """A text without what a message makes untrue, or with the value that it gives; empty if nothing is left."""
    new = message.value["text"]
    rest = remainder(text, new, stated_at=message.value["ts"])
    if rest == text:
        return text
    joined = f"{text}{CORRECTS}{new}"
    corrected = with_corrected_value(joined)
    return rest if corrected == joined else corrected


def _without_stated(message: SearchItem, items: Sequence[T], changed: Set[str]) -> list[T]:
    """The items without a message, if a changed one has its value and it says nothing else; otherwise none."""
    others = (one for one in items if one.key in changed and one.key != message.key)
    old = next((one for one in others if states_correction(one.value["text"], message.value["text"])), None)
    return _replace_both(items, message, old, old.value["text"]) if old else []


def _replace_both(items: Sequence[T], message: SearchItem, old: T, text: str) -> list[T]:
    """The items with one text instead of an item and a message, in the place of the more relevant of the two."""
    first = next(one for one in items if one is old or one.key == message.key)
    both = _with(first, value={**first.value, "text": text})
    return [
        both if one is first else one for one in items if one is first or not (one is old or one.key == message.key)
    ]


def _before(message: SearchItem, items: Sequence[T]) -> list[T]:
    """The items, of which one also states what a message likely concerns; see `formation.related`."""
    before, new = antecedent_in(message.value["text"]), without_antecedent(message.value["text"])
    is_related = bool(before) and bool(shared_things(new, before))
    is_change = states_change(new) or bool(changed_attribute_kind(new))
    if is_related or len(before) + len(new) > MAX_STATEMENT_CHARS or not is_change:
        return list(items)
    earlier = [item for item in items if _may_precede(item, message)]
    old = max(earlier, key=lambda item: len(shared_things(new, item.value["text"])), default=None)
    if old is None or not shared_things(new, old.value["text"]):
        old = _sole(changed_attribute_kind(new), earlier)
    if old is None:
        return list(items)
    statements = filter(None, (old.value["text"], before))
    return _replace_both(items, message, old, with_statements(statements, new))


def _sole(kind: str, earlier: Sequence[T]) -> T | None:
    """The item of the only thing of a kind that the user has; None if there are several."""
    counts = [count_stated(kind, item.value["text"]) if kind else 0 for item in earlier]
    return earlier[counts.index(1)] if sum(counts) == 1 else None


def _may_precede(item: Item, message: Item) -> bool:
    is_short = len(item.value["text"]) <= MAX_STATEMENT_CHARS
    return is_short and message.key not in source_messages(item.value, item.key) and _is_older(item, message)


def _is_older(item: Item, message: Item) -> bool:
    """Check whether an item was stated before a message."""
    stated_at, newer_at = _stated_at(item), _stated_at(message)
    return stated_at < newer_at or (stated_at == newer_at and item.namespace[-1] != "inbox")


def _stated_at(item: Item) -> str:
    return str(item.value.get("last_seen") or item.value.get("ts", ""))


def _own_words_of(item: T) -> T:
    """An item with only the user's own words, in which a corrected value takes the place of the one before it."""
    text = own = item.value["text"]
    if item.namespace[-1] == "inbox":
        new = without_antecedent(text)
        own = text.removesuffix(new) + without_marker(only_own_words(new))
    own = with_corrected_value(own)
    return item if own == text else _with(item, value={**item.value, "text": own})


def _with(item: T, **changes: object) -> T:
    changed = copy(item)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed
