"""Corrections: the newer statement counts immediately, in every thread, and replaces the older one in memory."""

import pytest

from support.client import ApiClient, new_thread

CORRECTIONS = [
    line.split(" | ")
    for line in """
I love mushrooms. | I hate mushrooms. | Do I like mushrooms? | Loves mushrooms | Hates mushrooms
I'm 29. | I turned 30 yesterday! | How old am I? | 29 | Turned 30
I'm vegan. | I'm not vegan anymore. | Am I vegan? | Is vegan | Is no longer vegan
Call me Bob. | my name is Robert | What is my name? | Bob | Name is Robert
I live in Oslo. | I've relocated to Madrid. | Where do I live? | Oslo | Madrid
I work at Acme. | I quit my job at Acme. | Do I work at Acme? | Works at Acme | Quit my job at Acme
I work at Acme as a tester. | I now work for Globex. | Who do I work for? | Acme | Globex
I'm married to Ana. | We broke up. | Am I married? | Is married | Broke up
My favourite colour is blue. | My new favourite colour is green. | What is my favourite colour? | blue | green
My pronouns are she/her. | My pronouns are they/them now. | What are my pronouns? | she/her | they/them
My time zone is Europe/Oslo. | My time zone is Asia/Tokyo now. | What is my time zone? | Oslo | Tokyo
I don't like jazz. | I love jazz now. | Do I like jazz? | Does not like jazz | Loves jazz
I enjoy horror films. | I can't stand horror films anymore. | Do I enjoy horror films? | Enjoys | Cannot stand
I drink coffee every morning. | I gave up coffee. | Do I drink coffee? | Drinks coffee | Gave up coffee
I drive a Golf. | I replaced my Golf with a Tesla. | Which car do I drive? | Drives a Golf | Tesla
I use Windows. | I switched from Windows to Linux. | Do I use Windows or Linux? | Uses Windows | Switched
I'm single. | I got engaged! | Am I single or engaged? | Is single | Got engaged
I'm vegetarian. | I'm pescatarian now. | Am I vegetarian or pescatarian? | vegetarian | pescatarian
I play tennis on Sundays. | I don't play tennis anymore. | Do I play tennis? | Plays tennis | No longer plays tennis
I'm pregnant. | I'm no longer pregnant. | Am I pregnant? | Is pregnant | Is no longer pregnant
""".strip().splitlines()
]


@pytest.mark.parametrize("correction", CORRECTIONS)
async def test_a_correction_counts_immediately_and_after_processing(ada: ApiClient, correction: list[str]) -> None:
    earlier, later, question, outdated, current = correction
    await ada.send(earlier)
    await ada.flush()
    [before] = await ada.memories(kind="user")
    assert outdated in before["text"]
    await ada.send(later)
    recalled = (await ada.send(question)).recalled
    assert later in recalled
    assert before["text"] not in recalled
    await ada.flush()
    [after] = await ada.memories(kind="user")
    assert current in after["text"]
    assert outdated not in after["text"]
    recalled = (await ada.send(question)).recalled
    assert after["text"] in recalled
    assert before["text"] not in recalled
    history = (await ada.http.get(f"/memories/{before['id']}/history")).json()
    assert history["items"][0]["text"] == before["text"]


@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        ("Ich wohne in Hamburg.", "Ich bin nach Berlin gezogen.", "Wo wohne ich?"),
        ("Ich bin vegan.", "Ich bin nicht mehr vegan.", "Bin ich vegan?"),
        ("Me llamo Lucía.", "Ahora me llamo Lucas.", "¿Cómo me llamo?"),
        ("Vivo en Sevilla.", "Me he mudado a Bilbao.", "¿Dónde vivo?"),
        ("J'habite à Lyon.", "J'ai déménagé à Nantes.", "Où est-ce que j'habite ?"),
        ("Je suis végétarien.", "Je ne suis plus végétarien.", "Suis-je végétarien ?"),
    ],
)
async def test_a_correction_in_another_language_passes_the_earlier_statement(
    ada: ApiClient, earlier: str, later: str, question: str
) -> None:
    await ada.send(earlier)
    await ada.flush()
    await ada.send(later)
    for _ in range(2):
        recalled = (await ada.send(question)).recalled
        assert later in recalled
        assert earlier not in recalled[: recalled.index(later)]
        await ada.flush()


async def test_a_similar_statement_replaces_nothing(ada: ApiClient) -> None:
    for earlier, later in (
        ("I hate mushrooms in soup.", "I love mushrooms on pizza."),
        ("I live in Oslo.", "My brother lives in Madrid."),
        ("I work in Bergen.", "I'm visiting Paris."),
    ):
        await ada.send(earlier)
        await ada.flush()
        await ada.send(later)
        assert (await ada.flush())["replaced"] == 0


