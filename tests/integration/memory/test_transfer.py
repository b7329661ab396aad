"""Export and import: nothing is lost on the way, and nobody else is touched."""

import uuid
from datetime import UTC, datetime, timedelta

import psycopg
from psycopg.types.json import Jsonb

from support.client import Person, new_thread
from support.forming import extraction, fact
from support.gateway import RunningGateway
from support.lines import FULL, KEY, MESSAGE, export_lines, import_lines, texts_of
from support.scripted_openai import ScriptedOpenAI


async def test_kind_and_text_are_enough(ada: Person) -> None:
    answer = await import_lines(
        ada,
        {"kind": "user", "text": "Plays the violin"},
        {"kind": "episodic", "text": "User asked how to clean a violin."},
        {"kind": "procedural", "text": "Prefers short answers"},
    )
    assert answer == {"imported": 3, "unchanged": 0}
    assert {memory["kind"] for memory in await ada.memories()} == {"user", "episodic", "procedural"}
    assert (await ada.memories(q="Which instrument do I play?"))[0]["text"] == "Plays the violin"
    assert "Plays the violin" in (await ada.say("Which instrument do I play?")).recalled


async def test_every_field_of_a_memory_is_taken(ada: Person) -> None:
    await import_lines(ada, FULL)
    [memory] = await ada.memories()
    assert {name: memory[name] for name in FULL} == FULL
    assert (memory["quote"], memory["source_message"]) == ("I live in Oslo", MESSAGE)
    assert await export_lines(ada) == [FULL]


async def test_what_is_exported_can_be_imported_into_another_account_and_is_the_same_there(
    ada: Person, bob: Person
) -> None:
    await ada.say("I live in Oslo. I play the violin.")
    await ada.flush()
    await ada.say("I have two cats.")  # still in the inbox
    await ada.say("My password is Tr0ub4dor&3.")  # there too, and never to be recalled
    added = (await ada.http.post("/memories", json={"text": "Is called “Zoë”\u2028or\x85Zo"})).json()["id"]
    await ada.http.patch(f"/memories/{added}", json={"text": "Is called Zoë"})  # the old words are retired
    exported = await export_lines(ada)
    assert [line.get("place") for line in exported].count("inbox") == 2
    assert [line.get("place") for line in exported].count("retired") == 1
    assert await import_lines(bob, *exported) == {"imported": len(exported), "unchanged": 0}
    assert await export_lines(bob) == exported
    assert await import_lines(bob, *exported) == {"imported": 0, "unchanged": len(exported)}
    assert await export_lines(bob) == exported


async def test_history_and_profile_come_along_to_an_instance_with_another_embedder(
    person: Person, model: ScriptedOpenAI, gateway: RunningGateway, ada: Person
) -> None:
    for city, replaces in (("Oslo", None), ("Rome", 1)):
        said = f"I live in {city}."
        told = extraction(
            fact(f"Lives in {city}", said, replaces=replaces),
            personal_context=f"Lives in {city}.",
            episode=f"User told that they live in {city}.",
        )
        model.script.structured = lambda *_, told=told: told.model_dump()
        await person.say(said)
        await person.flush()
    await person.say("I have two cats.")
    with psycopg.connect(gateway.database) as connection:  # says something of that installation only
        connection.execute(
            "UPDATE store SET value = value || %s WHERE prefix LIKE '%%.inbox'",
            (Jsonb({"failed": {"times": 1, "since": "2026-05-01T09:30:00+00:00", "error": "formation_failed"}}),),
        )
    exported = await export_lines(person)
    assert {(line.get("place"), line.get("kind")) for line in exported} == {
        (None, "user"),
        (None, "episodic"),
        ("inbox", None),
        ("profile", None),
        ("retired", "user"),
        ("retired", "episodic"),
        ("retired", "profile"),
    }
    assert await import_lines(ada, *exported) == {"imported": len(exported), "unchanged": 0}
    assert await export_lines(ada) == exported
    assert await import_lines(ada, *exported) == {"imported": 0, "unchanged": len(exported)}
    [rome] = await ada.memories(kind="user", q="Where do I live?")
    oslo = (await ada.http.post(f"/memories/{rome['id']}/undo")).raise_for_status().json()
    assert oslo["text"] == "Lives in Oslo"
    assert not [line for line in await export_lines(ada) if "Rome" in str(line) and "place" not in line]


