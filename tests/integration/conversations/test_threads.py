"""Threads: pagination, search, renaming, and deletion with or without their memories."""

import pytest

from agent.models.offline_phrases import PHRASES
from support.client import ApiClient, Json, new_thread


async def _pages(client: ApiClient, **query: str) -> list[list[Json]]:
    """Read the whole list, two threads per page."""
    pages: list[list[Json]] = []
    before: str | None = ""
    while before is not None:
        parameters = query | {"limit": "2"} | ({"before": before} if before else {})
        page = (await client.http.get("/threads", params=parameters)).raise_for_status().json()
        pages.append(page["items"])
        before = page["next_cursor"]
    return pages


async def _create(client: ApiClient, title: str) -> str:
    return str((await client.http.post("/threads", json={"title": title})).json()["thread_id"])


async def _search(client: ApiClient, q: str) -> list[Json]:
    return list((await client.http.get("/threads", params={"q": q})).raise_for_status().json()["items"])


async def _titles(client: ApiClient, q: str) -> list[str]:
    return [item["title"] for item in await _search(client, q)]


async def test_pages_neither_skip_nor_repeat_threads_while_threads_move(ada: ApiClient) -> None:
    *_, moving, _, last_seen, _ = threads = [await _create(ada, f"Thread {n}") for n in range(7)]
    seen: list[str] = []
    query = {"limit": "2"}
    for updated in ([moving], [new_thread(), last_seen], []):
        page = (await ada.http.get("/threads", params=query)).json()
        seen += [item["thread_id"] for item in page["items"]]
        for thread in updated:
            await ada.send("Hello.", thread=thread)
        query["before"] = page["next_cursor"]
    assert page["next_cursor"] is None
    assert seen == [thread for thread in reversed(threads) if thread != moving]
    top = (await ada.http.get("/threads", params={"limit": "1"})).json()["items"]
    assert top[0]["thread_id"] == last_seen


async def test_a_cursor_is_valid_in_a_url_without_escaping(ada: ApiClient) -> None:
    for n in range(2):
        await _create(ada, f"Thread {n}")
    cursor = (await ada.http.get("/threads?limit=1")).json()["next_cursor"]
    rest = (await ada.http.get(f"/threads?limit=1&before={cursor}")).json()
    assert ([item["title"] for item in rest["items"]], rest["next_cursor"]) == (["Thread 0"], None)


async def test_a_message_moves_its_thread_to_the_top(ada: ApiClient) -> None:
    older, newer = await _create(ada, "Older"), await _create(ada, "Newer")
    listed = [item["thread_id"] for [item] in [(await _pages(ada))[0][:1]]]
    assert listed == [newer]
    await ada.send("Hello.", thread=older)
    assert [item["thread_id"] for item in (await _pages(ada))[0]] == [older, newer]


async def test_search_finds_threads_by_their_messages_the_latest_first(ada: ApiClient) -> None:
    harbour, boats = new_thread(), new_thread()
    await ada.send("Tell me about the old\nharbour of Oslo, please.", thread=harbour)
    await ada.send("Which boats are there?", thread=boats)
    await ada.send("And who sails out of the harbour?", thread=boats)
    await ada.send("Something else.")
    results = await _search(ada, "harbour")
    assert [(item["thread_id"], item["snippet"]) for item in results] == [
        (boats, "And who sails out of the harbour?"),
        (harbour, "Tell me about the old harbour of Oslo, please."),
    ]


async def test_search_requires_all_words_in_one_message_or_title_in_any_order(ada: ApiClient) -> None:
    await _create(ada, "Boats of Bergen")
    await ada.send("The harbour of Oslo is old.")
    assert await _titles(ada, "oslo HARB") == ["The harbour of Oslo is old."]
    assert await _titles(ada, "bergen boat") == ["Boats of Bergen"]
    assert await _titles(ada, "harbour bergen") == []


