"""The gate: what a candidate memory must pass, whoever proposed it."""

from collections.abc import Iterable

from agent.memory.rules import gives_orders, holds_credentials


def normalised(text: str) -> str:
    """Fold case and white space, and drop a full stop at the end: equal results mean the same memory."""
    return " ".join(text.casefold().split()).rstrip(".")


def refusal(text: str) -> str | None:
    """Return why a text may never be remembered, None when it may."""
    if holds_credentials(text):
        return "credentials"
    if gives_orders(text):
        return "orders"
    return None


def is_quoted(quote: str, messages: Iterable[str]) -> bool:
    """Tell whether a quote stands in one of the user's messages, case and white space folded."""
    wanted = " ".join(quote.casefold().split())
    return bool(wanted) and any(wanted in " ".join(message.casefold().split()) for message in messages)
