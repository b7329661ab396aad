"""A scripted model that gives the extractions of the sets, and uses tools where a case says so."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from support.scripted_openai import Message, ModelScript, ToolCall

from .formation_sets import Row

Json = dict[str, Any]

NO_PROFILE: Mapping[str, Any] = {"work_context": None, "personal_context": None, "top_of_mind": None}
EMPTY: Mapping[str, Any] = {"memories": [], "profile": NO_PROFILE, "episode": ""}
NEW_MESSAGES = "New messages:"
FORMATION_PROMPT = "You keep the long-term memory"
WEB_CLASSES = frozenset({"web_formation", "web_remember"})


@dataclass
class ScriptedCase:
    """A conversation, and what the model extracts from its new messages."""

    row: Row
    text: str
    until: str | None = None
    said: bool = field(default=False)
    """Whether the new messages were sent; until then, the model extracts nothing."""

    @property
    def messages(self) -> list[str]:
        """The new messages."""
        return list(self.row["messages"])

    @property
    def context(self) -> list[Json]:
        """The messages before them."""
        return list(self.row["context"])

    @property
    def kind(self) -> str:
        """`memory`, `procedural`, `episode`, or `profile:` with a field."""
        return str(self.row["kind"])

    @property
    def category(self) -> str:
        """The class of a misled model's case; empty for others."""
        return str(self.row.get("class", ""))

    def extraction(self) -> Json:
        """The model's output."""
        if self.kind == "episode":
            return {**EMPTY, "episode": self.text}
        if self.kind.startswith("profile:"):
            quoted = (n for n, message in enumerate(self.messages, 1) if self.row["quote"] in message)
            sentence = {"text": self.text, "message": next(quoted, 1)}
            return {**EMPTY, "profile": {**NO_PROFILE, self.kind.partition(":")[2]: sentence}}
        kind = "user" if self.kind == "memory" else self.kind
        return {**EMPTY, "memories": [memory_json(self.text, self.row["quote"], kind=kind, until=self.until)]}

    def matches(self, text: str) -> int:
        """How many characters of the case's user messages the text contains."""
        said = [*self.messages, *(message["text"] for message in self.context if message["role"] == "user")]
        return sum(len(message) for message in said if message in text)


def memory_json(text: str, quote: str, *, kind: str = "user", until: str | None = None) -> Json:
    """A memory as the model writes it."""
    fields = {"category": "preference" if kind == "procedural" else "personal", "confidence": 0.95, "standing": False}
    return {"text": text, "kind": kind, "quote": quote, "until": until, "same_as": None, "replaces": None, **fields}


def is_extraction(schema: Mapping[str, Any]) -> bool:
    """Whether this is the schema of an extraction; otherwise it is that of a summary."""
    return "memories" in schema.get("properties", {})


class CaseScript:
    """Answers for the cases in progress, which are recognised by their messages."""

    def __init__(self) -> None:
        self._cases: list[ScriptedCase] = []

    def install(self, script: ModelScript) -> None:
        """Use this script."""
        script.structured, script.reply = self._extract, self._reply

    @contextmanager
    def playing(self, case: ScriptedCase) -> Iterator[None]:
        """Answer for this case during the block."""
        self._cases.append(case)
        try:
            yield
        finally:
            self._cases.remove(case)

    def _find(self, text: str) -> ScriptedCase | None:
        best = max(list(self._cases), key=lambda case: case.matches(text), default=None)
        return best if best is not None and best.matches(text) else None

    def _extract(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        if not is_extraction(schema):
            return dict.fromkeys(schema.get("properties", {}), "")
        new = messages[-1]["content"].rpartition(NEW_MESSAGES)[2]
        case = self._find(new)
        known = case is not None and case.said and any(message in new for message in case.messages)
        return case.extraction() if case and known else EMPTY

    def _reply(self, messages: Sequence[Message]) -> str | Sequence[ToolCall]:
        asked = max(n for n, message in enumerate(messages) if message["role"] == "user")
        text = messages[asked]["content"]
        case = self._find(text)
        if case is None:
            return "I see."
        if case.category in WEB_CLASSES and text in case.messages:
            return _use_tools(case, sum(message["role"] == "tool" for message in messages[asked:]))
        followed = zip(case.context, case.context[1:], strict=False)
        return next((after["text"] for before, after in followed if before["text"] == text), "I see.")


def _use_tools(case: ScriptedCase, results: int) -> str | Sequence[ToolCall]:
    if results == 0:
        return [ToolCall("web_search", {"query": case.row["quote"]})]
    if results == 1 and case.category == "web_remember":
        kind = "user" if case.kind == "memory" else case.kind
        return [ToolCall("remember", {"text": case.text, "quote": case.row["quote"], "kind": kind})]
    return "Here is what I found."