async def test_search_treats_wildcards_literally(ada: ApiClient) -> None:
    await _create(ada, r"100% of C:\temp_1")
    await _create(ada, "1000 times Ærø, 東京に住んでいます")
    assert await _titles(ada, "100%") == [r"100% of C:\temp_1"]
    assert await _titles(ada, r"\temp_") == [r"100% of C:\temp_1"]
    assert await _titles(ada, "ærø 東京") == ["1000 times Ærø, 東京に住んでいます"]
    assert await _titles(ada, "%") == [r"100% of C:\temp_1"]


async def test_a_title_match_has_no_snippet_and_a_message_match_a_short_one(ada: ApiClient) -> None:
    await _create(ada, "Violins")
    await ada.send("word " * 500 + "about violins " + "word " * 500)
    long, titled = await _search(ada, "violins")
    assert titled["snippet"] is None
    assert "about violins" in long["snippet"]
    assert (long["snippet"][0], long["snippet"][-1]) == ("…", "…")
    assert len(long["snippet"]) < 200


async def test_search_results_are_paginated(ada: ApiClient) -> None:
    threads = [new_thread() for _ in range(5)]
    for thread in threads:
        await ada.send("Tell me about boats.", thread=thread)
        await ada.send("Something else.")
    pages = await _pages(ada, q="boats")
    assert [[item["thread_id"] for item in page] for page in pages] == [threads[4:2:-1], threads[2:0:-1], threads[:1]]


@pytest.mark.parametrize("q", ["", "  "])
async def test_an_empty_query_lists_all_threads(ada: ApiClient, q: str) -> None:
    await _create(ada, "Violins")
    assert [(item["title"], "snippet" in item) for item in await _search(ada, q)] == [("Violins", False)]


@pytest.mark.parametrize("q", ["a\0b", "x" * 501])
async def test_an_invalid_query_is_rejected(ada: ApiClient, q: str) -> None:
    answer = await ada.http.get("/threads", params={"q": q})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_text")


async def test_search_never_finds_another_users_threads(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send("Tell me about the harbour.")
    assert await _search(bob, "harbour") == []


async def test_renaming_normalises_the_title_and_keeps_the_order(ada: ApiClient) -> None:
    older, newer = await _create(ada, "Older"), await _create(ada, "Newer")
    renamed = (await ada.http.patch(f"/threads/{older}", json={"title": " At\nhome\x1b "})).json()
    assert renamed["title"] == "At home"
    assert [item["thread_id"] for item in (await _pages(ada))[0]] == [newer, older]


async def test_deleting_a_thread_with_forget_reports_the_number_of_forgotten_memories(ada: ApiClient) -> None:
    kept, deleted = new_thread(), new_thread()
    await ada.send("I live in Oslo.", thread=kept)
    await ada.send("I live in Oslo. I play the violin.", thread=deleted)
    await ada.flush()
    before = {memory["id"] for memory in await ada.memories()}
    answer = await ada.http.delete(f"/threads/{deleted}?forget=true")
    after = {memory["id"] for memory in await ada.memories()}
    assert (answer.status_code, answer.json()) == (200, {"forgotten": len(before - after)})
    assert after < before
    assert (await ada.http.delete(f"/threads/{deleted}?forget=true")).status_code == 404


async def test_a_secret_is_not_remembered_and_leaves_with_its_thread(ada: ApiClient) -> None:
    thread = new_thread()
    reply = await ada.send("my pin is 4821", thread=thread)
    assert reply.text == PHRASES["en"].credentials_refused
    await ada.flush()
    assert await ada.memories() == []
    assert [item["thread_id"] for item in await _search(ada, "4821")] == [thread]
    await ada.http.delete(f"/threads/{thread}")
    assert await _search(ada, "4821") == []


async def test_deleting_a_thread_without_forget_keeps_its_memories(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I play the violin.", thread=thread)
    await ada.flush()
    before = await ada.memories()
    answer = await ada.http.delete(f"/threads/{thread}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert await ada.memories() == before
    assert await _search(ada, "violin") == []