async def test_an_introduction_keeps_every_fact(ada: ApiClient) -> None:
    await ada.send(
        "I'm Vera, I'm 44, I live in Riga, I work as a nurse, I have two sons, I'm allergic to nuts, I play the harp,"
        " and my favourite food is soup."
    )
    await ada.flush()
    assert {memory["text"] for memory in await ada.memories(kind="user")} == {
        "Name is Vera",
        "Is 44 years old",
        "Lives in Riga",
        "Works as a nurse",
        "Has two sons",
        "Is allergic to nuts",
        "Plays the harp",
        "Favourite food is soup",
    }


EPISODES = [
    ("Ich wohne in Bremen.", "Ich wohne jetzt in Jena.", "Wo wohne ich?"),
    ("Mi reunión es el martes.", "Mi reunión es el jueves, no el martes.", "¿Cuándo es mi reunión?"),
    ("J'habite à Nice.", "J'habite désormais à Brest.", "Où est-ce que j'habite ?"),
    ("我住在北京。", "我现在住在成都。", "我住在哪里\uff1f"),
]


@pytest.mark.parametrize(("earlier", "later", "question"), EPISODES)
async def test_a_newer_episode_replaces_an_older_one_and_undo_restores_it(
    ada: ApiClient, earlier: str, later: str, question: str
) -> None:
    await ada.send(earlier)
    await ada.flush()
    [before] = await ada.memories(kind="episodic")
    await ada.send(later)
    assert (await ada.flush())["replaced"] == 1
    [after] = await ada.memories(kind="episodic")
    assert after["text"].startswith(later)
    assert before["text"] not in (await ada.send(question)).recalled
    [version] = (await ada.http.get(f"/memories/{before['id']}/history")).json()["items"]
    assert (version["text"], version["why"]) == (before["text"], "replaced")
    (await ada.http.post(f"/memories/{after['id']}/undo")).raise_for_status()
    assert before["text"] in {memory["text"] for memory in await ada.memories(kind="episodic")}


async def test_a_correction_in_the_same_batch_keeps_the_rest_of_the_sentence(ada: ApiClient) -> None:
    await ada.send("Ich wohne in Bremen, und ich sammle Briefmarken.")
    await ada.send("Ich wohne jetzt in Jena.")
    await ada.flush()
    texts = " ".join(memory["text"] for memory in await ada.memories())
    assert "Jena" in texts
    assert "Briefmarken" in texts
    assert "Bremen" not in texts


async def test_statements_of_different_things_remain_next_to_each_other(ada: ApiClient) -> None:
    statements = (
        "Tengo un gato.",
        "Ahora tengo un perro.",
        "Mi hermano vive en Lugo.",
        "Mi hermana vive ahora en Vigo.",
    )
    for statement in statements:
        await ada.send(statement)
        assert (await ada.flush())["replaced"] == 0
    texts = " ".join(memory["text"] for memory in await ada.memories())
    assert all(statement.rstrip(".") in texts for statement in statements)


async def test_a_replaced_fact_leaves_what_else_it_states(ada: ApiClient) -> None:
    await ada.send("I'm vegan and coeliac.")
    await ada.flush()
    await ada.send("I'm not vegan anymore.")
    await ada.flush()
    texts = {memory["text"] for memory in await ada.memories()}
    assert texts == {"I'm coeliac", "I'm not vegan anymore.", "Is no longer vegan"}


async def test_a_replaced_fact_leaves_what_precedes_and_follows_the_outdated_words(ada: ApiClient) -> None:
    await ada.send("I code in Python with VS Code on a ThinkPad.")
    await ada.flush()
    await ada.send("Ditched VS Code for Neovim.")
    await ada.flush()
    texts = {memory["text"] for memory in await ada.memories()}
    assert texts == {"I code in Python on a ThinkPad", "Ditched VS Code for Neovim."}


async def test_what_supersedes_a_standing_memory_is_standing(ada: ApiClient) -> None:
    await ada.send("I work at a bakery.")
    await ada.flush()
    update = "omg finally out of the bakery, started at a vets and i love it"
    await ada.send(update)
    await ada.flush()
    recalled = (await ada.send("What should I wear tomorrow?")).recalled
    assert update in recalled
    assert "Works at a bakery" not in recalled


async def test_what_replaces_a_fact_without_naming_its_topic_is_recalled_for_the_topic(ada: ApiClient) -> None:
    await ada.send("I use Notion for my notes.")
    await ada.flush()
    await ada.send("Moved everything from Notion to Obsidian.", thread=new_thread())
    await ada.flush()
    reply = await ada.send("Which notes app do I use?", thread=new_thread())
    assert reply.recalled == ["Moved everything from Notion to Obsidian."]
