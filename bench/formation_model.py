"""A scripted model for all systems: it extracts the facts that the rules find and counts its input."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from agent.language.facts.extraction import extract_from_user
from support.scripted_openai import Message, ModelScript, RecordedRequest, ScriptedOpenAI, ToolCall

CHARS_PER_TOKEN = 4  # approximately true for English; the same for all systems
MAX_FACTS = 3

_RULED = re.compile(r"([\s=_*#-])\1{4,}")


@dataclass
class ModelUsage:
    """Number and size of the requests."""

    calls: int = 0
    prompt_chars: int = 0

    def per_thousand(self, messages: int) -> dict[str, int]:
        """The figures per 1,000 user messages."""
        share = 1000 / messages
        tokens = self.prompt_chars / CHARS_PER_TOKEN
        return {
            "calls": round(self.calls * share),
            "prompt_tokens": round(tokens * share),
            "prompt_tokens_a_call": round(tokens / self.calls) if self.calls else 0,
        }


class CountingModel:
    """A scripted server that is given the new messages, so that it extracts the same facts for every system."""

    def __init__(self) -> None:
        self.new_messages: Sequence[str] = ()
        script = ModelScript(reply=self._reply, structured=self._structured)
        self._server = ScriptedOpenAI(script)

    def __enter__(self) -> "CountingModel":
        self._server.__enter__()
        self.base_url = self._server.base_url
        return self

    def __exit__(self, *exc: Any) -> None:  # noqa: ANN401 (signature of the protocol)
        self._server.__exit__(*exc)

    @contextmanager
    def counting(self) -> Iterator[ModelUsage]:
        """Count the requests of the block."""
        self._server.reset()
        self._server.script.reply, self._server.script.structured = self._reply, self._structured
        counted = ModelUsage()
        yield counted
        asked = [*self._server.chat_requests(), *self._server.structured_requests()]
        counted.calls = len(asked)
        counted.prompt_chars = sum(map(_chars, asked))

    def _structured(self, _: list[Message], __: Mapping[str, Any]) -> dict[str, Any]:
        """Reply to Keepsake's strict extraction."""
        facts = [
            {"text": fact.text, "kind": fact.kind, "category": fact.category, "confidence": fact.confidence}
            | {"quote": fact.quote, "standing": False, "until": None, "same_as": None, "replaces": None}
            for fact in self._facts()
        ]
        nobody = {"work_context": None, "personal_context": None, "top_of_mind": None}
        return {"memories": facts, "profile": nobody, "episode": "User talked." if self.new_messages else ""}

    def _reply(self, messages: list[Message]) -> str | Sequence[ToolCall]:
        """Reply to mem0 with JSON, and to LangMem with tool calls in LangMem's schema or Keepsake's."""
        read = "\n".join(message["content"] for message in messages)
        if "memory subroutine" not in read:
            return json.dumps({"memory": [{"id": str(n), "text": f.text} for n, f in enumerate(self._facts())]})
        if "letter by letter" not in read:
            return [ToolCall("Memory", {"content": fact.text}) for fact in self._facts()]
        return [
            ToolCall(
                "SemanticMemory" if fact.kind == "user" else "ProceduralMemory",
                {"text": fact.text, "category": fact.category, "confidence": fact.confidence, "quote": fact.quote},
            )
            for fact in self._facts()
        ]

    def _facts(self) -> list[Any]:
        return [fact for text in self.new_messages for fact in extract_from_user(text)[:MAX_FACTS]]


def _chars(request: RecordedRequest) -> int:
    """Characters that a model reads: messages, tools and the response format.

    A run of separator characters counts as four characters, because tokenizers encode it as one token.
    """
    words = sum(len(_RULED.sub(r"\1\1\1\1", str(message["content"]))) for message in request.messages)
    arguments = [request.body.get(name) for name in ("tools", "response_format")]
    return words + sum(len(json.dumps(part)) for part in arguments if part)
