"""Words of the query count besides its vector, also those of neighbours in the conversation."""

import pytest

from integration.store.embedder import WORDS, WordEmbedder, cosine, vector
from integration.store.stores import EXACT, STOCK, Namespace, Store, indexed, keys_of, opened, rows

CONVERSATION = ("thread", "ts")


async def _put(store: Store, home: Namespace, *texts: str) -> None:
    for key, text in enumerate(texts):
        await store.aput(home, str(key), {"text": text})


async def test_an_item_is_found_by_a_word_outside_the_vector(exact: Store, home: Namespace) -> None:
    await _put(exact, home, *(f"Something about the weather on day {n}" for n in range(30)), "Her parrot is Zorblax")
    [found] = await exact.asearch(home, query="Who is Zorblax?", limit=1)
    assert found.key == "30"


async def test_words_do_not_change_the_score(exact: Store, home: Namespace) -> None:
    await _put(exact, home, "a red car", "a green house", "Zorblax has a violin")
    found = await exact.asearch(home, query="the red violin of Zorblax", limit=3)
    assert keys_of(found)[0] == "2"
    for item in found:
        assert item.score == pytest.approx(cosine(vector(item.value["text"]), vector("the red violin of Zorblax")))


async def test_a_rare_word_weighs_more_than_a_common_one(exact: Store, home: Namespace) -> None:
    await _put(exact, home, "Zorblax", *("weather " * n for n in range(1, 20)))
    [found] = await exact.asearch(home, query="weather Zorblax", limit=1)
    assert found.key == "0"


async def test_word_endings_and_stop_words_are_ignored(exact: Store, home: Namespace) -> None:
    await _put(exact, home, *(f"The what and the where of it, number {n}" for n in range(10)), "They adopted kittens")
    [found] = await exact.asearch(home, query="What about the adoption of the kitten?", limit=1)
    assert found.key == "10"


@pytest.mark.parametrize(
    "query", ["", "  ", "the of and", "it's \\ ' \" & | ! ( ) : * <-> 'x'", "a" * 3_000, "?" * 500]
)
async def test_queries_are_not_interpreted_as_syntax(exact: Store, home: Namespace, query: str) -> None:
    await _put(exact, home, "a red car", "it's a \\ backslash 'x' in <-> quotes")
    assert len(await exact.asearch(home, query=query)) == 2


async def test_an_answer_is_found_by_the_words_of_its_question(new_database: str) -> None:
    home = ("users", "ada", "episodes")
    async with opened(EXACT, new_database, index=indexed(WordEmbedder(), conversation=CONVERSATION)) as store:
        await store.setup()
        said = ["Good morning!", "Where did you buy the Zorblax?", "In Lisbon, last May.", "Bye then.", "See you."]
        for n, text in enumerate(said):
            for thread in ("one", "two"):
                value = {"text": text if thread == "one" else f"Nothing of note {n}", "thread": thread, "ts": str(n)}
                await store.aput(home, f"{thread}-{n}", value)
        found = keys_of(await store.asearch(home, query="Where is the Zorblax from?", limit=3))
        assert found[0] == "one-1"
        assert "one-2" in found


async def test_items_without_a_conversation_have_no_neighbours(exact: Store, home: Namespace) -> None:
    await _put(exact, home, "one", "Zorblax", "two", "three")
    found = await exact.asearch(home, query="Zorblax", limit=4)
    assert found[0].key == "1"
    assert {item.score for item in found[1:]} == {found[1].score}
    assert keys_of(found[1:]) == ["0", "2", "3"]


async def test_word_endings_depend_on_the_language(new_database: str) -> None:
    home, texts = ("users", "ada"), ["Sie hat zwei Katzen", "Die Katze schläft"]
    for language, sees in (("german", {"katz"}), ("klingon", {"katz", "katzen", "katze"})):
        async with opened(EXACT, new_database, index=indexed(WordEmbedder(), language=language)) as store:
            await store.setup()  # also gives the words of the other language up
            await _put(store, home, *texts)
        words = await rows(new_database, "SELECT unnest(tsvector_to_array(words)) FROM store_vectors")
        assert {word for (word,) in words if word.startswith("katz")} == sees


async def test_setup_extracts_the_words_of_stock_items(new_database: str) -> None:
    home = ("users", "ada")
    async with opened(EXACT, new_database, index=indexed(WordEmbedder())) as store:
        await store.setup()
    async with opened(STOCK, new_database, index=indexed(WordEmbedder())) as stock:
        await _put(stock, home, *(f"nothing {n}" for n in range(1_500)), "Zorblax")
    async with opened(EXACT, new_database, index=indexed(WordEmbedder())) as store:
        await store.setup()
        assert keys_of(await store.asearch(home, query="Zorblax", limit=1)) == ["1500"]
    assert await rows(new_database, "SELECT count(*) FROM store_vectors WHERE words IS NULL") == [(0,)]


async def test_a_long_text_is_found_by_its_first_words(exact: Store, home: Namespace) -> None:
    text = "Zorblax " + " ".join(f"word{n}" for n in range(20_000)) + f" {WORDS[0]}"
    await _put(exact, home, text, "something else")
    [found] = await exact.asearch(home, query="Zorblax", limit=1)
    assert found.value["text"] == text


async def test_an_old_pgvector_is_rejected_with_the_remedy(new_database: str) -> None:
    async with opened(EXACT, new_database, index=indexed(WordEmbedder())) as store:
        await store.setup()
        await rows(new_database, "UPDATE pg_extension SET extversion = '0.6.2' WHERE extname = 'vector'")
        with pytest.raises(Exception, match=r"0\.6\.2 is too old.*ALTER EXTENSION vector UPDATE"):
            await store.setup()
