"""Requests to remember and to forget in a chat, with the offline model and the real service."""

import uuid
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from agent import open_agent
from agent.models.offline_phrases import PHRASES
from agent.models.request_results import ENGLISH, RESULTS
from conftest import make_settings
from support.client import ApiClient, new_thread
from support.gateway import RunningGateway
from support.stored_documents import tables_containing

CONVERSATION_TABLES = {"messages", "checkpoints", "checkpoint_blobs", "checkpoint_writes", "threads", "run_events"}
"""Tables with what was said in a thread; deleting the thread deletes it."""


async def _texts(client: ApiClient) -> set[str]:
    return {memory["text"] for memory in await client.memories()}


async def _add(client: ApiClient, *texts: str) -> list[str]:
    return [(await client.http.post("/memories", json={"text": text})).json()["id"] for text in texts]


async def test_an_exact_request_forgets_one_memory(ada: ApiClient) -> None:
    await _add(ada, "Lives in London", "Lives in a houseboat", "Likes London")
    reply = await ada.send("Please forget that I live in London.")
    assert reply.text.startswith("Forgotten: Lives in London")
    assert reply.data("tool.finished")["output"] == "Forgotten: Lives in London"
    assert await _texts(ada) == {"Lives in a houseboat", "Likes London"}
    assert reply.names.index("memory.recalled") < reply.names.index("tool.started") < reply.names.index("token")


@pytest.mark.parametrize("request_text", ["forget that I like jazz", "forget that I live in Lisbon", "forget my dog"])
async def test_nothing_is_forgotten_if_nothing_like_it_is_remembered(ada: ApiClient, request_text: str) -> None:
    await _add(ada, "Likes hiking", "Lives in London", "Has two cats")
    assert "Nothing like that is remembered" in (await ada.send(request_text)).text
    assert len(await _texts(ada)) == 3


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        ("2", {"Likes green tea"}),
        ("the second one", {"Likes green tea"}),
        ("1 and 2", set()),
        ("all of them", set()),
        ("yes please", set()),
        ("go ahead", set()),
        ("I mean Assam, not green tea", {"Likes green tea"}),
        ("none", {"Likes green tea", "Drinks tea from Assam"}),
    ],
)
async def test_the_user_chooses_from_a_list(ada: ApiClient, choice: str, kept: set[str]) -> None:
    await _add(ada, "Drinks tea from Assam", "Likes green tea")
    thread = new_thread()
    listed = (await ada.send("Forget that I'm fond of tea.", thread=thread)).text
    assert "1. Likes green tea" in listed
    assert "2. Drinks tea from Assam" in listed
    assert len(await _texts(ada)) == 2
    await ada.send(choice, thread=thread)
    assert await _texts(ada) == kept


async def test_a_list_is_valid_for_the_next_message_of_its_thread_only(ada: ApiClient) -> None:
    await _add(ada, "Drinks tea from Assam", "Likes green tea")
    thread = new_thread()
    await ada.send("Forget that I'm fond of tea.", thread=thread)
    await ada.send("2")
    await ada.send("What is the capital of Norway?", thread=thread)
    await ada.send("2", thread=thread)
    assert len(await _texts(ada)) == 2


async def test_a_topic_forgets_all_memories_that_mention_it(ada: ApiClient) -> None:
    await _add(ada, "Ex is called Tom", "Met the ex in Leeds", "Likes Texas", "Lives in York")
    reply = (await ada.send("forget everything about my ex")).text
    assert "Ex is called Tom" in reply
    assert "Met the ex in Leeds" in reply
    assert await _texts(ada) == {"Likes Texas", "Lives in York"}


async def test_a_message_that_is_not_yet_processed_is_forgotten(ada: ApiClient) -> None:
    await ada.send("I live in London. My sister is called Ann.")
    await ada.send("Forget that I live in London.")
    assert not any("London" in text for text in (await ada.send("Where do I live?")).recalled)
    assert any("Ann" in text for text in (await ada.send("What is my sister called?")).recalled)
    await ada.flush()
    assert not any("London" in text for text in await _texts(ada))
    assert any("Ann" in text for text in await _texts(ada))


