"""The list of threads: read in pages, searched, renamed, and deleted with what they taught."""

import pytest

from support.client import ApiClient, Json, new_thread


async def _pages(client: ApiClient, **query: str) -> list[list[Json]]:
    """Read the list to its end, two threads at a time."""
    pages: list[list[Json]] = []
    before: str | None = ""
    while before is not None:
        given = query | {"limit": "2"} | ({"before": before} if before else {})
        page = (await client.http.get("/threads", params=given)).raise_for_status().json()
        pages.append(page["items"])
        before = page["next_cursor"]
    return pages


async def _make(client: ApiClient, title: str) -> str:
    return str((await client.http.post("/threads", json={"title": title})).json()["thread_id"])


async def _found(client: ApiClient, q: str) -> list[Json]:
    return list((await client.http.get("/threads", params={"q": q})).raise_for_status().json()["items"])


async def _titles(client: ApiClient, q: str) -> list[str]:
    return [item["title"] for item in await _found(client, q)]


async def test_whoever_reads_on_misses_nothing_and_sees_nothing_twice_while_threads_move(ada: ApiClient) -> None:
    *_, moving, _, last_seen, _ = threads = [await _make(ada, f"Thread {n}") for n in range(7)]
    seen: list[str] = []
    query = {"limit": "2"}
    for spoken_in in ([moving], [new_thread(), last_seen], []):
        page = (await ada.http.get("/threads", params=query)).json()
        seen += [item["thread_id"] for item in page["items"]]
        for thread in spoken_in:
            await ada.send("Hello.", thread=thread)
        query["before"] = page["next_cursor"]
    assert page["next_cursor"] is None
    assert seen == [thread for thread in reversed(threads) if thread != moving]
    top = (await ada.http.get("/threads", params={"limit": "1"})).json()["items"]
    assert top[0]["thread_id"] == last_seen


async def test_a_cursor_can_stand_in_an_address_as_it_is(ada: ApiClient) -> None:
    for n in range(2):
        await _make(ada, f"Thread {n}")
    cursor = (await ada.http.get("/threads?limit=1")).json()["next_cursor"]
    rest = (await ada.http.get(f"/threads?limit=1&before={cursor}")).json()
    assert ([item["title"] for item in rest["items"]], rest["next_cursor"]) == (["Thread 0"], None)


async def test_a_thread_moves_up_as_soon_as_something_is_said_in_it(ada: ApiClient) -> None:
    older, newer = await _make(ada, "Older"), await _make(ada, "Newer")
    listed = [item["thread_id"] for [item] in [(await _pages(ada))[0][:1]]]
    assert listed == [newer]
    await ada.send("Hello.", thread=older)
    assert [item["thread_id"] for item in (await _pages(ada))[0]] == [older, newer]


async def test_threads_are_found_by_what_was_said_in_them_the_latest_first(ada: ApiClient) -> None:
    harbour, boats = new_thread(), new_thread()
    await ada.send("Tell me about the old\nharbour of Oslo, please.", thread=harbour)
    await ada.send("Which boats are there?", thread=boats)
    await ada.send("And who sails out of the harbour?", thread=boats)
    await ada.send("Something else.")
    found = await _found(ada, "harbour")
    assert [(item["thread_id"], item["snippet"]) for item in found] == [
        (boats, "And who sails out of the harbour?"),
        (harbour, "Tell me about the old harbour of Oslo, please."),
    ]


async def test_all_words_must_be_in_one_message_or_in_the_title_in_any_order(ada: ApiClient) -> None:
    await _make(ada, "Boats of Bergen")
    await ada.send("The harbour of Oslo is old.")
    assert await _titles(ada, "oslo HARB") == ["The harbour of Oslo is old."]
    assert await _titles(ada, "bergen boat") == ["Boats of Bergen"]
    assert await _titles(ada, "harbour bergen") == []


async def test_a_search_takes_signs_for_what_they_are(ada: ApiClient) -> None:
    await _make(ada, r"100% of C:\temp_1")
    await _make(ada, "1000 times Ærø, 東京に住んでいます")
    assert await _titles(ada, "100%") == [r"100% of C:\temp_1"]
    assert await _titles(ada, r"\temp_") == [r"100% of C:\temp_1"]
    assert await _titles(ada, "ærø 東京") == ["1000 times Ærø, 東京に住んでいます"]
    assert await _titles(ada, "%") == [r"100% of C:\temp_1"]


async def test_a_title_alone_has_no_snippet_and_a_long_message_a_short_one(ada: ApiClient) -> None:
    await _make(ada, "Violins")
    await ada.send("word " * 500 + "about violins " + "word " * 500)
    long, titled = await _found(ada, "violins")
    assert titled["snippet"] is None
    assert "about violins" in long["snippet"]
    assert (long["snippet"][0], long["snippet"][-1]) == ("…", "…")
    assert len(long["snippet"]) < 200


async def test_what_is_found_is_read_in_pages_while_threads_move(ada: ApiClient) -> None:
    threads = [new_thread() for _ in range(5)]
    for thread in threads:
        await ada.send("Tell me about boats.", thread=thread)
        await ada.send("Something else.")
    pages = await _pages(ada, q="boats")
    assert [[item["thread_id"] for item in page] for page in pages] == [threads[4:2:-1], threads[2:0:-1], threads[:1]]


@pytest.mark.parametrize("q", ["", "  "])
async def test_a_search_for_nothing_lists_everything(ada: ApiClient, q: str) -> None:
    await _make(ada, "Violins")
    assert [(item["title"], "snippet" in item) for item in await _found(ada, q)] == [("Violins", False)]


@pytest.mark.parametrize("q", ["a\0b", "x" * 501])
async def test_a_search_that_cannot_be_is_refused(ada: ApiClient, q: str) -> None:
    answer = await ada.http.get("/threads", params={"q": q})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_text")


async def test_nobody_finds_anothers_threads(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send("Tell me about the harbour.")
    assert await _found(bob, "harbour") == []


async def test_a_title_is_one_line_and_moves_nothing(ada: ApiClient) -> None:
    older, newer = await _make(ada, "Older"), await _make(ada, "Newer")
    renamed = (await ada.http.patch(f"/threads/{older}", json={"title": " At\nhome\x1b "})).json()
    assert renamed["title"] == "At home"
    assert [item["thread_id"] for item in (await _pages(ada))[0]] == [newer, older]


async def test_deleting_a_thread_tells_how_many_memories_were_forgotten(ada: ApiClient) -> None:
    kept, gone = new_thread(), new_thread()
    await ada.send("I live in Oslo.", thread=kept)
    await ada.send("I live in Oslo. I play the violin.", thread=gone)
    await ada.flush()
    before = {memory["id"] for memory in await ada.memories()}
    answer = await ada.http.delete(f"/threads/{gone}?forget=true")
    after = {memory["id"] for memory in await ada.memories()}
    assert (answer.status_code, answer.json()) == (200, {"forgotten": len(before - after)})
    assert after < before
    assert (await ada.http.delete(f"/threads/{gone}?forget=true")).status_code == 404


async def test_deleting_a_thread_alone_forgets_nothing(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I play the violin.", thread=thread)
    await ada.flush()
    before = await ada.memories()
    answer = await ada.http.delete(f"/threads/{thread}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert await ada.memories() == before
    assert await _found(ada, "violin") == []
