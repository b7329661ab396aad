"""What a request to forget means: certain memories, a list to choose from, or nothing."""

import pytest

from agent.language.requests.memory_requests import memory_requests
from agent.memory.editing.selection import Statement, select, select_words

MEMORIES = [
    "Likes hiking",
    "Lives in London",
    "Sister lives in Leeds",
    "Sister is called Ann",
    "Is allergic to peanuts since childhood",
    "Likes jazz and opera",
    "Does not eat pork",
    "Is 30 years old",
    "Ex is called Tom",
    "Wohnt in Leipzig",
    "Brother is called James",
    "Habite à Grenoble",
    "我住在伦敦",
]
STATEMENTS = [Statement(str(n), text, "2026-01-01") for n, text in enumerate(MEMORIES)]


def selected(message: str) -> tuple[list[str], list[str]]:
    [request] = memory_requests(message)
    selection = select(request, STATEMENTS)
    return [one.text for one in selection.certain], [one.text for one in selection.offered]


@pytest.mark.parametrize(
    ("message", "memory"),
    [
        ("forget that I live in London", "Lives in London"),
        ("Forget that I'm allergic to peanuts.", "Is allergic to peanuts since childhood"),
        ("Please forget that my sister lives in Leeds", "Sister lives in Leeds"),
        ("forget that my sister is called Ann", "Sister is called Ann"),
        ("forget that I don't eat pork", "Does not eat pork"),
        ("forget that I am 30 years old", "Is 30 years old"),
        ("forget everything about my ex", "Ex is called Tom"),
        ("Vergiss, dass ich in Leipzig wohne.", "Wohnt in Leipzig"),
        ("Oublie que j'habite à Grenoble.", "Habite à Grenoble"),
        ("忘记我住在伦敦", "我住在伦敦"),
    ],
)
def test_the_memory_that_is_named_is_selected(message: str, memory: str) -> None:
    assert selected(message) == ([memory], [])


@pytest.mark.parametrize(
    ("message", "memory"),
    [
        ("forget that I live in Leeds", "Sister lives in Leeds"),
        ("forget that I like jazz", "Likes jazz and opera"),
        ("forget that I eat pork", "Does not eat pork"),
        ("forget that my brother lives in London", "Lives in London"),
        ("forget that I hate hiking", "Likes hiking"),
    ],
)
def test_what_may_be_meant_is_only_offered(message: str, memory: str) -> None:
    certain, offered = selected(message)
    assert certain == []
    assert memory in offered


@pytest.mark.parametrize(
    ("message", "memory", "is_certain"),
    [
        ("forget that I live in London", "Lives in London, near Camden market", True),
        ("forget that I'm a nurse", "Is a nurse at St James's in Leeds", True),
        ("forget that I play tennis", "Plays tennis with Anna", True),
        ("Vergiss bitte, dass ich in Kassel wohne.", "Ich wohne in Kassel in der Goethestraße", True),
        ("forget that I drink coffee", "Drinks coffee with my husband every morning", False),
        ("forget that I live in London", "Moved to London in 2019", False),
        ("forget that I'm allergic to nuts", "Is allergic to nuts and dairy", False),
        ("Forget that I play tennis", "My son Ben plays tennis", False),
        ("forget my debts", "I owe about 3k on my credit card", False),
        ("forget my diagnosis", "Was diagnosed with bipolar in 2019", False),
        ("forget how I voted", "Voted for the Greens last time", False),
        ("forget my weight", "I weigh 94 kilos", False),
    ],
)
def test_the_statement_with_a_detail_is_selected_and_others_are_offered(
    message: str, memory: str, *, is_certain: bool
) -> None:
    [request] = memory_requests(message)
    selection = select(request, [Statement("0", memory, "2026-01-01"), Statement("1", "Likes jazz", "2026-01-01")])
    found = selection.certain if is_certain else selection.offered
    assert [one.text for one in found] == [memory]


@pytest.mark.parametrize(
    "message",
    [
        "forget that I like chess",
        "forget that I live in Lisbon",
        "forget that I am 40",
        "forget everything about jam",
        "forget my dog",
        "Vergiss, dass ich in Dresden wohne.",
        "忘记我喜欢音乐",
    ],
)
def test_nothing_is_selected_if_nothing_like_it_is_remembered(message: str) -> None:
    assert selected(message) == ([], [])


@pytest.mark.parametrize("words", ["Lives in London", "that I live in London", "everything about London"])
def test_words_of_a_command_select_like_a_request(words: str) -> None:
    assert [one.text for one in select_words(words, STATEMENTS).certain] == ["Lives in London"]


@pytest.mark.parametrize("word", ["", " called"])
def test_one_name_of_several_people_is_only_offered(word: str) -> None:
    texts = [f"My sister{word} Anna lives in Rome.", f"My colleague{word} Anna is pregnant."]
    statements = [Statement(text, text, "2026-01-01") for text in texts]
    selection = select_words("everything about Anna", statements)
    assert (selection.certain, [one.text for one in selection.offered]) == ((), texts)


APPOINTMENTS = "I have two appointments: the optician on 2 December and the barber on 4 December."
TANGO = "Ricordati che il martedì ho lezione di tango e che mia nonna si chiama Ada."


@pytest.mark.parametrize(
    ("words", "text", "offered"),
    [
        ("the barber appointment", APPOINTMENTS, "the barber on 4 December"),
        ("that I go to the optician on 2 December", APPOINTMENTS, "the optician on 2 December"),
        ("tango", TANGO, "il martedì ho lezione di tango"),
        ("my cat", "Has a dog and a cat", "a cat"),
        ("my appointments", APPOINTMENTS, APPOINTMENTS),
        ("the optician and the barber", APPOINTMENTS, APPOINTMENTS),
        ("jazz", "Likes jazz and opera", "Likes jazz and opera"),
    ],
)
def test_of_a_list_what_is_named_is_only_offered(words: str, text: str, offered: str) -> None:
    selection = select_words(words, [Statement("1", text, "2026-01-01")])
    assert (selection.certain, [one.text for one in selection.offered]) == ((), [offered])
