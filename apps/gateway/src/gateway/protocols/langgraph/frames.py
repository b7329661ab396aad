"""Translates the events of a run into the events of LangGraph's streams."""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Any

import agent as api
from agent import LoggedEvent, Message, Position, reply_id
from gateway.problems import problem_of
from gateway.protocols.langgraph.documents import ANSWER_NODE, ASSISTANT_ID, GRAPH_ID, values_json
from gateway.protocols.langgraph.messages import ai_json, chunk_json, human_json, last_chunk_json

Json = dict[str, Any]
Frame = tuple[str, Any]
"""The name and the data of a server-sent event."""

CUSTOM_EVENTS = (api.MemoryRecalled, api.ToolStarted, api.ToolFinished, api.MemoryScheduled)


class Translator:
    """Translates the events of one run, in their order, for one client.

    Args:
        started: the first event of the run.
        modes: the stream modes of the client.
        history: the messages of the thread up to the one that the run answers; needed for `values` only.
    """

    def __init__(self, started: api.RunStarted, modes: Collection[str], history: Sequence[Message]) -> None:
        self._modes = modes
        self._run = started
        self._answer = reply_id(started.run_id)
        self._text = ""
        self._values = values_json(history)["messages"]
        self._metadata = {
            "run_id": started.run_id,
            "thread_id": started.thread_id,
            "graph_id": GRAPH_ID,
            "assistant_id": ASSISTANT_ID,
            "langgraph_node": ANSWER_NODE,
        }

    def translate(self, event: api.Event) -> list[Frame]:
        """The frames of an event, in the order in which they are to be sent."""
        frames: list[Frame] = []
        if isinstance(event, CUSTOM_EVENTS):
            frames.append(("custom", {"type": event.event_name, **event.data()}))
        match event:
            case api.RunStarted():
                frames += self._started()
            case api.Token(text):
                frames += self._token(text)
            case api.ToolStarted() | api.ToolFinished():
                frames += self._tool(event)
            case api.MessageCompleted():
                frames += self._completed(event)
            case api.RunFinished():
                frames.append(("end", None))
            case api.RunFailed(error):
                frames.append(("error", error_json(error)))
        return [frame for frame in frames if self._is_wanted(frame[0])]

    def _is_wanted(self, name: str) -> bool:
        if name.startswith("messages/"):
            return "messages" in self._modes and "messages-tuple" not in self._modes
        if name == "messages":
            return "messages-tuple" in self._modes
        return name in {"metadata", "error", "end"} or name in self._modes

    def _started(self) -> list[Frame]:
        human = human_json(self._run.message_id, self._values[-1]["content"]) if self._values else None
        return [
            ("metadata", {"run_id": self._run.run_id, "thread_id": self._run.thread_id, "attempt": 1}),
            ("events", self._event("on_chain_start", GRAPH_ID, input={"messages": [human] if human else []})),
            ("values", {"messages": list(self._values)}),
        ]

    def _token(self, text: str) -> list[Frame]:
        is_first, self._text = not self._text, self._text + text
        chunk = chunk_json(self._answer, text)
        frames: list[Frame] = [("events", self._event("on_chat_model_stream", ANSWER_NODE, chunk=chunk))]
        if is_first:
            frames.append(("messages/metadata", {self._answer: {"metadata": self._metadata}}))
        frames.append(("messages", [chunk, self._metadata]))
        if "messages" in self._modes:
            frames.append(("messages/partial", [ai_json(self._answer, self._text)]))
        return frames

    def _tool(self, event: api.ToolStarted | api.ToolFinished) -> list[Frame]:
        call: Json = {"toolCallId": event.id, "name": event.name}
        if isinstance(event, api.ToolStarted):
            tool = {"event": "on_tool_start", **call, "input": event.input}
            return [("events", self._event("on_tool_start", event.name, input=event.input)), ("tools", tool)]
        if event.status == "ok":
            tool = {"event": "on_tool_end", **call, "output": event.output}
        else:
            tool = {"event": "on_tool_error", **call, "error": event.output}
        return [("events", self._event("on_tool_end", event.name, output=event.output)), ("tools", tool)]

    def _completed(self, event: api.MessageCompleted) -> list[Frame]:
        answer = ai_json(event.message_id, event.text, finish_reason=event.finish_reason, usage=event.usage)
        self._values = [*self._values, answer]
        last = last_chunk_json(self._answer, event.finish_reason, event.usage)
        return [
            ("events", self._event("on_chain_end", GRAPH_ID, output={"messages": [answer]})),
            ("updates", {ANSWER_NODE: {"messages": [answer]}}),
            ("messages", [last, self._metadata]),
            ("messages/complete", [answer]),
            ("values", {"messages": list(self._values)}),
        ]

    def _event(self, kind: str, name: str, **data: object) -> Json:
        run = {"event": kind, "name": name, "run_id": self._run.run_id, "parent_ids": [], "tags": []}
        return {**run, "metadata": self._metadata, "data": data}


def error_json(error: api.AgentError) -> Json:
    """A failure of a run."""
    problem = problem_of(error)
    return {"error": problem["code"], "message": f"{problem['title']} {problem['detail']}".strip()}


async def frames_of(
    events: AsyncIterator[LoggedEvent],
    make_translator: Callable[[api.RunStarted], Any],
    after: Position | None = None,
) -> AsyncIterator[tuple[Frame, Position | None]]:
    """Translate the events of a run from its start, and yield the frames after a position.

    Yields:
        Each frame with the position after its event; None with all but the last frame of an event, so that a client
        that is cut off between them receives them again.
    """
    translator: Translator | None = None
    async for logged in events:
        if translator is None:
            if not isinstance(logged.event, api.RunStarted):  # the run failed before it started
                yield _unstarted(logged), logged.position
                continue
            translator = await make_translator(logged.event)
        rest = logged.remainder(after) if after else logged
        if rest is not logged:
            _skip(translator, logged, rest)
        if rest is not None:
            frames = translator.translate(rest.event)
            for frame in frames[:-1]:
                yield frame, None
            if frames:
                yield frames[-1], logged.position


def _skip(translator: Translator, logged: LoggedEvent, rest: LoggedEvent | None) -> None:
    """Translate what the client has received already, because later frames depend on it."""
    event = logged.event
    if rest is not None and isinstance(event, api.Token) and isinstance(rest.event, api.Token):
        event = api.Token(event.text.removesuffix(rest.event.text))
    translator.translate(event)


def _unstarted(logged: LoggedEvent) -> Frame:
    if isinstance(logged.event, api.RunFailed):
        return "error", error_json(logged.event.error)
    return "end", None
