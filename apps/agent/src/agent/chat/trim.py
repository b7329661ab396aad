"""Trimming: fit a thread's messages into the budget of a prompt."""

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage, trim_messages

from agent.language.text_cache import cache_per_user
from agent.models.tokens import count_tokens

MESSAGE_TOKENS = 4
"""Tokens of a message besides its text, for its role and its end."""

MAX_TOKENS_PER_CHAR = 4
"""Upper bound, as a token is at least one byte; it saves counting."""

TRUNCATION_NOTICE = "\n[… cut here: the rest was too long]"
TRUNCATION_PARTS = 64
"""Parts of a text that are counted separately."""
CACHE_SIZE = 4_096
_count_tokens = cache_per_user(CACHE_SIZE)(count_tokens)

TokenCounter = Callable[[Sequence[BaseMessage]], int]
"""Counts the tokens of messages for one model."""


def token_counter(model: str) -> TokenCounter:
    """Create the counter for a model."""
    return partial(_count, model)


def trim(messages: Sequence[AnyMessage], *, max_tokens: int, count: TokenCounter) -> list[AnyMessage]:
    """Remove the oldest messages until the rest fits.

    System messages and the user's last message always remain. Of the tool calls and results after it, the newest
    remain; earlier turns remain only as a whole, and only if the user's last message and everything after it fit. If
    messages are removed, system messages come first. A system or user message that does not fit is truncated.
    The messages must be repaired: each tool call directly followed by its results.
    """
    if _upper_bound(messages) <= max_tokens or count(messages) <= max_tokens:
        return list(messages)
    system, dialogue = split_system(messages)
    system = _truncate_evenly(system, max_tokens // 2, count)
    budget = max_tokens - count(system)
    last_index = max((n for n, message in enumerate(dialogue) if isinstance(message, HumanMessage)), default=-1)
    earlier, last = dialogue[: max(last_index, 0)], dialogue[max(last_index, 0) : last_index + 1]
    later = dialogue[last_index + 1 :]
    is_too_long = count(last) > budget
    last = _truncate_evenly(last, budget, count)
    kept = _newest(later, budget - count(last), count, AIMessage)
    if is_too_long or len(kept) < len(later):
        return [*system, *last, *kept]
    budget -= count(last) + count(kept)
    return [*system, *_newest(earlier, budget, count, HumanMessage), *last, *kept]


def _upper_bound(messages: Sequence[BaseMessage]) -> int:
    return sum(2 * MESSAGE_TOKENS + MAX_TOKENS_PER_CHAR * len(_serialise(message)) for message in messages)


def _newest(
    messages: Sequence[AnyMessage], max_tokens: int, count: TokenCounter, start_on: type[BaseMessage]
) -> list[AnyMessage]:
    """The newest messages that fit, starting with one of a type, so that no result lacks its call."""
    fitting = trim_messages(list(messages), max_tokens=max_tokens, token_counter=count, start_on=start_on)
    return cast("list[AnyMessage]", fitting)


def truncate_message(message: AnyMessage, max_tokens: int, count: TokenCounter) -> AnyMessage:
    """Truncate a message to about a number of tokens, and not to more, with a notice at the end."""
    if count([message]) <= max_tokens:
        return message
    text, part_chars = message.text, 1 + len(message.text) // TRUNCATION_PARTS

    def truncated(chars: int) -> AnyMessage:
        return message.model_copy(update={"content": text[:chars] + TRUNCATION_NOTICE})

    def count_text(start: int, chars: int) -> int:
        return count([HumanMessage(text[start : start + chars])]) - MESSAGE_TOKENS

    # Counting the tokens of a long text takes milliseconds, so each of its parts is counted once.
    kept, rest = 0, max_tokens - count([truncated(0)])
    while kept < len(text) and (tokens := count_text(kept, part_chars)) <= rest:
        kept, rest = kept + part_chars, rest - tokens
    kept += bisect_left(range(1, part_chars), x=True, key=lambda chars: count_text(kept, chars) > rest)
    # The count of a text is not exactly the sum of its parts' counts.
    lengths = range(kept, -1, -part_chars)
    fits = (short for chars in lengths if count([short := truncated(chars)]) <= max_tokens)
    return next(fits, message.model_copy(update={"content": ""}))


def _truncate_evenly(messages: Sequence[AnyMessage], max_tokens: int, count: TokenCounter) -> list[AnyMessage]:
    """Truncate messages that do not fit together, each to an equal share."""
    if count(messages) <= max_tokens:
        return list(messages)
    share = max_tokens // len(messages)
    return [truncate_message(message, share, count) for message in messages]


def split_system(messages: Sequence[AnyMessage]) -> tuple[list[AnyMessage], list[AnyMessage]]:
    """Separate the system messages from all others."""
    system: list[AnyMessage] = [message for message in messages if isinstance(message, SystemMessage)]
    return system, [message for message in messages if not isinstance(message, SystemMessage)]


def _count(model: str, messages: Sequence[BaseMessage]) -> int:
    return sum(MESSAGE_TOKENS + _count_tokens(_serialise(message), model=model) for message in messages)


def _serialise(message: BaseMessage) -> str:
    text = message.content if isinstance(message.content, str) else json.dumps(message.content)
    if isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls):
        return text + json.dumps([*message.tool_calls, *message.invalid_tool_calls])
    return text
