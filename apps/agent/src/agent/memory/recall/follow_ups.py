"""Memories of what a pending message refers to, and therefore repeats; formation will retire them."""

from collections.abc import Iterable
from typing import TypeVar

from langgraph.store.base import Item

from agent.language.facts.extraction import own_statements
from agent.language.references.antecedents import contains_statement
from agent.memory.records.documents import quotes_of, source_messages
from agent.types import FACT_KINDS

T = TypeVar("T", bound=Item)


def without_followed(items: Iterable[T], pending: Iterable[Item]) -> list[T]:
    """The items without those that a pending message repeats; facts remain, unless it corrects them."""
    followers = [one for one in pending if one.value.get("follows")]
    return [item for item in items if not any(_is_repeated(item, one) for one in followers)]


def _is_repeated(item: Item, follower: Item) -> bool:
    sources = source_messages(item.value, item.key)
    if not sources or not sources <= set(follower.value["follows"]):
        return False
    if item.value.get("type") in FACT_KINDS and not follower.value["corrects"]:
        return False
    stated = quotes_of(item.value) or own_statements(item.value["text"])
    return all(contains_statement(follower.value["text"], one) for one in stated)
