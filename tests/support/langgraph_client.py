"""Clients of the gateway's LangGraph API."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from support.client import ApiClient

Json = dict[str, Any]


def langgraph_client(url: str, user: ApiClient) -> AbstractAsyncContextManager[LangGraphClient]:
    """A client of `langgraph_sdk` that is signed in as the user of another client."""
    return get_client(url=url, headers={"Authorization": f"Bearer {user.token}"}, api_key=None)


def said(text: str, **message: object) -> Json:
    """The input of a run: one message of the user."""
    return {"messages": [{"role": "user", "content": text, **message}]}


async def new_langgraph_thread(sdk: LangGraphClient, **metadata: object) -> str:
    """Create a thread; return its id."""
    return str((await sdk.threads.create(metadata=metadata))["thread_id"])


async def collect(parts: AsyncIterator[Any]) -> list[tuple[str, Any]]:
    """Read a stream to its end; return the names and the data of its events."""
    return [(part.event, part.data) async for part in parts]


def contents(state: Any) -> list[str]:  # noqa: ANN401 - JSON
    """The texts of the messages in the values of a state, or of a thread."""
    return [message["content"] for message in state["values"]["messages"]]
