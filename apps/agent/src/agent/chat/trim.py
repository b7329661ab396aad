"""Trim: what of a thread the model gets to read, the oldest out first."""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import cast

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage, trim_messages

from agent.models.tokens import count_tokens

MESSAGE_TOKENS = 4
"""What a message costs besides its text: who says it, and where it ends."""

MAX_TOKENS_PER_CHAR = 4
"""Tokens: each is at least a byte, and an estimate is no higher either. To count takes longer than to know that."""

TRUNCATION_NOTICE = "\n[… cut here: the rest was too long]"
CACHE_SIZE = 4_096

TokenCounter = Callable[[Sequence[BaseMessage]], int]
"""Tells how many tokens messages have, for one model."""


def token_counter(model: str) -> TokenCounter:
    """Return what counts the tokens of messages as a model does."""
    return partial(_tokens, model)


def trim(messages: Sequence[AnyMessage], *, max_tokens: int, count: TokenCounter) -> list[AnyMessage]:
    """Return what fits: the system messages, and the newest of the rest.

    At least the user's last message stays. Of what follows it (calls of tools and their results) the newest stay; of
    what stands before it whole turns do, if all that follows it fits. Nothing is reordered but the system messages,
    which come first where anything falls out. A text that does not fit by itself is cut, and says so.

    Args:
        messages: whole ones: the results of a call right behind it, as `repaired` leaves them.
        max_tokens: of all that is returned.
        count: tells how many tokens messages have.
    """
    if _max_tokens(messages) <= max_tokens or count(messages) <= max_tokens:
        return list(messages)
    system, said = _split_system(messages)
    system = _truncate_evenly(system, max_tokens // 2, count)
    room = max_tokens - count(system)
    asked = max((n for n, message in enumerate(said) if isinstance(message, HumanMessage)), default=-1)
    before, last, since = said[: max(asked, 0)], said[max(asked, 0) : asked + 1], said[asked + 1 :]
    last = _truncate_evenly(last, room, count)
    kept = _newest(since, room - count(last), count, AIMessage)
    if len(kept) < len(since):
        return [*system, *last, *kept]
    room -= count(last) + count(kept)
    return [*system, *_newest(before, room, count, HumanMessage), *last, *kept]


def _max_tokens(messages: Sequence[BaseMessage]) -> int:
    return sum(2 * MESSAGE_TOKENS + MAX_TOKENS_PER_CHAR * len(_serialise(message)) for message in messages)


def _newest(
    messages: Sequence[AnyMessage], max_tokens: int, count: TokenCounter, start_on: type[BaseMessage]
) -> list[AnyMessage]:
    """Return the newest messages that fit, from one of a kind on: so no result is left without its call."""
    fitting = trim_messages(list(messages), max_tokens=max_tokens, token_counter=count, start_on=start_on)
    return cast("list[AnyMessage]", fitting)


def truncate_message(message: AnyMessage, max_tokens: int, count: TokenCounter) -> AnyMessage:
    """Return a message of at most so many tokens, which says where it was cut."""
    if count([message]) <= max_tokens:
        return message
    text = message.text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count([_with(message, text[:middle])]) <= max_tokens else (low, middle - 1)
    shortest = _with(message, text[:low])
    return shortest if count([shortest]) <= max_tokens else message.model_copy(update={"content": ""})


def _with(message: AnyMessage, text: str) -> AnyMessage:
    return message.model_copy(update={"content": text + TRUNCATION_NOTICE})


def _truncate_evenly(messages: Sequence[AnyMessage], max_tokens: int, count: TokenCounter) -> list[AnyMessage]:
    """Cut messages until all of them fit, each to an equal share at most."""
    if count(messages) <= max_tokens:
        return list(messages)
    share = max_tokens // len(messages)
    return [truncate_message(message, share, count) for message in messages]


def _split_system(messages: Sequence[AnyMessage]) -> tuple[list[AnyMessage], list[AnyMessage]]:
    system: list[AnyMessage] = [message for message in messages if isinstance(message, SystemMessage)]
    return system, [message for message in messages if not isinstance(message, SystemMessage)]


def _tokens(model: str, messages: Sequence[BaseMessage]) -> int:
    return sum(MESSAGE_TOKENS + _text_tokens(model, _serialise(message)) for message in messages)


def _serialise(message: BaseMessage) -> str:
    """Return what a model is sent of a message, about."""
    text = message.content if isinstance(message.content, str) else json.dumps(message.content)
    if isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls):
        return text + json.dumps([*message.tool_calls, *message.invalid_tool_calls])
    return text


@lru_cache(CACHE_SIZE)
def _text_tokens(model: str, text: str) -> int:
    return count_tokens(text, model=model)