async def test_a_profile_is_as_its_line_says(ada: Person) -> None:
    oslo = {"text": "Lives in Oslo.", "messages": [MESSAGE], "ts": "2026-05-01T09:30:00+00:00"}
    line = {"place": "profile", "sentences": {"personal_context": [oslo]}, "last_updated": oslo["ts"]}
    await import_lines(ada, line)
    assert await export_lines(ada) == [line]
    other = {"place": "profile", "sentences": {"work_context": [oslo | {"text": "Works in Oslo."}]}}
    assert await import_lines(ada, other) == {"imported": 1, "unchanged": 0}
    assert await export_lines(ada) == [other | {"last_updated": ""}]


async def test_inbox_and_retired_come_back_to_where_they_were(bob: Person) -> None:
    message, secret, retired = (str(uuid.uuid4()) for _ in range(3))
    waiting = {"place": "inbox", "source_thread": new_thread(), "ts": "2026-05-01T09:30:00+00:00", "answer": ""}
    answer = await import_lines(
        bob,
        waiting | {"id": message, "text": "I have two cats."},
        waiting | {"id": secret, "text": f"I have two cats, and my key is {KEY}."},
        {"place": "retired", "id": retired, "kind": "user", "text": "Has three cats", "why": "edited"},
    )
    assert answer == {"imported": 3, "unchanged": 0}
    assert await bob.memories() == []
    assert await bob.memories(q="cats") == []
    assert (await bob.http.get(f"/memories/{retired}")).status_code == 404
    assert (await bob.say("How many cats do I have?")).recalled == ["I have two cats."]
    assert (await bob.flush())["added"] == 1
    assert texts_of(await bob.memories()) == {"Has two cats"}
    [line] = [line for line in await export_lines(bob) if line.get("place") == "retired"]
    assert line["why"] == "edited"


async def test_an_imported_inbox_is_distilled_without_being_asked_for(ada: Person, server: RunningGateway) -> None:
    item = {"place": "inbox", "id": str(uuid.uuid4()), "source_thread": new_thread(), "text": "I have two cats."}
    await import_lines(ada, item | {"ts": "2026-05-01T09:30:00+00:00"})
    user = (await ada.http.get("/me")).json()["user_id"]
    async with await psycopg.AsyncConnection.connect(server.database) as connection:
        found = await connection.execute("SELECT due_at FROM formation WHERE user_id = %s", (user,))
        assert await found.fetchone() is not None


async def test_the_same_file_twice_leaves_one_copy(ada: Person) -> None:
    file = [
        {"kind": "user", "text": "Plays the violin"},
        {"kind": "episodic", "text": "Ada: Yes."},
        {"kind": "episodic", "text": "Ada: Yes."},  # it is said twice, and so it is kept
        {"kind": "episodic", "text": "Ada: Yes.", "ts": "2026-05-01T09:30:00Z"},
    ]
    assert await import_lines(ada, *file) == {"imported": 4, "unchanged": 0}
    before = await export_lines(ada)
    assert await import_lines(ada, {"kind": "user", "text": "Has a cat"}, *file) == {"imported": 1, "unchanged": 4}
    assert await import_lines(ada, *file) == {"imported": 0, "unchanged": 4}
    assert [line for line in await export_lines(ada) if line["text"] != "Has a cat"] == before


async def test_a_fact_that_is_known_in_the_same_words_is_no_second_one(ada: Person) -> None:
    await ada.http.post("/memories", json={"text": "Lives in Oslo"})
    answer = await import_lines(
        ada, {"kind": "user", "text": "lives in  Oslo."}, *[{"kind": "user", "text": "Has a cat"}] * 2
    )
    assert answer == {"imported": 1, "unchanged": 2}
    assert texts_of(await ada.memories()) == {"Lives in Oslo", "Has a cat"}


