"""Import and export memories as JSON lines through a gateway."""

import json
from collections.abc import AsyncIterator, Iterable

import httpx

from support.client import ApiClient, Json

CREDENTIAL = "sk-proj-" + "a1B2" * 12
THREAD_ID, MESSAGE_ID = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
FULL_RECORD: Json = {
    "id": "33333333-3333-4333-8333-333333333333",
    "kind": "user",
    "text": "Lives in Oslo",
    "ts": "2026-05-01T09:30:00.000007+00:00",
    "source_thread": THREAD_ID,
    "category": "project",
    "confidence": 0.85,
    "sources": [
        {"thread": THREAD_ID, "message": MESSAGE_ID, "quote": "I live in Oslo", "ts": "2026-05-01T09:30:00+00:00"}
    ],
    "confirmed": 3,
    "last_seen": "2026-06-01T09:30:00+00:00",
    "standing": True,
    "pinned": True,
    "until": "2026-12-24",
    "reported_by": None,
}


def to_jsonl(*records: Json) -> bytes:
    return "\n".join(map(json.dumps, records)).encode()


async def post_import(client: ApiClient, body: bytes | AsyncIterator[bytes], **headers: str) -> httpx.Response:
    return await client.http.post("/memories/import", content=body, headers=headers, timeout=60)


async def import_records(client: ApiClient, *records: Json) -> Json:
    return dict((await post_import(client, to_jsonl(*records))).raise_for_status().json())


async def export_records(client: ApiClient) -> list[Json]:
    response = (await client.http.get("/memories/export")).raise_for_status()
    assert response.headers["content-type"] == "application/x-ndjson"
    return sorted(map(json.loads, response.text.splitlines()), key=lambda record: str(record.get("id")))


async def import_error(client: ApiClient, body: bytes | AsyncIterator[bytes]) -> str:
    """Import a body that must be rejected; check that nothing was stored and return the problem's detail."""
    response = await post_import(client, body)
    assert response.status_code == 422, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert await export_records(client) == []
    return str(response.json()["detail"])


def record_texts(records: Iterable[Json]) -> set[str]:
    return {record["text"] for record in records if "text" in record}
