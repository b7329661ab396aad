"""Export and import: the round trip is lossless, and other users are not affected."""

import uuid
from datetime import UTC, datetime, timedelta

import psycopg
from psycopg.types.json import Jsonb

from support.client import ApiClient, new_thread
from support.formation import extraction, fact
from support.gateway import RunningGateway
from support.jsonl import CREDENTIAL, FULL_RECORD, MESSAGE_ID, export_records, import_records, record_texts
from support.scripted_openai import ScriptedOpenAI


async def test_only_kind_and_text_are_required(ada: ApiClient) -> None:
    answer = await import_records(
        ada,
        {"kind": "user", "text": "Plays the violin"},
        {"kind": "episodic", "text": "User asked how to clean a violin."},
        {"kind": "procedural", "text": "Prefers short answers"},
    )
    assert answer == {"imported": 3, "unchanged": 0}
    assert {memory["kind"] for memory in await ada.memories()} == {"user", "episodic", "procedural"}
    assert (await ada.memories(q="Which instrument do I play?"))[0]["text"] == "Plays the violin"
    assert "Plays the violin" in (await ada.send("Which instrument do I play?")).recalled


async def test_all_fields_of_a_memory_are_imported(ada: ApiClient) -> None:
    await import_records(ada, FULL_RECORD)
    [memory] = await ada.memories()
    assert {name: memory[name] for name in FULL_RECORD} == FULL_RECORD
    assert (memory["quote"], memory["source_message"]) == ("I live in Oslo", MESSAGE_ID)
    assert await export_records(ada) == [FULL_RECORD]


