"""Of several messages in a thread, a change is kept with what it names, and an independent statement by itself."""

import pytest

from support.client import ApiClient, new_thread

TENNIS = "I have tennis on the 3rd of March"
MARATHON = "Training for the Manchester marathon, it's in April"
INDEPENDENT = [
    ("Dad's in a care home in Hexham", "mum has dementia and lives with us now"),
    ("The dance show is on Friday.", "They have moved me to the second row! At fifty-eight!"),
    ("Day off is moved to Tuesday.", "And salary is increased to 2900"),
    ("Noreen's spitting nails", "Back's shot too. Doc says lumbar disc."),
    ("die Frau is eigentlich nett", "klingt gut. übrigens bin ich endlich raus aus den nächten"),
    ("busco piso con mi gata", "ah y lo de la boda lo movieron un mes"),
    ("el martes a las 5 tengo fisio", "al final Nico estudia enfermería en Bilbao"),
    ("w piątek o 10 mam fryzjera", "zmiana planów, na święta zostajemy w domu"),
    ("a dermato passou pra sexta dia 4 às 14h30", "Saí da clínica! Começo dia 14 numa escola como secretária"),
]
UPDATES_OF_EARLIER_STATEMENTS = [
    (
        ["mi amigo Rubén me debe 200 euros", "me voy a Japón en marzo con mi novia Inés"],
        ["Rubén ya me ha devuelto 150, me debe solo 50", "al final Japón no, nos vamos a Vietnam en abril"],
    ),
    (
        ["jedziemy na święta do teściów 23 grudnia", "Nasz kot Filemon dostaje insulinę dwa razy dziennie"],
        ["zmiana planów, na święta zostajemy w domu", "pomyłka, Filemon dostaje insulinę raz dziennie, nie dwa"],
    ),
]
SMALL_TALK = ["ta", "hiya me again", "righto will try", "safe danke", "gracias hija", "c'est encore moi", "好啦明白"]


async def texts(api: ApiClient) -> list[str]:
    """What is remembered after the inbox is processed."""
    await api.flush()
    return sorted(memory["text"].rstrip(".") for memory in await api.memories())


async def say(api: ApiClient, *messages: str) -> None:
    """Send messages in one thread."""
    thread = new_thread()
    for message in messages:
        await api.send(message, thread=thread)


async def test_a_change_follows_the_message_with_the_value_that_it_replaces(ada: ApiClient) -> None:
    await say(ada, TENNIS, "my mum hates being touched by strangers", "urgh court mess. its now the 17th")
    assert f"{TENNIS} → urgh court mess. its now the 17th" in await texts(ada)


async def test_details_in_messages_of_their_own_are_kept_with_the_statement(ada: ApiClient) -> None:
    await say(ada, "party's on Friday", "at 8", "at Jo's place")
    [text] = await texts(ada)
    assert text.startswith("party's on Friday; at 8 … at Jo's place")


async def test_details_of_a_question_leave_nothing(ada: ApiClient) -> None:
    await say(ada, "where's a good pizza place?", "in Leeds", "for 4 people")
    assert await texts(ada) == []


async def test_a_change_in_another_thread_is_kept_with_what_it_names(ada: ApiClient) -> None:
    await say(ada, MARATHON)
    await ada.flush()
    await say(ada, "knee's been bad", "so Manchester is off")
    assert await texts(ada) == [f"{MARATHON} … Manchester is off", "knee's been bad"]


async def test_a_change_leaves_the_statement_before_it_if_it_names_another(ada: ApiClient) -> None:
    await say(ada, MARATHON)
    await ada.flush()
    await say(ada, "I've got a bad knee", "Full! so Manchester is off now")
    assert await texts(ada) == ["Has a bad knee", f"{MARATHON} … Full! so Manchester is off now"]


async def test_a_conclusion_is_kept_with_what_its_circumstance_names(ada: ApiClient) -> None:
    school = "It is for my sister's nursing school, she is Jhoanna"
    await say(ada, school)
    await ada.flush()
    stopped, saving = "Jhoanna stopped school for now, she is pregnant", "So maybe I will save for a piggery instead"
    await say(ada, stopped, saving)
    assert await texts(ada) == [f"{school}; {stopped} … {saving}"]


async def test_fragments_are_kept_with_the_sentence_before_them(ada: ApiClient) -> None:
    await say(ada, "Need an audiobook. 11 hours. Westerns or submarines. My cat is called Otto.")
    await ada.flush()
    await say(ada, "audiobooks are out, blew the speakers")
    joined = "Need an audiobook; 11 hours; Westerns or submarines … audiobooks are out, blew the speakers"
    assert joined in await texts(ada)


async def test_a_fact_in_the_users_words_is_replaced_by_its_change(ada: ApiClient) -> None:
    gig = "gig on friday at the Tote, i play bass, need a set list order. 6 songs: Gutter, Mango"
    await say(ada, gig)
    await ada.flush()
    await say(ada, "friday's off btw, no drummer no gig")
    assert await texts(ada) == [
        "gig on friday at the Tote, i play bass, need a set list order … friday's off btw, no drummer no gig"
    ]


@pytest.mark.parametrize(("first", "second"), INDEPENDENT)
async def test_independent_messages_are_kept_separately(ada: ApiClient, first: str, second: str) -> None:
    await say(ada, first, second)
    assert not any("…" in text or "→" in text for text in await texts(ada))


@pytest.mark.parametrize(("statements", "updates"), UPDATES_OF_EARLIER_STATEMENTS)
async def test_updates_in_one_thread_are_kept_with_what_each_names(
    ada: ApiClient, statements: list[str], updates: list[str]
) -> None:
    await say(ada, *statements)
    await ada.flush()
    await say(ada, *updates)
    found = await texts(ada)
    assert not any(all(update in text for update in updates) for text in found)
    assert not set(statements) & set(found)


async def test_a_correction_that_begins_a_thread_follows_only_what_it_names(ada: ApiClient) -> None:
    said = [
        "Coorg is not happening, no rooms. We have booked Wayanad",
        "Father cannot walk, knee replacement in August",
    ]
    for message in reversed(said):
        await say(ada, message)
    assert await texts(ada) == said


async def test_small_talk_leaves_nothing(ada: ApiClient) -> None:
    await say(ada, *SMALL_TALK)
    assert await texts(ada) == []


async def test_a_question_for_a_fact_recalls_the_nearest_memories(ada: ApiClient) -> None:
    for statement in ("I walk to campus every day", "I got a bike, second hand, green", "I'm reading about lichen"):
        await say(ada, statement)
    await ada.flush()
    bike = "I got a bike, second hand, green"
    assert bike in (await ada.send("How do I get to campus?")).recalled
    assert bike not in (await ada.send("Translate 'good morning' into French.")).recalled
