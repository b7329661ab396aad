"""The reference of the HTTP interface at `/docs`, rendered from the OpenAPI document.

It is static HTML, which satisfies the content security policy. Swagger UI and ReDoc were rejected: FastAPI loads them
from another host, and packaged copies are megabytes of script that are rarely updated.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse

from gateway.openapi import make_document

FOLDER = Path(__file__).parent

Node = Mapping[str, Any]


def add_docs(app: FastAPI) -> None:
    """Serve the reference at `/docs`."""

    @app.get("/docs", include_in_schema=False)
    async def get_docs() -> HTMLResponse:
        return HTMLResponse(docs_page())

    @app.get("/docs.css", include_in_schema=False)
    async def get_style() -> FileResponse:
        return FileResponse(FOLDER / "docs.css")


@cache
def docs_page() -> str:
    """Render the whole page."""
    document = make_document()
    info = document["info"]
    return Template((FOLDER / "docs.html").read_text(encoding="utf-8")).substitute(
        title=escape(f"{info['title']} {info['version']}"),
        description=_prose(info["description"]),
        operations="".join(_tag(tag, document["paths"]) for tag in document["tags"]),
        schemas="".join(_schema(name, schema) for name, schema in document["components"]["schemas"].items()),
    )


def _tag(tag: Node, paths: Node) -> str:
    sections = [
        _operation(f"{method.upper()} {path}", operation)
        for path, operations in paths.items()
        for method, operation in operations.items()
        if tag["name"] in operation["tags"]
    ]
    return f"<h2>{escape(tag['name'])}</h2>{_prose(tag['description'])}{''.join(sections)}"


def _operation(title: str, operation: Node) -> str:
    body = operation.get("requestBody", {}).get("content", {})
    inputs = [
        (parameter["name"], parameter["in"], _type(parameter["schema"]), _inline(parameter.get("description", "")))
        for parameter in operation.get("parameters", ())
    ]
    inputs += [("body", escape(media_type), _type(content["schema"]), "") for media_type, content in body.items()]
    outputs = [
        (status, _inline(response["description"]), *_contents(response.get("content", {})))
        for status, response in operation["responses"].items()
    ]
    return (
        f'<section id="{operation["operationId"]}"><h3><code>{escape(title)}</code></h3>'
        f"{_prose(operation['description'])}{'' if 'security' in operation else '<p>No sign-in needed.</p>'}"
        f"{_table(inputs)}{''.join(map(_examples, body.values()))}<h4>Responses</h4>{_table(outputs)}</section>"
    )


def _schema(name: str, schema: Node) -> str:
    required = schema.get("required", ())
    members = [
        (member, "" if member in required else "optional", _type(part), _inline(part.get("description", "")))
        for member, part in schema.get("properties", {}).items()
    ]
    return (
        f'<section id="schema-{name}"><h3>{name}</h3>{_prose(schema.get("description", ""))}'
        f"{_table(members) if members else f'<p>{_type(schema)}</p>'}{_examples(schema)}</section>"
    )


def _contents(content: Node) -> list[str]:
    return [f"{escape(media_type)} {_type(part.get('schema', {}))}" for media_type, part in content.items()]


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
    lines = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in rows)
    return f"<table>{lines}</table>" if lines else ""


def _prose(text: str) -> str:
    return "".join(f"<p>{_inline(paragraph)}</p>" for paragraph in text.split("\n\n"))


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
