"""Import bodies of any size, in any chunks: imported completely or not at all."""

import json
import uuid
from collections.abc import AsyncIterator

import httpx
import pytest

from agent import MemoryId, UserId, open_agent
from conftest import make_settings, model_settings
from support.client import ApiClient
from support.gateway import RunningGateway
from support.jsonl import export_records, import_records, post_import, to_jsonl
from support.scripted_openai import EMBEDDINGS, ScriptedOpenAI


@pytest.mark.parametrize("kind", ["application/x-ndjson", "application/jsonl", "text/plain", "application/json"])
async def test_any_content_type_is_accepted(ada: ApiClient, kind: str) -> None:
    body = b"\xef\xbb\xbf" + to_jsonl({"kind": "user", "text": "Lives in Oslo"}) + b"\r\n"
    answer = await post_import(ada, body, **{"content-type": kind})
    assert answer.json() == {"imported": 1, "unchanged": 0}


async def test_lines_may_be_split_into_any_chunks(ada: ApiClient) -> None:
    body = to_jsonl(*({"kind": "episodic", "text": f"Häuser {n}"} for n in range(40)))

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 7):
            yield body[start : start + 7]

    assert (await post_import(ada, chunks())).json() == {"imported": 40, "unchanged": 0}
    assert len(await ada.memories(limit="100")) == 40


async def test_nothing_is_stored_if_the_upload_breaks_off(ada: ApiClient) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield to_jsonl({"kind": "user", "text": "Lives in Oslo"}) + b"\n"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await post_import(ada, chunks())
    assert await export_records(ada) == []


@pytest.mark.parametrize("authenticated", [True, False])
async def test_a_file_that_is_too_large_is_rejected(
    ada: ApiClient,
    shared_gateway: RunningGateway,
    authenticated: bool,  # noqa: FBT001 - a case, not a flag
) -> None:
    line = to_jsonl({"kind": "user", "text": "Lives in Oslo"}) + b" " * 62_000 + b"\n"

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range((65 if authenticated else 10) * 1024 * 1024 // len(line)):
            yield line

    headers = {"Authorization": ada.http.headers["Authorization"]} if authenticated else {}
    async with httpx.AsyncClient(base_url=shared_gateway.url, headers=headers, timeout=60) as http:
        answer = await http.post("/memories/import", content=chunks())
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.status_code == (413 if authenticated else 401)
    assert await export_records(ada) == []


async def test_nothing_is_stored_if_the_embedder_fails(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.embeddings_status = 500
    answer = await post_import(client, to_jsonl({"kind": "user", "text": "Lives in Oslo"}))
    assert (answer.status_code, answer.json()["code"]) == (503, "embedder_unavailable")
    assert await export_records(client) == []


async def test_texts_are_embedded_in_batches(client: ApiClient, model: ScriptedOpenAI) -> None:
    await import_records(client, *({"kind": "episodic", "text": f"Turn {n}"} for n in range(300)))
    batches = [request.body["input"] for request in model.requests if request.path == EMBEDDINGS]
    imported = [batch for batch in batches if batch[0].startswith("Turn ")]  # the others calibrate the model
    assert sorted(map(len, imported)) == [44, 128, 128]


async def test_an_export_contains_memories_that_are_edited_during_it(database: str, model: ScriptedOpenAI) -> None:
    async with open_agent(make_settings(database, **model_settings(model)), start_worker=False) as agent:
        user = UserId("ada")
        ids = [MemoryId(str(uuid.UUID(int=n))) for n in range(1, 1_301)]

        async def file() -> AsyncIterator[bytes]:
            yield to_jsonl(*({"kind": "user", "text": f"Fact {n}", "id": id_} for n, id_ in enumerate(ids)))

        await agent.import_memories(user, file())
        exported: list[str] = []
        async for page in agent.export_memories(user):
            exported += [line["id"] for line in map(json.loads, page.splitlines()) if "place" not in line]
            if len(exported) == 500:
                await agent.memories.edit(user, ids[-1], text="Fact 1299 indeed")  # moves from the end to the front
                await agent.memories.forget(user, ids[0])  # shifts the offsets of all others
        assert sorted(exported) == ids
