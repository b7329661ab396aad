"""The `openai` SDK for Python, signed in with a personal key of a user."""

import json

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam

from support.client import ApiClient

CHAT = "/v1/chat/completions"
WEATHER: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def say(*texts: str) -> list[ChatCompletionMessageParam]:
    """A conversation in which user and assistant take turns."""
    return [
        {"role": "assistant", "content": text} if n % 2 else {"role": "user", "content": text}
        for n, text in enumerate(texts)
    ]


async def inbox(user: ApiClient) -> list[str]:
    """The texts of the messages that are not yet processed."""
    lines = (await user.http.get("/memories/export")).raise_for_status().text.splitlines()
    return [one["text"] for one in map(json.loads, lines) if one.get("place") == "inbox"]


async def make_sdk(user: ApiClient) -> AsyncOpenAI:
    """The SDK with a new personal key of the client's user."""
    key = (await user.http.post("/me/keys", json={"name": "SDK"})).raise_for_status().json()["key"]
    return AsyncOpenAI(base_url=f"{str(user.http.base_url).rstrip('/')}/v1", api_key=key, max_retries=0)
