"""Branches of threads: what they share, where they diverge, and how they are listed and deleted."""

import uuid

import psycopg
import pytest

from conftest import Databases, make_settings
from support.client import ApiClient, Json, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI
from support.stored_documents import tables_containing

CHAT = "/v1/chat/completions"


async def messages(client: ApiClient, thread: str) -> list[Json]:
    return list((await client.http.get(f"/threads/{thread}/messages")).raise_for_status().json()["items"])


async def branch(client: ApiClient, thread: str, position: int) -> str:
    before = (await messages(client, thread))[position]["id"]
    response = await client.http.post(f"/threads/{thread}/branches", json={"before": before})
    return str(response.raise_for_status().json()["thread_id"])


async def divergences(client: ApiClient, thread: str) -> list[Json]:
    return list((await client.http.get(f"/threads/{thread}/branches")).raise_for_status().json()["items"])


async def listed(client: ApiClient, **query: str) -> list[str]:
    items = (await client.http.get("/threads", params=query)).raise_for_status().json()["items"]
    return [item["thread_id"] for item in items]


async def remembers(client: ApiClient, word: str) -> bool:
    """Whether a new thread recalls a memory or a message with a word."""
    return word in " ".join((await client.send("What is my sister's name?")).recalled)


async def conversation(client: ApiClient, *texts: str) -> str:
    thread = new_thread()
    for text in texts:
        await client.send(text, thread=thread)
    return thread


async def test_a_branch_has_copies_of_the_messages_before_it_and_continues_on_its_own(ada: ApiClient) -> None:
    thread = await conversation(ada, "My canary is Pip.", "What is a fugue?", "Thanks!")
    edited = await branch(ada, thread, 2)
    original = await messages(ada, thread)
    copies = await messages(ada, edited)
    assert [one["text"] for one in copies] == [one["text"] for one in original[:2]]
    assert [one["copied_from"] for one in copies] == [one["id"] for one in original[:2]]
    assert {one["id"] for one in copies}.isdisjoint(one["id"] for one in original)
    await ada.send("What is a sonata?", thread=edited)
    assert [one["text"] for one in (await messages(ada, edited))][2] == "What is a sonata?"
    assert await messages(ada, thread) == original


