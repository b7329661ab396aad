"""Imports of exports of other applications, over HTTP."""

import json
from typing import Any

import pytest

from support.client import ApiClient, Json
from support.foreign_exports import (
    CHATGPT,
    CHATGPT_MEMORIES,
    CLAUDE,
    CLAUDE_MEMORIES,
    CONVERSATION,
    LANGGRAPH,
    MEM0,
    ZEP,
    chatgpt_conversation,
    chatgpt_message,
)
from support.jsonl import export_records, import_records

LISTS: list[tuple[str, Any, str, set[str], Json]] = [
    ("chatgpt", CHATGPT_MEMORIES, "ChatGPT", {"Prefers tea to coffee"}, {"instructions": 1}),
    ("claude", CLAUDE_MEMORIES, "Claude", {"Works as a gardener.", "Has two cats", "Builds a greenhouse"}, {}),
    ("mem0", MEM0, "mem0", {"Has two cats"}, {"credentials": 1}),
    ("zep", ZEP, "Zep", {"Has two cats"}, {}),
    ("langmem", LANGGRAPH, "LangMem", {"Has two cats", "Works as a gardener"}, {"empty": 1}),
]


async def post(client: ApiClient, export: object, **query: str) -> Json:
    content = export if isinstance(export, bytes) else json.dumps(export).encode()
    response = await client.http.post("/memories/import", content=content, params=query, timeout=60)
    return dict(response.raise_for_status().json())


@pytest.mark.parametrize("case", LISTS, ids=lambda case: case[0])
async def test_memories_of_other_applications_are_imported_as_reported_by_them(
    ada: ApiClient, case: tuple[str, Any, str, set[str], Json]
) -> None:
    name, export, application, texts, skipped = case
    result = await post(ada, export, format=name)
    assert result == {"imported": len(texts), "unchanged": 0, "format": name, "messages": 0, "skipped": skipped}
    memories = await ada.memories()
    assert {(one["text"], one["reported_by"], one["kind"], one["standing"]) for one in memories} == {
        (text, application, "user", False) for text in texts
    }
    again = await post(ada, export, format=name)
    assert (again["imported"], again["unchanged"]) == (0, len(texts))


async def test_times_are_those_of_the_export(ada: ApiClient) -> None:
    await post(ada, MEM0)
    [memory] = await ada.memories()
    assert memory["ts"] == "2026-01-01T07:00:00+00:00"


@pytest.mark.parametrize(
    ("name", "export", "memories"), [("chatgpt", CHATGPT, {"Has two cats"}), ("claude", CLAUDE, set())]
)
async def test_the_users_own_messages_are_processed_with_their_times_and_name_their_export(
    ada: ApiClient, name: str, export: object, memories: set[str]
) -> None:
    result = await post(ada, export)
    assert (result["format"], result["messages"], result["imported"]) == (name, 2, 2 + len(memories))
    assert {one["text"] for one in await ada.memories()} == memories
    pending = [one for one in await export_records(ada) if one.get("place") == "inbox"]
    assert sorted(one["text"] for one in pending) == ["I live in Oslo.", "I play the violin."]
    assert {one["source_thread"] for one in pending} == {f"{name}:{CONVERSATION}"}
    assert "I live in Oslo." in (await ada.send("Where do I live?")).recalled

    await ada.flush()
    facts = {one["text"]: one for one in await ada.memories(kind="user") if not one["reported_by"]}
    assert set(facts) == {"Lives in Oslo", "Plays the violin"}
    [source] = facts["Lives in Oslo"]["sources"]
    assert source["thread"] == f"{name}:{CONVERSATION}"
    assert (source["quote"], source["ts"]) == ("I live in Oslo", "2026-01-01T00:02:00+00:00")
    assert not any("Bergen" in one["text"] or "Atlantis" in one["text"] for one in await ada.memories())

    await post(ada, export)
    await ada.flush()
    assert {one["text"] for one in await ada.memories(kind="user")} == {*facts, *memories}
    assert {one["confirmed"] for one in await ada.memories(kind="user")} == {1}


async def test_what_is_not_imported_is_counted(ada: ApiClient) -> None:
    assert (await post(ada, CHATGPT))["skipped"] == {"no_statement": 1, "credentials": 1, "too_long": 1}
    assert "sk-proj" not in json.dumps(await export_records(ada))


@pytest.mark.parametrize("export", [CHATGPT, MEM0, b'{"kind": "user", "text": "Has two cats"}\n'])
async def test_a_dry_run_shows_what_would_be_imported_and_imports_nothing(ada: ApiClient, export: object) -> None:
    planned = await post(ada, export, dry_run="true")
    assert await export_records(ada) == []
    assert "Has two cats" in {one["text"] for one in planned["preview"]}
    assert planned["imported"] == len(planned["preview"]) > 0
    imported = await post(ada, export)
    del planned["preview"]
    assert imported == planned


async def test_json_lines_of_other_applications_are_recognised(ada: ApiClient) -> None:
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in LANGGRAPH["items"])
    assert (await post(ada, b"\xef\xbb\xbf" + lines))["format"] == "langmem"


async def test_an_import_belongs_to_its_user(ada: ApiClient, bob: ApiClient) -> None:
    await post(ada, CHATGPT)
    await post(bob, MEM0)
    assert len(await export_records(ada)) == 3
    assert len(await export_records(bob)) == 1


async def test_pending_messages_of_an_import_survive_export_and_import(ada: ApiClient, bob: ApiClient) -> None:
    await post(ada, CHATGPT)
    exported = await export_records(ada)
    assert (await import_records(bob, *exported))["imported"] == 3
    assert await export_records(bob) == exported


@pytest.mark.parametrize(
    ("body", "query", "reason"),
    [
        (b"[", {}, "valid JSON"),
        (b"[]", {}, "nothing"),
        (b'[{"x": 1}]', {}, "format of the file is unknown"),
        (b"[" * 100, {}, "nested"),
        (b'[{"memory": "\xff"}]', {}, "valid JSON"),
        (b'{"results": [', {"format": "mem0"}, "valid JSON"),
        (b"not JSON", {"format": "zep"}, "valid JSON"),
    ],
)
async def test_an_unreadable_file_imports_nothing(ada: ApiClient, body: bytes, query: Json, reason: str) -> None:
    response = await ada.http.post("/memories/import", content=body, params=query)
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert reason in response.json()["detail"]
    assert await export_records(ada) == []


@pytest.mark.parametrize(
    "malformed",
    [
        {"chat_messages": 5},
        {"chat_messages": [{"sender": "human", "content": 5, "created_at": "2026-01-01"}]},
        {"conversations_memory": [], "project_memories": 5},
        chatgpt_conversation([chatgpt_message("", content={"content_type": "text", "parts": 5})]),
        chatgpt_conversation([chatgpt_message("", content={"content_type": [], "parts": ["I live in Rome."]})]),
        chatgpt_conversation([chatgpt_message("", author=5, recipient=[], metadata=[])]),
    ],
)
async def test_malformed_conversations_are_left_out(ada: ApiClient, malformed: Json) -> None:
    intact = CHATGPT if "mapping" in malformed else CLAUDE
    assert await post(ada, [malformed, *intact], dry_run="true") == await post(ada, intact, dry_run="true")


async def test_an_unknown_format_is_refused(ada: ApiClient) -> None:
    response = await ada.http.post("/memories/import", content=b"[]", params={"format": "gemini"})
    assert response.status_code == 422
