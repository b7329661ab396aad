"""An app that uses Keepsake through the OpenAI client: `python examples/openai_client.py`.

Needs `pip install openai`, a running Keepsake (`KEEPSAKE_URL`, by default http://127.0.0.1:8080) and a personal key of
the user (`KEEPSAKE_KEY`). The memory is on the server; the app keeps the conversation, and executes its own function.
"""

import asyncio
import json
import os
from collections.abc import Sequence
from typing import cast

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionMessageParam

OPENING_HOURS = {"monday": "closed", "saturday": "10 to 16"}

TOOL: ChatCompletionFunctionToolParam = {
    "type": "function",
    "function": {
        "name": "opening_hours",
        "description": "When the shop is open on a day of the week.",
        "parameters": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]},
    },
}


async def answer(client: AsyncOpenAI, model: str, message: str) -> str:
    """Answer a message in a conversation of its own, with the function of the app if the model calls it."""
    messages: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": "You answer the customers of a music shop."},
        {"role": "user", "content": message},
    ]
    while True:
        completion = await client.chat.completions.create(model=model, messages=messages, tools=[TOOL])
        reply = completion.choices[0].message
        if not reply.tool_calls:
            return reply.content or ""
        messages.append(cast("ChatCompletionMessageParam", reply.model_dump(exclude_none=True)))
        for call in reply.tool_calls:
            if call.type == "function":
                day = json.loads(call.function.arguments)["day"].lower()
                hours = OPENING_HOURS.get(day, "9 to 18")
                messages.append({"role": "tool", "tool_call_id": call.id, "content": hours})


async def chat(client: AsyncOpenAI, model: str, messages: Sequence[str]) -> list[str]:
    """Send messages, each in a conversation of its own, and return the answers."""
    return [await answer(client, model, message) for message in messages]


async def main() -> None:
    """Tell the app something, and ask for it in another conversation."""
    url = os.environ.get("KEEPSAKE_URL", "http://127.0.0.1:8080")
    async with AsyncOpenAI(base_url=f"{url}/v1", api_key=os.environ["KEEPSAKE_KEY"]) as client:
        model = (await client.models.list()).data[0].id
        messages = ["I play the violin.", "Do I need strings for a violin or for a cello?", "Are you open on Monday?"]
        for text in await chat(client, model, messages):
            print(text)


if __name__ == "__main__":
    asyncio.run(main())