async def test_the_model_sees_the_shared_messages_and_not_the_abandoned_ones(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = await conversation(client, "Let us talk about canaries.", "What is a fugue?")
    regenerated = await branch(client, thread, 3)  # an answer: its question is replaced, too
    await client.send("What is a sonata?", thread=regenerated)
    request = str(model.requests[-1])
    assert "Let us talk about canaries." in request
    assert "fugue" not in request
    await client.send("And a rondo?", thread=regenerated)
    request = str(model.requests[-1])
    assert request.count("Let us talk about canaries.") == 1
    assert "What is a sonata?" in request


async def test_formation_processes_a_shared_message_once_and_keeps_what_follows_an_edited_one(ada: ApiClient) -> None:
    thread = await conversation(ada, "I live in Oslo.", "What is a fugue?", "I keep bees.")
    edited = await branch(ada, thread, 2)
    await ada.send("I keep goats.", thread=edited)
    await ada.flush()
    facts = await ada.memories(kind="user")
    assert sorted(fact["confirmed"] for fact in facts) == [1, 1, 1]
    texts = " ".join(fact["text"] for fact in facts)
    assert all(word in texts for word in ("Oslo", "bees", "goats"))


@pytest.mark.parametrize("processed", [False, True], ids=["pending", "processed"])
async def test_an_edited_message_replaces_what_it_has_stated(ada: ApiClient, *, processed: bool) -> None:
    await conversation(ada, "I love jazz.")
    thread = await conversation(ada, "I love jazz. My sister is Anna.", "I keep bees.")
    if processed:
        await ada.flush()
    edited = await branch(ada, thread, 0)
    assert await remembers(ada, "Anna")  # not before the edited message is sent
    await ada.send("My sister is Eva.", thread=edited)
    assert not await remembers(ada, "Anna")
    again = await branch(ada, edited, 0)  # the edited message is edited, too
    await ada.send("What is a fugue?", thread=again)
    await ada.flush()
    texts = [memory["text"] for memory in await ada.memories()]
    assert not any(name in " ".join(texts) for name in ("Anna", "Eva"))
    assert "Loves jazz" in texts
    assert "bees" in " ".join(texts)
    assert (await messages(ada, thread))[0]["text"] == "I love jazz. My sister is Anna."


async def test_answering_again_and_editing_without_memory_change_no_memory(ada: ApiClient) -> None:
    thread = await conversation(ada, "My sister is Anna.")
    await ada.flush()
    await ada.send("My sister is Anna.", thread=await branch(ada, thread, 1))
    assert await remembers(ada, "Anna")
    await ada.send("What is a fugue?", thread=await branch(ada, thread, 0), memory=False)
    assert await remembers(ada, "Anna")


async def test_editing_a_message_keeps_memories_that_were_edited_since(ada: ApiClient) -> None:
    thread = await conversation(ada, "My sister is Anna.")
    await ada.flush()
    [memory] = await ada.memories(kind="user")
    await ada.http.patch(f"/memories/{memory['id']}", json={"text": "My sister is Hanna"})
    await ada.send("What is a fugue?", thread=await branch(ada, thread, 0))
    assert [one["text"] for one in await ada.memories(kind="user")] == ["My sister is Hanna"]


async def test_every_branch_shows_where_it_diverges_from_the_others(ada: ApiClient) -> None:
    root = await conversation(ada, "One.", "Two.", "Three.")
    second = await branch(ada, root, 2)
    await ada.send("Two, edited.", thread=second)
    third = await branch(ada, second, 2)  # at the same place: an alternative of the root, too
    await ada.send("Two, edited again.", thread=third)
    nested = await branch(ada, second, 0)  # in the messages that it shares: a branch of the root
    later = await branch(ada, root, 4)
    at_two = {"position": 2, "threads": [later, second, third], "current": 0}
    at_start = {"position": 0, "threads": [later, nested], "current": 0}
    at_four = {"position": 4, "threads": [root, later], "current": 0}
    assert await divergences(ada, root) == [
        at_start | {"threads": [root, nested]},
        at_two | {"threads": [root, second, third]},
        at_four,
    ]
    assert await divergences(ada, third) == [
        at_start | {"threads": [third, nested]},
        at_two | {"threads": [later, second, third], "current": 2},
    ]
    assert await divergences(ada, nested) == [{"position": 0, "threads": [later, nested], "current": 1}]
    assert await divergences(ada, later) == [at_start, at_two, at_four | {"current": 1}]


async def test_a_conversation_is_listed_once_by_the_branch_that_was_used_last(ada: ApiClient) -> None:
    other = await conversation(ada, "Something else.")
    thread = await conversation(ada, "Let us talk about canaries.", "What is a fugue?")
    edited = await branch(ada, thread, 2)
    assert await listed(ada) == [edited, other]
    assert await listed(ada, q="canaries") == [edited]
    assert await listed(ada, q="fugue") == [thread]
    await ada.send("Thanks!", thread=thread)
    assert await listed(ada) == [thread, other]


async def test_a_conversation_is_renamed_pinned_and_archived_with_its_branches(ada: ApiClient) -> None:
    old, thread = await conversation(ada, "Older."), await conversation(ada, "Let us talk about canaries.")
    await ada.http.patch(f"/threads/{old}", json={"pinned": True})
    edited = await branch(ada, thread, 0)
    assert await listed(ada) == [old, edited]
    assert await listed(ada, limit="1") == [old]
    cursor = (await ada.http.get("/threads", params={"limit": "1"})).json()["next_cursor"]
    assert await listed(ada, before=cursor) == [edited]
    await ada.http.patch(f"/threads/{edited}", json={"title": "Birds", "archived": True})
    assert await listed(ada) == [old]
    assert await listed(ada, archived="true") == [edited]
    assert await listed(ada, q="Birds") == [edited]
    assert await listed(ada, q="Birds", archived="false") == []
    shared = (await ada.http.get(f"/threads/{thread}")).json()
    assert (shared["title"], shared["archived"], shared["pinned"]) == ("Birds", True, False)
    assert (await ada.http.patch(f"/threads/{thread}", json={})).status_code == 422


async def test_deleting_a_thread_deletes_its_branches(client: ApiClient, gateway: RunningGateway) -> None:
    thread = await conversation(client, "My canary is Pip.", "What is a fugue?")
    edited = await branch(client, thread, 2)
    await client.send("A canary sings.", thread=edited)
    await client.flush()
    response = await client.http.delete(f"/threads/{edited}", params={"forget": "true"})
    assert response.json()["forgotten"] >= 1
    assert await listed(client) == []
    assert tables_containing(gateway.database, "canary") == []


async def test_forgotten_words_are_no_context_in_a_branch(ada: ApiClient, shared_gateway: RunningGateway) -> None:
    thread = await conversation(ada, "I live in Oslo.", "What is a fugue?")
    edited = await branch(ada, thread, 2)
    await ada.flush()
    for memory in await ada.memories():
        await ada.http.delete(f"/memories/{memory['id']}")
    copy = (await messages(ada, edited))[0]["id"]
    with psycopg.connect(shared_gateway.database) as connection:
        row = connection.execute("SELECT withheld FROM messages WHERE id = %s", [copy]).fetchone()
    assert row == (True,)


async def test_only_messages_of_the_users_own_thread_start_a_branch(ada: ApiClient, bob: ApiClient) -> None:
    thread, other = await conversation(ada, "Hello."), await conversation(ada, "Hello again.")
    theirs = await conversation(bob, "Hello.")
    own_message = (await messages(ada, thread))[0]["id"]
    for path, before, code in (
        (other, own_message, "message_not_found"),
        (thread, str(uuid.uuid4()), "message_not_found"),
        (thread, (await messages(bob, theirs))[0]["id"], "message_not_found"),
        (theirs, (await messages(bob, theirs))[0]["id"], "thread_not_found"),
        (thread, "1", "invalid_id"),
    ):
        response = await ada.http.post(f"/threads/{path}/branches", json={"before": before})
        assert response.json()["code"] == code
    assert (await ada.http.get(f"/threads/{theirs}/branches")).json()["code"] == "thread_not_found"
    assert len(await listed(ada)) == 2


async def test_branches_count_as_threads(databases: Databases) -> None:
    with RunningGateway(make_settings(databases.create("minilm"), limit_threads=1)) as gateway:
        async with signed_in(gateway.url) as client:
            thread = await conversation(client, "Hello.")
            before = (await messages(client, thread))[0]["id"]
            refused = await client.http.post(f"/threads/{thread}/branches", json={"before": before})
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_threads")
            assert await divergences(client, thread) == []


async def test_a_rating_is_stored_exported_changed_and_removed(ada: ApiClient) -> None:
    thread = await conversation(ada, "What is a fugue?")
    await ada.http.patch(f"/threads/{thread}", json={"title": "Fugues"})
    question, answer = await messages(ada, thread)
    path = f"/threads/{thread}/messages/{answer['id']}/feedback"
    rated = await ada.http.post(path, json={"rating": "down", "reason": "Too\nlong"})
    assert rated.json() == {"rating": "down", "reason": "Too\nlong"}
    assert (await messages(ada, thread))[1]["feedback"] == {"rating": "down", "reason": "Too\nlong"}
    exported = await ada.http.get(f"/threads/{thread}/export")
    assert exported.headers["content-type"] == "text/markdown; charset=utf-8"
    assert exported.headers["content-disposition"] == f'attachment; filename="{thread}.md"'
    parts = exported.text.split("\n\n")
    assert parts[0] == "# Fugues"
    assert parts[1].startswith("## You · ")
    assert parts[2] == "What is a fugue?"
    assert answer["text"] in exported.text
    assert exported.text.endswith("*Rated down: Too long*\n")
    await ada.http.post(path, json={"rating": "up"})
    assert (await messages(ada, thread))[1]["feedback"] == {"rating": "up", "reason": None}
    await ada.http.post(path, json={"rating": None})
    assert "feedback" not in (await messages(ada, thread))[1]
    on_question = await ada.http.post(f"/threads/{thread}/messages/{question['id']}/feedback", json={"rating": "up"})
    assert on_question.json()["code"] == "message_not_found"


@pytest.mark.parametrize("body", [{}, {"rating": "best"}, {"rating": "up", "reason": "x" * 3_000}])
async def test_an_invalid_rating_is_rejected(ada: ApiClient, body: Json) -> None:
    thread = await conversation(ada, "What is a fugue?")
    answer = (await messages(ada, thread))[1]["id"]
    assert (await ada.http.post(f"/threads/{thread}/messages/{answer}/feedback", json=body)).status_code == 422