async def test_the_rest_of_the_message_is_processed_and_the_request_is_not(ada: ApiClient) -> None:
    await _add(ada, "Lives in Leeds")
    await ada.send("I moved to York. Forget that I live in Leeds.")
    await ada.flush()
    [text] = await _texts(ada)
    assert "York" in text
    assert "Leeds" not in text


async def test_what_was_just_said_is_forgotten(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I like tea.", thread=thread)
    await ada.send("I have a crush on Tim.", thread=thread)
    assert "Tim" in (await ada.send("Forget what I just said.", thread=thread)).text
    await ada.flush()
    assert await _texts(ada) == {"Likes tea"}


async def test_forgetting_is_undone_within_a_day(ada: ApiClient) -> None:
    await ada.send("I live in London.")
    await ada.flush()
    [memory] = await ada.memories()
    await ada.send("Forget that I live in London.")
    assert await ada.memories() == []
    (await ada.http.post(f"/memories/{memory['id']}/undo")).raise_for_status()
    assert [one["text"] for one in await ada.memories()] == ["Lives in London"]


async def test_a_later_statement_adds_a_forgotten_memory_again(ada: ApiClient) -> None:
    await ada.send("I live in London.")
    await ada.send("Forget that I live in London.")
    await ada.flush()
    assert await _texts(ada) == set()
    await ada.send("I live in London.")
    await ada.flush()
    assert await _texts(ada) == {"Lives in London"}


@pytest.mark.parametrize("paused", [False, True])
async def test_a_day_later_no_copy_of_a_forgotten_memory_is_left(
    ada: ApiClient, shared_gateway: RunningGateway, *, paused: bool
) -> None:
    town, database = f"Port{uuid.uuid4().hex[:12]}", shared_gateway.database
    user = str((await ada.http.get("/me")).json()["user_id"])
    await ada.send(f"I live in {town}.")
    await ada.flush()
    assert town in str((await ada.send("Where do I live?")).recalled)
    await ada.send(f"Forget that I live in {town}.")
    await ada.flush()
    if paused:
        await ada.http.patch("/me", json={"memory_enabled": False})
    await _purge(database, user, days=0.9)
    assert "store" in tables_containing(database, town)
    await _purge(database, user, days=1.1)
    assert set(tables_containing(database, town)) <= CONVERSATION_TABLES
    with psycopg.connect(database) as connection:
        recalled = connection.execute("SELECT memories::text FROM messages WHERE user_id = %s", (user,)).fetchall()
        blobs = connection.execute("SELECT blob FROM checkpoint_blobs WHERE channel = 'standing'").fetchall()
    assert not any(town in (text or "") for (text,) in recalled)
    assert not any(town.encode() in blob for (blob,) in blobs)


async def test_what_is_remembered_on_request_is_known_at_once_and_once(ada: ApiClient) -> None:
    reply = await ada.send("Remember that my locker is number 14.")
    assert reply.text.startswith("Remembered: ")
    assert reply.data("tool.finished")["name"] == "remember"
    [memory] = await ada.memories()
    assert memory["sources"][0]["quote"] == "my locker is number 14"
    assert "14" in (await ada.send("Which locker is mine?")).text
    await ada.flush()
    assert [one["text"] for one in await ada.memories()] == [memory["text"]]


@pytest.mark.parametrize(
    ("request_text", "word"),
    [
        ("Please remember: the spare key is with Mrs Patel.", "Patel"),
        ("My shoe size is 43. Remember that, please.", "43"),
        ("Merk dir, dass mein Hund Bello heißt.", "Mein Hund heißt Bello"),
        ("Merk dir bitte, dass ich montags nie kann.", "Ich kann montags nie"),
        ("Recuerda que soy alérgico al marisco.", "marisco"),
        ("Souviens-toi que je ne mange pas de porc.", "porc"),
        ("请记住我对花生过敏。", "花生"),
        ("تذكر أن اسم ابنتي ليلى.", "ليلى"),
    ],
)
async def test_requests_to_remember_work_in_any_language(ada: ApiClient, request_text: str, word: str) -> None:
    assert word in (await ada.send(request_text)).text
    await ada.flush()
    [memory] = await ada.memories()
    assert word in memory["text"]


async def test_a_remembered_fact_replaces_what_it_makes_untrue(ada: ApiClient) -> None:
    await _add(ada, "Lives in Leeds")
    await ada.send("Remember that I moved to York.")
    assert await _texts(ada) == {"Moved to York"}


@pytest.mark.parametrize(
    "text",
    [
        "Don't remember this: I had an affair with Tina.",
        "This stays between us, don't save it: I failed my driving test.",
        "dont remember this but im drinking again",
        "No guardes esto: tengo deudas de 20.000 euros",
        "Bitte nicht merken: Ich habe meine Frau betrogen.",
        "Don't keep this. I drink too much.",
        "off the record: I hate my boss",
    ],
)
async def test_what_must_not_be_saved_is_not_and_nothing_else_is_forgotten(ada: ApiClient, text: str) -> None:
    thread = new_thread()
    await ada.send("I live in Leeds.", thread=thread)
    reply = await ada.send(text, thread=thread)
    assert reply.data("tool.finished")["output"] == ENGLISH.forgotten_message
    assert reply.text in {results.forgotten_message for results in RESULTS.values()}
    await ada.flush()
    assert await _texts(ada) == {"Lives in Leeds"}


async def test_secrets_are_not_remembered_on_request(ada: ApiClient) -> None:
    assert "Not remembered" in (await ada.send("Remember that my password is hunter2.")).text
    await ada.flush()
    assert await ada.memories() == []


async def test_without_memory_nothing_is_remembered_or_forgotten(ada: ApiClient) -> None:
    await _add(ada, "Lives in London")
    assert (await ada.send("Remember that I like tea.", memory=False)).text.startswith(PHRASES["en"].not_saved)
    assert (await ada.send("Forget that I live in London.", temporary=True)).text.startswith(
        PHRASES["en"].not_forgotten
    )
    assert await _texts(ada) == {"Lives in London"}


async def _purge(database: str, user: str, *, days: float) -> None:
    """Run the job as if everything in the user's history had been retired this long ago."""
    retired_at = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "UPDATE store SET value = jsonb_set(value, '{retired_at}', to_jsonb(%s::text)) WHERE prefix = %s",
            (retired_at, f"users.{user}.retired"),
        )
        connection.execute("UPDATE users SET purge_at = now() WHERE id = %s", (user,))
    async with open_agent(make_settings(database), start_worker=False) as agent:
        await agent.purge.purge_due()


@pytest.mark.parametrize(
    "announcement",
    [
        "Please don't store what I say next.",
        "The next thing is off the record",
        "Merk dir bitte nicht, was ich dir jetzt erzähle.",
        "No guardes lo que te voy a contar.",
        "N'enregistre pas ce que je vais te dire.",
    ],
)
async def test_the_message_after_an_announcement_is_not_saved(ada: ApiClient, announcement: str) -> None:
    thread = new_thread()
    await ada.send(announcement, thread=thread)
    assert "Forgotten: this message" in (await ada.send("I live in Bergen.", thread=thread)).text
    await ada.send("I play chess.", thread=thread)
    await ada.flush()
    assert [memory["text"] for memory in await ada.memories()] == ["Plays chess"]


async def test_the_text_after_a_request_to_work_on_it_is_not_saved(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("Can you translate the next thing I send to French?", thread=thread)
    await ada.send("I live in Bergen.", thread=thread)
    await ada.send("I play chess.", thread=thread)
    await ada.flush()
    assert [memory["text"] for memory in await ada.memories()] == ["Plays chess"]
