"""Validation of real HTTP traffic against the OpenAPI document."""

import copy
import json
import re
from typing import Any

import httpx
import jsonschema_rs
from httpx_sse import aconnect_sse

Json = dict[str, Any]


class OpenApiValidator:
    """Checks responses, as a hook of an HTTP client, and records the operations and statuses that it has seen."""

    def __init__(self, document: Json) -> None:
        self.operations: dict[str, Json] = {
            operation["operationId"]: operation | {"method": method.upper(), "path": _pattern(path)}
            for path, operations in sorted(document["paths"].items(), key=lambda item: "{" in item[0])
            for method, operation in operations.items()
        }
        self.components = _without_unknown_members(document["components"])
        self.seen: set[tuple[str, str]] = set()

    async def check_response(self, response: httpx.Response) -> None:
        operation = self._operation(response.request)
        status, description = str(response.status_code), operation["responses"].get(str(response.status_code))
        assert description, f"{operation['operationId']} has no response {status}"
        self.seen.add((operation["operationId"], status))
        if "content" not in description:
            return
        media_type = response.headers["content-type"].partition(";")[0]
        schema = description["content"][media_type]["schema"]
        if media_type in {"application/json", "application/problem+json"}:
            self.validate(schema, json.loads(await response.aread()))

    def validate(self, schema: Json, instance: object) -> None:
        jsonschema_rs.validate({**schema, "components": self.components}, instance)

    def missing_successes(self) -> set[tuple[str, str]]:
        """Documented successful responses that were not seen."""
        documented = {(name, status) for name, one in self.operations.items() for status in one["responses"]}
        return {(name, status) for name, status in documented - self.seen if status.startswith("2")}

    def _operation(self, request: httpx.Request) -> Json:
        for operation in self.operations.values():
            if operation["method"] == request.method and operation["path"].fullmatch(request.url.path):
                return operation
        raise AssertionError(f"{request.method} {request.url.path} is not documented")


async def stream_events(http: httpx.AsyncClient, method: str, path: str, **request: object) -> list[Json]:
    """Read a reply stream; each event as the schema `ReplyEvent` describes it."""
    async with aconnect_sse(http, method, path, **request) as source:
        return [
            {"id": event.id, "event": event.event, "data": json.loads(event.data)} async for event in source.aiter_sse()
        ]


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


def _without_unknown_members(components: Json) -> Json:
    """Reject members that the schemas do not mention, so that a new one must be documented."""
    strict = copy.deepcopy(components)
    for schema in strict["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return strict
