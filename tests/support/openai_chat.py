"""`POST /v1/chat/completions`: parse requests and write replies."""

import time
from collections.abc import Iterator

from support.model_script import ToolCall
from support.openai_wire import ChatRequest, Frame, Json, ModelReply, plain_text, sse_frame, validated_schema

PATH = "/v1/chat/completions"


def parse_request(body: Json) -> ChatRequest:
    return ChatRequest(
        model=body["model"],
        messages=[{**message, "content": plain_text(message.get("content"))} for message in body["messages"]],
        json_schema=validated_schema((body.get("response_format") or {}).get("json_schema", {})),
        stream=bool(body.get("stream")),
        include_usage=bool((body.get("stream_options") or {}).get("include_usage")),
    )


def response_body(reply: ModelReply) -> Json:
    message: Json = {"role": "assistant", "content": reply.text or None, "refusal": None}
    message["annotations"] = _annotations(reply)
    if reply.tool_calls:
        message["tool_calls"] = [_tool_call(*call) for call in reply.tool_calls]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish_reason(reply)}
    return {**_common_fields(reply, "chat.completion"), "choices": [choice], "usage": _usage(reply)}


def stream_frames(reply: ModelReply) -> Iterator[Frame]:
    head = _common_fields(reply, "chat.completion.chunk")

    def chunk(delta: Json, reason: str | None = None, *, token: bool = False) -> Frame:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return sse_frame({**head, "choices": [choice]}, token=token)

    yield chunk({"role": "assistant", "content": "", "refusal": None})
    for piece in reply.tokens:
        yield chunk({"content": piece}, token=True)
    for index, (call_id, call) in enumerate(reply.tool_calls):
        yield chunk({"tool_calls": [{"index": index, **_tool_call(call_id, call, arguments="")}]}, token=True)
        arguments = {"index": index, "function": {"arguments": call.arguments_json}}
        yield chunk({"tool_calls": [arguments]})
    if reply.citations:
        yield chunk({"annotations": _annotations(reply)})
    if reply.finish_reason:
        yield chunk({}, _finish_reason(reply))
    if reply.request.include_usage:
        yield sse_frame({**head, "choices": [], "usage": _usage(reply)})
    yield Frame("data: [DONE]\n\n")


def _common_fields(reply: ModelReply, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{reply.id}",
        "object": kind,
        "created": int(time.time()),
        "model": reply.request.model,
    }


def _annotations(reply: ModelReply) -> list[Json]:
    return [{"type": "url_citation", "url_citation": citation.as_dict(reply.text)} for citation in reply.citations]


def _finish_reason(reply: ModelReply) -> str:
    return "tool_calls" if reply.tool_calls else reply.finish_reason


def _tool_call(call_id: str, call: ToolCall, arguments: str | None = None) -> Json:
    arguments = call.arguments_json if arguments is None else arguments
    return {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _usage(reply: ModelReply) -> Json:
    prompt, completion = reply.token_counts
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
