"""`POST /v1/chat/completions`: what is asked, and how an answer is written."""

import time
from collections.abc import Iterator

from support.openai_wire import Answer, Asked, Frame, Json, checked, event, plain_text
from support.script import ToolCall

PATH = "/v1/chat/completions"


def asked(body: Json) -> Asked:
    return Asked(
        model=body["model"],
        messages=[{**message, "content": plain_text(message.get("content"))} for message in body["messages"]],
        shape=checked((body.get("response_format") or {}).get("json_schema", {})),
        stream=bool(body.get("stream")),
        include_usage=bool((body.get("stream_options") or {}).get("include_usage")),
    )


def whole(answer: Answer) -> Json:
    message: Json = {"role": "assistant", "content": answer.text or None, "refusal": None}
    if answer.calls:
        message["tool_calls"] = [_call(*call) for call in answer.calls]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(answer)}
    return {**_head(answer, "chat.completion"), "choices": [choice], "usage": _usage(answer)}


def frames(answer: Answer) -> Iterator[Frame]:
    head = _head(answer, "chat.completion.chunk")

    def chunk(delta: Json, reason: str | None = None, *, token: bool = False) -> Frame:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return event({**head, "choices": [choice]}, token=token)

    yield chunk({"role": "assistant", "content": "", "refusal": None})
    for piece in answer.tokens:
        yield chunk({"content": piece}, token=True)
    for index, (call_id, call) in enumerate(answer.calls):
        yield chunk({"tool_calls": [{"index": index, **_call(call_id, call, arguments="")}]}, token=True)
        arguments = {"index": index, "function": {"arguments": call.written}}
        yield chunk({"tool_calls": [arguments]})
    yield chunk({}, _reason(answer))
    if answer.asked.include_usage:
        yield event({**head, "choices": [], "usage": _usage(answer)})
    yield Frame("data: [DONE]\n\n")


def _head(answer: Answer, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{answer.id}",
        "object": kind,
        "created": int(time.time()),
        "model": answer.asked.model,
    }


def _reason(answer: Answer) -> str:
    return "tool_calls" if answer.calls else "stop"


def _call(call_id: str, call: ToolCall, arguments: str | None = None) -> Json:
    arguments = call.written if arguments is None else arguments
    return {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _usage(answer: Answer) -> Json:
    asked, said = answer.sizes
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