async def test_what_was_edited_since_stays_edited_unless_the_line_names_it(ada: Person) -> None:
    await import_lines(ada, {"kind": "user", "text": "Plays the violin"})
    [memory] = await ada.memories()
    await ada.http.patch(f"/memories/{memory['id']}", json={"text": "Plays the cello"})
    assert await import_lines(ada, {"kind": "user", "text": "Plays the violin"}) == {"imported": 0, "unchanged": 1}
    assert texts_of(await ada.memories()) == {"Plays the cello"}
    await import_lines(ada, {"id": memory["id"], "kind": "procedural", "text": "Likes to be asked about the viola"})
    [known] = await ada.memories()
    assert (known["id"], known["kind"]) == (memory["id"], "procedural")
    assert known["ts"] == memory["ts"] != ""


async def test_lines_without_time_or_conversation_follow_one_another_in_one(ada: Person) -> None:
    before = datetime.now(UTC)
    await import_lines(
        ada,
        *({"kind": "episodic", "text": f"Turn {n}"} for n in range(3)),
        {"kind": "user", "text": "Lives in Oslo"},
        {"kind": "episodic", "text": "Alone", "source_thread": ""},
    )
    known = {memory["text"]: memory for memory in await ada.memories()}
    moments = [datetime.fromisoformat(known[f"Turn {n}"]["ts"]) for n in range(3)]
    assert before <= moments[0]
    assert moments[2] - moments[1] == moments[1] - moments[0] == timedelta(microseconds=1)
    assert len({known[f"Turn {n}"]["source_thread"] for n in range(3)} - {""}) == 1
    assert known["Lives in Oslo"]["source_thread"] == known["Alone"]["source_thread"] == ""


async def test_an_answer_is_found_by_the_question_before_it(ada: Person) -> None:
    chatter = ["Bob: Hello!", "Ada: Hi, good to see you.", "Bob: The weather is nice.", "Ada: It is."]
    await import_lines(
        ada,
        *({"kind": "episodic", "text": text} for text in chatter),
        {"kind": "episodic", "text": "Bob: When did you adopt Whiskers?"},
        {"kind": "episodic", "text": "Ada: Two summers ago."},
        *({"kind": "episodic", "text": text} for text in chatter),
    )
    assert "Ada: Two summers ago." in [memory["text"] for memory in await ada.memories(q="adopt Whiskers", limit="2")]


async def test_a_moment_is_kept_in_utc(ada: Person) -> None:
    await import_lines(ada, {"kind": "user", "text": "Lives in Oslo", "ts": "2026-05-01T11:30:00+02:00"})
    [memory] = await ada.memories()
    assert memory["ts"] == memory["last_seen"] == "2026-05-01T09:30:00+00:00"


async def test_null_says_nothing(ada: Person) -> None:
    await import_lines(ada, {"kind": "user", "text": "Lives in Oslo", "id": None, "ts": None, "last_seen": None})
    [memory] = await ada.memories()
    assert memory["ts"] == memory["last_seen"] > "2026"


async def test_what_the_list_shows_can_be_imported(ada: Person, bob: Person) -> None:
    await ada.say("I live in Oslo.")
    await ada.flush()
    shown = await ada.memories(q="Oslo")
    await import_lines(bob, *shown)
    assert await export_lines(bob) == await export_lines(ada)


async def test_neither_touches_another_user(ada: Person, bob: Person) -> None:
    await import_lines(ada, FULL)
    await import_lines(bob, FULL | {"text": "Lives in Rome"})
    assert texts_of(await export_lines(ada)) == {"Lives in Oslo"}
    assert texts_of(await export_lines(bob)) == {"Lives in Rome"}
    await ada.http.delete(f"/memories/{FULL['id']}")
    assert texts_of(await export_lines(bob)) == {"Lives in Rome"}