async def test_an_export_imported_into_another_account_exports_identically(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send("I live in Oslo. I play the violin.")
    await ada.flush()
    await ada.send("I have two cats.")  # still in the inbox
    await ada.send("My password is Tr0ub4dor&3.")  # also in the inbox, but not recallable
    added = (await ada.http.post("/memories", json={"text": "Is called “Zoë”\u2028or\x85Zo"})).json()["id"]
    await ada.http.patch(f"/memories/{added}", json={"text": "Is called Zoë"})  # retires the earlier text
    exported = await export_records(ada)
    assert [line.get("place") for line in exported].count("inbox") == 2
    assert [line.get("place") for line in exported].count("retired") == 1
    assert await import_records(bob, *exported) == {"imported": len(exported), "unchanged": 0}
    assert await export_records(bob) == exported
    assert await import_records(bob, *exported) == {"imported": 0, "unchanged": len(exported)}
    assert await export_records(bob) == exported


async def test_history_and_profile_are_imported_on_an_instance_with_another_embedder(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway, ada: ApiClient
) -> None:
    for city, replaces in (("Oslo", None), ("Rome", 1)):
        text = f"I live in {city}."
        extracted = extraction(
            fact(f"Lives in {city}", text, replaces=replaces),
            personal_context=f"Lives in {city}.",
            episode=f"User told that they live in {city}.",
        )
        model.script.structured = lambda *_, extracted=extracted: extracted.model_dump()
        await client.send(text)
        await client.flush()
    await client.send("I have two cats.")
    with psycopg.connect(gateway.database) as connection:  # failures are specific to an installation
        connection.execute(
            "UPDATE store SET value = value || %s WHERE prefix LIKE '%%.inbox'",
            (Jsonb({"failed": {"times": 1, "since": "2026-05-01T09:30:00+00:00", "error": "formation_failed"}}),),
        )
    exported = await export_records(client)
    assert {(line.get("place"), line.get("kind")) for line in exported} == {
        (None, "user"),
        (None, "episodic"),
        ("inbox", None),
        ("profile", None),
        ("retired", "user"),
        ("retired", "episodic"),
        ("retired", "profile"),
    }
    assert await import_records(ada, *exported) == {"imported": len(exported), "unchanged": 0}
    assert await export_records(ada) == exported
    assert await import_records(ada, *exported) == {"imported": 0, "unchanged": len(exported)}
    [rome] = await ada.memories(kind="user", q="Where do I live?")
    oslo = (await ada.http.post(f"/memories/{rome['id']}/undo")).raise_for_status().json()
    assert oslo["text"] == "Lives in Oslo"
    assert not [line for line in await export_records(ada) if "Rome" in str(line) and "place" not in line]


async def test_an_imported_profile_replaces_the_current_one(ada: ApiClient) -> None:
    oslo = {"text": "Lives in Oslo.", "messages": [MESSAGE_ID], "ts": "2026-05-01T09:30:00+00:00"}
    line = {"place": "profile", "sentences": {"personal_context": [oslo]}, "last_updated": oslo["ts"]}
    await import_records(ada, line)
    assert await export_records(ada) == [line]
    other = {"place": "profile", "sentences": {"work_context": [oslo | {"text": "Works in Oslo."}]}}
    assert await import_records(ada, other) == {"imported": 1, "unchanged": 0}
    assert await export_records(ada) == [other | {"last_updated": ""}]


async def test_inbox_items_and_retired_memories_keep_their_place(bob: ApiClient) -> None:
    message, secret, retired = (str(uuid.uuid4()) for _ in range(3))
    pending = {"place": "inbox", "source_thread": new_thread(), "ts": "2026-05-01T09:30:00+00:00", "answer": ""}
    answer = await import_records(
        bob,
        pending | {"id": message, "text": "I have two cats."},
        pending | {"id": secret, "text": f"I have two cats, and my key is {CREDENTIAL}."},
        {"place": "retired", "id": retired, "kind": "user", "text": "Has three cats", "why": "edited"},
    )
    assert answer == {"imported": 3, "unchanged": 0}
    assert await bob.memories() == []
    assert await bob.memories(q="cats") == []
    assert (await bob.http.get(f"/memories/{retired}")).status_code == 404
    assert (await bob.send("How many cats do I have?")).recalled == ["I have two cats."]
    assert (await bob.flush())["added"] == 1
    assert record_texts(await bob.memories()) == {"Has two cats"}
    [line] = [line for line in await export_records(bob) if line.get("place") == "retired"]
    assert line["why"] == "edited"


async def test_inbox_items_keep_their_time_zone_and_whether_the_model_read_tool_results(ada: ApiClient) -> None:
    item: dict[str, object] = {"place": "inbox", "id": str(uuid.uuid4()), "source_thread": new_thread()}
    item |= {"text": "I have two cats.", "ts": "2026-05-01T09:30:00+00:00", "answer": "", "standing": False}
    item |= {"time_zone": "Asia/Tokyo", "read_tools": True}
    await import_records(ada, item)
    assert await export_records(ada) == [item]


async def test_an_imported_inbox_is_scheduled_for_formation(ada: ApiClient, shared_gateway: RunningGateway) -> None:
    item = {"place": "inbox", "id": str(uuid.uuid4()), "source_thread": new_thread(), "text": "I have two cats."}
    await import_records(ada, item | {"ts": "2026-05-01T09:30:00+00:00"})
    user = (await ada.http.get("/me")).json()["user_id"]
    async with await psycopg.AsyncConnection.connect(shared_gateway.database) as connection:
        cursor = await connection.execute("SELECT due_at FROM formation WHERE user_id = %s", (user,))
        assert await cursor.fetchone() is not None


async def test_importing_a_file_twice_leaves_one_copy(ada: ApiClient) -> None:
    file = [
        {"kind": "user", "text": "Plays the violin"},
        {"kind": "episodic", "text": "Ada: Yes."},
        {"kind": "episodic", "text": "Ada: Yes."},  # a repeated episode is kept
        {"kind": "episodic", "text": "Ada: Yes.", "ts": "2026-05-01T09:30:00Z"},
    ]
    assert await import_records(ada, *file) == {"imported": 4, "unchanged": 0}
    before = await export_records(ada)
    assert await import_records(ada, {"kind": "user", "text": "Has a cat"}, *file) == {"imported": 1, "unchanged": 4}
    assert await import_records(ada, *file) == {"imported": 0, "unchanged": 4}
    assert [line for line in await export_records(ada) if line["text"] != "Has a cat"] == before


async def test_a_known_fact_with_the_same_words_is_not_imported_again(ada: ApiClient) -> None:
    await ada.http.post("/memories", json={"text": "Lives in Oslo"})
    answer = await import_records(
        ada, {"kind": "user", "text": "lives in  Oslo."}, *[{"kind": "user", "text": "Has a cat"}] * 2
    )
    assert answer == {"imported": 1, "unchanged": 2}
    assert record_texts(await ada.memories()) == {"Lives in Oslo", "Has a cat"}


async def test_edits_survive_a_second_import_unless_the_line_has_the_id(ada: ApiClient) -> None:
    await import_records(ada, {"kind": "user", "text": "Plays the violin"})
    [memory] = await ada.memories()
    await ada.http.patch(f"/memories/{memory['id']}", json={"text": "Plays the cello"})
    assert await import_records(ada, {"kind": "user", "text": "Plays the violin"}) == {"imported": 0, "unchanged": 1}
    assert record_texts(await ada.memories()) == {"Plays the cello"}
    await import_records(ada, {"id": memory["id"], "kind": "procedural", "text": "Likes to be asked about the viola"})
    [known] = await ada.memories()
    assert (known["id"], known["kind"]) == (memory["id"], "procedural")
    assert known["ts"] == memory["ts"] != ""


async def test_episodes_without_time_and_thread_form_one_conversation_in_file_order(ada: ApiClient) -> None:
    before = datetime.now(UTC)
    await import_records(
        ada,
        *({"kind": "episodic", "text": f"Turn {n}"} for n in range(3)),
        {"kind": "user", "text": "Lives in Oslo"},
        {"kind": "episodic", "text": "Alone", "source_thread": ""},
    )
    known = {memory["text"]: memory for memory in await ada.memories()}
    times = [datetime.fromisoformat(known[f"Turn {n}"]["ts"]) for n in range(3)]
    assert before <= times[0]
    assert times[2] - times[1] == times[1] - times[0] == timedelta(microseconds=1)
    assert len({known[f"Turn {n}"]["source_thread"] for n in range(3)} - {""}) == 1
    assert known["Lives in Oslo"]["source_thread"] == known["Alone"]["source_thread"] == ""


async def test_an_episode_is_found_by_the_words_of_the_preceding_one(ada: ApiClient) -> None:
    chatter = ["Bob: Hello!", "Ada: Hi, good to see you.", "Bob: The weather is nice.", "Ada: It is."]
    await import_records(
        ada,
        *({"kind": "episodic", "text": text} for text in chatter),
        {"kind": "episodic", "text": "Bob: When did you adopt Whiskers?"},
        {"kind": "episodic", "text": "Ada: Two summers ago."},
        *({"kind": "episodic", "text": text} for text in chatter),
    )
    assert "Ada: Two summers ago." in [memory["text"] for memory in await ada.memories(q="adopt Whiskers", limit="2")]


async def test_timestamps_are_stored_in_utc(ada: ApiClient) -> None:
    await import_records(ada, {"kind": "user", "text": "Lives in Oslo", "ts": "2026-05-01T11:30:00+02:00"})
    [memory] = await ada.memories()
    assert memory["ts"] == memory["last_seen"] == "2026-05-01T09:30:00+00:00"


async def test_null_fields_are_treated_as_missing(ada: ApiClient) -> None:
    await import_records(ada, {"kind": "user", "text": "Lives in Oslo", "id": None, "ts": None, "last_seen": None})
    [memory] = await ada.memories()
    assert memory["ts"] == memory["last_seen"] > "2026"


async def test_a_line_with_an_id_can_pin_a_memory_and_remove_its_end_date(ada: ApiClient) -> None:
    await import_records(ada, FULL_RECORD | {"pinned": False})
    change = {"id": FULL_RECORD["id"], "kind": "user", "text": "Lives in Oslo", "pinned": True, "until": None}
    assert await import_records(ada, change) == {"imported": 1, "unchanged": 0}
    assert await export_records(ada) == [FULL_RECORD | {"until": None}]


async def test_documents_of_an_earlier_version_are_unchanged_by_their_own_export(
    ada: ApiClient, shared_gateway: RunningGateway
) -> None:
    added_later = ("standing", "pinned", "until", "reported_by")
    record = {name: value for name, value in FULL_RECORD.items() if name not in added_later}
    await import_records(ada, record)
    user = (await ada.http.get("/me")).json()["user_id"]
    with psycopg.connect(shared_gateway.database) as connection:
        connection.execute(
            "UPDATE store SET value = value - %s::text[] WHERE prefix LIKE %s", (list(added_later), f"users.{user}.%")
        )
    assert await export_records(ada) == [record]
    assert await import_records(ada, record) == {"imported": 0, "unchanged": 1}
    [memory] = await ada.memories()
    assert {name: memory[name] for name in added_later} == {
        "standing": False,
        "pinned": False,
        "until": None,
        "reported_by": None,
    }


async def test_listed_memories_can_be_imported(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send("I live in Oslo.")
    await ada.flush()
    shown = await ada.memories(q="Oslo")
    await import_records(bob, *shown)
    assert await export_records(bob) == await export_records(ada)


async def test_import_and_delete_do_not_affect_another_user(ada: ApiClient, bob: ApiClient) -> None:
    await import_records(ada, FULL_RECORD)
    await import_records(bob, FULL_RECORD | {"text": "Lives in Rome"})
    assert record_texts(await export_records(ada)) == {"Lives in Oslo"}
    assert record_texts(await export_records(bob)) == {"Lives in Rome"}
    await ada.http.delete(f"/memories/{FULL_RECORD['id']}")
    assert record_texts(await export_records(bob)) == {"Lives in Rome"}
