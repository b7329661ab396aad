"""Answers of local models that deform the JSON, or reject its request, and whether they form memories."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from support.openai_wire import BadRequestError
from support.scripted_openai import Message, ScriptedOpenAI, ToolCall

from .formation_script import EMPTY, FORMATION_PROMPT, NEW_MESSAGES, memory_json
from .formation_service import databases, flush, keepsake, new_user, say
from .formation_sets import Row
from .formation_sets import rows as read_rows
from .tip_figures import Outcome, Result, Share

Json = dict[str, Any]

CATEGORY = "technical"
"""Of the model's memories; the rules, which process a message if no answer is usable, choose another one."""
REJECTED_FORMATS: Mapping[str, frozenset[str]] = {
    "no_json_schema": frozenset({"json_schema"}),
    "no_response_format": frozenset({"json_schema", "json_object"}),
}


def _with_memories(output: Json, **changes: object) -> str:
    return json.dumps({**output, "memories": [{**memory, **changes} for memory in output["memories"]]})


def _without_until(output: Json) -> str:
    memories = [{name: value for name, value in one.items() if name != "until"} for one in output["memories"]]
    return json.dumps({**output, "memories": memories})


def _truncated(output: Json) -> str:
    text = json.dumps({"episode": "", "profile": output["profile"], "memories": output["memories"]})
    return text[: text.rindex('"quote"') + 14]


DEFORMATIONS: Mapping[str, Callable[[Json], str]] = {
    "fenced": lambda output: f"```json\n{json.dumps(output, indent=2)}\n```",
    "thought_before": lambda output: (
        f'<think>They keep {{something}}. I need JSON: {{"memories": []}}?</think>\n{json.dumps(output)}'
    ),
    "trailing_comma": lambda output: json.dumps(output, indent=1).replace("\n}", ",\n}").replace("\n  }", ",\n  }"),
    "missing_nullable_field": _without_until,
    "extra_field": lambda output: json.dumps({**json.loads(_with_memories(output, reason="said so")), "notes": []}),
    "single_quotes": str,
    "text_around": lambda output: f"Sure! Here is the JSON:\n\n{json.dumps(output)}\n\nLet me know if you need more.",
    "array_instead_of_object": lambda output: json.dumps(output["memories"]),
    "no_json_schema": json.dumps,
    "no_response_format": json.dumps,
    "stringified_numbers": lambda output: _with_memories(output, confidence="0.95", same_as="null", replaces="null"),
    "nested": lambda output: json.dumps({"name": "ExtractedMemories", "arguments": json.dumps(output)}),
    "truncated": _truncated,
}


class DeformingServer(ScriptedOpenAI):
    """Extracts the memories of the set, and writes them in one way."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self._way = way
        self._rows = [row for _, row in read_rows("deformations") if row["way"] == way]
        self.script.structured, self.script.reply = self._structured, self._answer

    async def _complete(self, request: Request) -> Response:
        response_format = (await request.json()).get("response_format") or {}
        if response_format.get("type") in REJECTED_FORMATS.get(self._way, ()):
            raise BadRequestError(f"response_format of type {response_format['type']} is not supported")
        return await super()._complete(request)

    def _structured(self, messages: Sequence[Message], _: Mapping[str, Any]) -> str:
        return self._write(messages)

    def _answer(self, messages: Sequence[Message]) -> str | Sequence[ToolCall]:
        return self._write(messages) if FORMATION_PROMPT in messages[0]["content"] else "I see."

    def _write(self, messages: Sequence[Message]) -> str:
        new = messages[-1]["content"].rpartition(NEW_MESSAGES)[2]
        row = next((row for row in self._rows if row["message"] in new), None)
        extracted = row["memories"] if row else []
        memories = [memory_json(one["text"], one["quote"]) | {"category": CATEGORY} for one in extracted]
        return DEFORMATIONS[self._way]({**EMPTY, "memories": memories})


async def deformations() -> list[Result]:
    """Whether at least one of the model's memories is stored, for each way and each message."""
    with databases() as new_database:
        found = [await _measure(way, new_database()) for way in DEFORMATIONS]
    outcomes = list(chain.from_iterable(found))
    return [Share("answers typical of local models that form memories", outcomes)]


async def _measure(way: str, database: str) -> list[Outcome]:
    outcomes: list[Outcome] = []
    with DeformingServer(way) as model:
        async with keepsake(model.base_url, DATABASE_URL=database) as url:
            for split, row in read_rows("deformations"):
                if row["way"] == way:
                    result, kept = await _form(url, row)
                    outcomes.append(Outcome(split, bool(kept), f"{way}: {result}"))
    return outcomes


async def _form(url: str, row: Row) -> tuple[Json, list[str]]:
    """The result of formation, and the memories that the model extracted, in its words or in the user's."""
    async with new_user(url) as api:
        await say(api, row["message"])
        result = await flush(api)
        items = (await api.http.get("/memories")).raise_for_status().json()["items"]
    return result, [memory["text"] for memory in items if memory["category"] == CATEGORY]
