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
from gateway.routes import chat, config, dev, health, me, memories, threads
from gateway.schemas.events import ReplyEvent
from gateway.schemas.problem import Problem

ROUTERS = (chat.router, threads.router, memories.router, me.router, config.router, health.router)
OPERATOR_ROUTERS = (health.router,)

EXAMPLES = Path(__file__).parent / "schemas" / "examples.json"
"""An example of each schema by its name. FastAPI would remove the nulls from examples in the schemas."""

DESCRIPTION = """\
A chat assistant with long-term memory for each of its users.

Sign in with OpenID Connect or, on a single machine, with `POST /dev/token`; see `GET /config`. Send the token as
`Authorization: Bearer <token>`. Errors are `application/problem+json` (RFC 9457) with a stable `code`.
"""
TAGS = [
    {"name": "chat", "description": "Messages and their replies, streamed as server-sent events."},
    {"name": "threads", "description": "Conversations and their transcripts."},
    {"name": "memories", "description": "What is known about the user."},
    {"name": "me", "description": "The user's account and profile."},
    {"name": "installation", "description": "Configuration, health and metrics; no sign-in needed."},
    {"name": "sign-in", "description": "Local sign-in, on a single machine."},
]
SECURITY_SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token of the issuer or, with local sign-in, of `POST /dev/token`.",
    },
    "openIdConnect": {
        "type": "openIdConnect",
        "openIdConnectUrl": "https://issuer.example/.well-known/openid-configuration",
        "description": "The issuer is `oidc.issuer` of `GET /config`; the address here is a placeholder.",
    },
}


def make_document(*routers: APIRouter) -> dict[str, Any]:
    """Generate the document of some routers; by default, of the whole gateway."""
    app = FastAPI(generate_unique_id_function=lambda route: route.name)
    for router in routers or (*ROUTERS, dev.router):
        app.include_router(router)
    document = get_openapi(
        title="Keepsake",
        version=version("keepsake-gateway"),
        description=DESCRIPTION,
        routes=app.routes,
        tags=TAGS,
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    # Responses refer to these two by name, because their media types are not JSON's.
    _, referenced = models_json_schema(
        [(Problem, "serialization"), (ReplyEvent, "serialization")], ref_template="#/components/schemas/{model}"
    )
    components = document["components"]
    components["schemas"] = dict(sorted((components["schemas"] | referenced["$defs"]).items()))
    for name, example in json.loads(EXAMPLES.read_text(encoding="utf-8")).items():
        if name in components["schemas"]:
            components["schemas"][name]["examples"] = [example]
    components["examples"] = problem_examples()
    components["securitySchemes"] = SECURITY_SCHEMES
    for operations in document["paths"].values():
        for operation in operations.values():
            if "security" in operation:
                operation["security"] = [{name: []} for name in SECURITY_SCHEMES]
    return document


def document_text() -> str:
    """Serialise the document of the whole gateway, as committed."""
    return json.dumps(make_document(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(document_text(), encoding="utf-8")
