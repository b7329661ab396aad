"""What users say, and what is remembered of it."""

from support.client import ApiClient


async def texts(api: ApiClient) -> list[str]:
    """What is remembered, without the final full stops."""
    return [memory["text"].rstrip(".") for memory in await api.memories()]


async def say(api: ApiClient, *messages: str) -> None:
    """Send messages in threads of their own, and form memories after each."""
    for message in messages:
        await api.send(message)
        await api.flush()
