"""Actors and reasons of earlier versions are read and imported as the present ones."""

import uuid

import pytest

from support.client import ApiClient, Json, new_thread
from support.formation_table import run_sql
from support.gateway import RunningGateway
from support.jsonl import export_records, import_records

CASES = [(("formation", "crowded_out"), ("formation", "evicted")), (("upkeep", "folded"), ("compaction", "summarised"))]
TIME = "2026-05-01T09:30:00+00:00"
RETIRED: list[Json] = [
    {"kind": "user", "text": "Likes jazz", "memory": str(uuid.uuid4())},
    {"kind": "inbox", "text": "I like jazz.", "source_thread": new_thread(), "ts": TIME},
    {"kind": "profile", "text": "Likes jazz.", "field": "personal_context"},
]


@pytest.mark.parametrize(("earlier", "present"), CASES)
@pytest.mark.parametrize("line", RETIRED, ids=lambda line: line["kind"])
async def test_an_export_of_an_earlier_version_is_imported(
    bob: ApiClient, line: Json, earlier: tuple[str, str], present: tuple[str, str]
) -> None:
    line = line | {"place": "retired", "id": str(uuid.uuid4()), "who": earlier[0], "why": earlier[1]}
    assert await import_records(bob, line) == {"imported": 1, "unchanged": 0}
    assert await import_records(bob, line) == {"imported": 0, "unchanged": 1}
    [exported] = await export_records(bob)
    assert (exported["who"], exported["why"]) == present
    assert await import_records(bob, exported) == {"imported": 0, "unchanged": 1}


@pytest.mark.parametrize(("earlier", "present"), CASES)
async def test_documents_and_changes_of_an_earlier_version_are_read(
    ada: ApiClient, shared_gateway: RunningGateway, earlier: tuple[str, str], present: tuple[str, str]
) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Likes jazz"})).raise_for_status().json()["id"]
    (await ada.http.patch(f"/memories/{memory}", json={"text": "Likes tea"})).raise_for_status()
    user = (await ada.http.get("/me")).raise_for_status().json()["user_id"]
    (who, why), database = earlier, shared_gateway.database
    fields = f"""'{{"who": "{who}", "why": "{why}"}}'"""
    run_sql(database, f"UPDATE store SET value = value || {fields} WHERE prefix = 'users.{user}.retired'")
    run_sql(
        database,
        f"UPDATE store_changes SET data = data || {fields}"
        f" WHERE prefix = 'users.{user}' AND data ->> 'type' = 'memory.replaced'",
    )
    [version] = (await ada.http.get(f"/memories/{memory}/history")).raise_for_status().json()["items"]
    assert (version["text"], version["who"], version["why"]) == ("Likes jazz", *present)
    changes = (await ada.http.get("/memories/timeline")).raise_for_status().json()["items"]
    assert [(change["type"], change["why"]) for change in changes] == [
        ("memory.replaced", present[1]),
        ("memory.added", "entered"),
    ]
    exported = [record for record in await export_records(ada) if record.get("place") == "retired"]
    assert [(record["who"], record["why"]) for record in exported] == [present]
    limit = (await ada.http.get("/memories/limit")).raise_for_status().json()
    assert [fact["why"] for fact in limit["evicted"]] == [why for _, why in [present] if why == "evicted"]


async def test_a_reason_that_no_version_has_is_rejected(bob: ApiClient) -> None:
    reasons: list[object] = ["upkeep", "", [], {}, 1]
    for why in reasons:
        line = RETIRED[0] | {"place": "retired", "id": str(uuid.uuid4()), "why": why}
        response = await bob.http.post("/memories/import", json=line)
        assert response.status_code == 422
        assert response.json()["detail"].startswith("line 1: why")
