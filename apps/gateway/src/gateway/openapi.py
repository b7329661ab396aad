"""The OpenAPI document, which is also committed as `apps/gateway/openapi.json` (`make openapi`).

It does not depend on settings: routes of local sign-in are always included, and the issuer is a placeholder.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from gateway.problems import problem_examples
from gateway.routes import (
    branches,
    chat,
    config,
    dev,
    health,
    inbox,
    keys,
    me,
    memories,
    memory_changes,
    memory_map,
    session,
    threads,
)
from gateway.schemas.base import Problem
from gateway.schemas.events import reply_event
from gateway.schemas.memory_changes import MemoryChangeEvent

ROUTERS = (
    chat.router,
    threads.router,
    branches.router,
    memories.router,
    memory_changes.router,
    memory_map.router,
    inbox.router,
    me.router,
    keys.router,
    session.router,
    config.router,
    health.router,
)
OPERATOR_ROUTERS = (health.router,)

PARTS = Path(__file__).with_name("openapi_parts.json")
"""Static parts of the document, and an example of each schema: FastAPI would remove the nulls from examples in code."""


def make_document(*routers: APIRouter) -> dict[str, Any]:
    """Generate the document of some routers; by default, of the whole gateway."""
    app = FastAPI(generate_unique_id_function=lambda route: route.name)
    for router in routers or (*ROUTERS, dev.router):
        app.include_router(router)
    parts = json.loads(PARTS.read_text(encoding="utf-8"))
    document = get_openapi(version=version("keepsake-gateway"), routes=app.routes, **parts["document"])
    # Responses refer to these by name, because their media types are not JSON's.
    models = (Problem, reply_event(), MemoryChangeEvent)
    _, referenced = models_json_schema(
        [(model, "serialization") for model in models], ref_template="#/components/schemas/{model}"
    )
    components = document["components"]
    components["schemas"] = dict(sorted((components["schemas"] | referenced["$defs"]).items()))
    for name, schema in components["schemas"].items():
        _simplify(schema)
        if name in parts["examples"]:
            schema["examples"] = [parts["examples"][name]]
    components["examples"] = problem_examples()
    components["securitySchemes"] = parts["security_schemes"]
    for operations in document["paths"].values():
        for operation in operations.values():
            if "security" in operation:
                operation["security"] = [{name: []} for name in parts["security_schemes"]]
    return document


def _simplify(schema: dict[str, Any]) -> None:
    for name, member in schema.get("properties", {}).items():
        member.pop("title", None)
        if name in schema.get("required", ()):
            member.pop("default", None)


def document_text() -> str:
    """Serialise the document of the whole gateway, as committed."""
    return json.dumps(make_document(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(document_text(), encoding="utf-8")
