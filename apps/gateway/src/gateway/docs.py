"""The reference of the HTTP interface at `/docs`, rendered from the OpenAPI document.

Swagger UI and ReDoc were rejected: FastAPI loads them from another host, and packaged copies are megabytes of script in
wheels that are rarely updated (`swagger-ui-bundle`: 2023). This page is static HTML with one style sheet. It needs no
script, satisfies the content security policy, and adds no dependency or licence.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response

from gateway.openapi import make_document

STYLE = Path(__file__).with_name("docs.css")

Node = Mapping[str, Any]


def add_docs(app: FastAPI) -> None:
    """Serve the reference at `/docs`."""

    @app.get("/docs", include_in_schema=False)
    async def get_docs() -> HTMLResponse:
        return HTMLResponse(docs_page())

    @app.get("/docs.css", include_in_schema=False)
    async def get_style() -> Response:
        return Response(STYLE.read_bytes(), media_type="text/css")


@cache
def docs_page() -> str:
    """Render the whole page."""
    document = make_document()
    info, components = document["info"], document["components"]
    title = escape(f"{info['title']} {info['version']}")
    body = [f"<h1>{title}</h1>", _prose(info["description"]), '<p><a href="/openapi.json">openapi.json</a></p>']
    for tag in document["tags"]:
        body += [f"<h2>{escape(tag['name'])}</h2>", _prose(tag["description"])]
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                if tag["name"] in operation["tags"]:
                    body += _operation(method, path, operation)
    body.append("<h2>Schemas</h2>")
    for name, schema in components["schemas"].items():
        body += _schema(name, schema)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/docs.css"></head>'
        f"<body><main>{''.join(body)}</main></body></html>"
    )


def _operation(method: str, path: str, operation: Node) -> Iterator[str]:
    yield f'<section id="{operation["operationId"]}"><h3><code>{method.upper()} {escape(path)}</code></h3>'
    yield _prose(operation["description"])
    yield "" if "security" in operation else "<p>No sign-in needed.</p>"
    yield _table(
        (parameter["name"], parameter["in"], _type(parameter["schema"]), _inline(parameter.get("description", "")))
        for parameter in operation.get("parameters", ())
    )
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<h4>Request: {escape(media_type)}</h4><p>{_type(content['schema'])}</p>{_examples(content)}"
    yield "<h4>Responses</h4>"
    yield _table(
        (status, _inline(response["description"]), ", ".join(_media(response.get("content", {}))), "")
        for status, response in operation["responses"].items()
    )
    yield "</section>"


def _schema(name: str, schema: Node) -> Iterator[str]:
    yield f'<section id="schema-{escape(name)}"><h3>{escape(name)}</h3>{_prose(schema.get("description", ""))}'
    if "properties" not in schema:
        yield f"<p>{_type(schema)}</p>"
    required = schema.get("required", ())
    yield _table(
        (member, "" if member in required else "optional", _type(part), _inline(part.get("description", "")))
        for member, part in schema.get("properties", {}).items()
    )
    yield f"{_examples(schema)}</section>"


def _media(content: Node) -> Iterator[str]:
    for media_type, description in content.items():
        yield f"{escape(media_type)} {_type(description.get('schema', {}))}"


def _type(schema: Node) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#schema-{name}">{name}</a>'
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(map(_type, choices))
    if values := schema.get("enum") or ([schema["const"]] if "const" in schema else None):
        return " | ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values)
    if schema.get("type") == "array":
        return f"array of {_type(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return escape(schema.get("type", "any"))


def _examples(node: Node) -> str:
    examples = [*node.get("examples", ()), *([node["example"]] if "example" in node else ())]
    texts = (one if isinstance(one, str) else json.dumps(one, indent=2, ensure_ascii=False) for one in examples)
    return "".join(f"<pre>{escape(text)}</pre>" for text in texts)


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{lines}</table>" if lines else ""


def _prose(text: str) -> str:
    return "".join(f"<p>{_inline(paragraph)}</p>" for paragraph in text.split("\n\n"))


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
