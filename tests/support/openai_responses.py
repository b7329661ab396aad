"""`POST /v1/responses`: parse requests and write replies."""

import time
from collections.abc import Iterator

from support.model_script import ToolCall
from support.openai_wire import ChatRequest, Frame, Json, ModelReply, plain_text, sse_frame, validated_schema

PATH = "/v1/responses"


def parse_request(body: Json) -> ChatRequest:
    items = body["input"]
    items = [{"role": "user", "content": items}] if isinstance(items, str) else items
    if body.get("instructions"):
        items = [{"role": "system", "content": body["instructions"]}, *items]
    return ChatRequest(
        model=body["model"],
        messages=[message for item in items if (message := _parse_item(item))],
        json_schema=validated_schema((body.get("text") or {}).get("format", {})),
        stream=bool(body.get("stream")),
        include_usage=True,
    )


def response_body(reply: ModelReply) -> Json:
    output = [_function_call_item(*call) for call in reply.tool_calls] or _text_items(reply)
    if reply.finish_reason in ("stop", ""):
        return _response(reply, "completed", output=output, usage=_usage(reply))
    reason = "max_output_tokens" if reply.finish_reason == "length" else reply.finish_reason
    response = _response(reply, "incomplete", output=output, usage=_usage(reply))
    return {**response, "incomplete_details": {"reason": reason}}


def stream_frames(reply: ModelReply) -> Iterator[Frame]:
    for number, (body, token) in enumerate(_stream_bodies(reply)):
        yield sse_frame({**body, "sequence_number": number}, name=body["type"], token=token)


def _stream_bodies(reply: ModelReply) -> Iterator[tuple[Json, bool]]:
    started = _response(reply, "in_progress", output=[], usage=None)
    yield {"type": "response.created", "response": started}, False
    yield from _call_bodies(reply) if reply.tool_calls else _text_bodies(reply)
    if reply.finish_reason:
        response = response_body(reply)
        yield {"type": f"response.{response['status']}", "response": response}, False


def _text_bodies(reply: ModelReply) -> Iterator[tuple[Json, bool]]:
    *searches, item = _text_items(reply)
    for search in searches:
        yield from _search_bodies(search)
    part, index = item["content"][0], len(searches)
    at = {"item_id": item["id"], "output_index": index, "content_index": 0}
    begun = {**item, "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": index, "item": begun}, False
    yield {"type": "response.content_part.added", **at, "part": {**part, "text": "", "annotations": []}}, False
    for piece in reply.tokens:
        yield {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}, True
    for n, annotation in enumerate(part["annotations"]):
        added = {"annotation_index": n, "annotation": annotation}
        yield {"type": "response.output_text.annotation.added", **at, **added}, False
    yield {"type": "response.output_text.done", **at, "text": reply.text, "logprobs": []}, False
    yield {"type": "response.content_part.done", **at, "part": part}, False
    yield {"type": "response.output_item.done", "output_index": index, "item": item}, False


def _search_bodies(item: Json) -> Iterator[tuple[Json, bool]]:
    at = {"item_id": item["id"], "output_index": 0}
    begun = {**item, "status": "in_progress"}
    yield {"type": "response.output_item.added", "output_index": 0, "item": begun}, False
    for step in ("in_progress", "searching", "completed"):
        yield {"type": f"response.web_search_call.{step}", **at}, False
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}, False


def _call_bodies(reply: ModelReply) -> Iterator[tuple[Json, bool]]:
    for index, (call_id, call) in enumerate(reply.tool_calls):
        item = _function_call_item(call_id, call)
        arguments = item["arguments"]
        at = {"item_id": item["id"], "output_index": index}
        begun = {**item, "status": "in_progress", "arguments": ""}
        yield {"type": "response.output_item.added", "output_index": index, "item": begun}, True
        yield {"type": "response.function_call_arguments.delta", **at, "delta": arguments}, False
        done = {
            "type": "response.function_call_arguments.done",
            "name": call.name,
            "arguments": arguments,
        }
        yield {**done, **at}, False
        yield {"type": "response.output_item.done", "output_index": index, "item": item}, False


def _parse_item(item: Json) -> Json | None:
    match item.get("type", "message"):
        case "message":
            return {"role": item["role"], "content": plain_text(item["content"])}
        case "function_call_output":
            return {"role": "tool", "content": plain_text(item["output"]), "tool_call_id": item["call_id"]}
        case "function_call":
            function = {"name": item["name"], "arguments": item["arguments"]}
            call = {"id": item["call_id"], "type": "function", "function": function}
            return {"role": "assistant", "content": "", "tool_calls": [call]}
        case _:
            return None


def _text_items(reply: ModelReply) -> list[Json]:
    """The message, preceded by the web search that found what it cites."""
    action = {"type": "search", "query": str(reply.request.messages[-1]["content"])}
    search = {"type": "web_search_call", "id": f"ws_{reply.id}", "status": "completed", "action": action}
    return [search, _message_item(reply)] if reply.citations else [_message_item(reply)]


def _message_item(reply: ModelReply) -> Json:
    annotations = [{"type": "url_citation", **citation.as_dict(reply.text)} for citation in reply.citations]
    part = {"type": "output_text", "text": reply.text, "annotations": annotations, "logprobs": []}
    item = {"type": "message", "id": f"msg_{reply.id}", "role": "assistant"}
    return {**item, "status": "completed", "content": [part]}


def _function_call_item(call_id: str, call: ToolCall) -> Json:
    item = {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "status": "completed"}
    return {**item, "name": call.name, "arguments": call.arguments_json}


def _usage(reply: ModelReply) -> Json:
    prompt, completion = reply.token_counts
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": completion,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": prompt + completion,
    }


def _response(reply: ModelReply, status: str, *, output: list[Json], usage: Json | None) -> Json:
    return {
        "id": f"resp_{reply.id}",
        "object": "response",
        "created_at": int(time.time()),
        "status": status,
        "model": reply.request.model,
        "output": output,
        "usage": usage,
        "text": {"format": reply.request.json_schema or {"type": "text"}},
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
