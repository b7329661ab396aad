"""A change replaces only what it makes untrue: whatever else the same statement says is kept, in facts and episodes."""

import pytest

from support.client import ApiClient

CHANGES = [
    ("I'm vegetarian and allergic to kiwi", "I eat fish now btw", ["allergic to kiwi", "Eats fish"]),
    (
        "budget is 18k, my parents are putting in 5k of that",
        "the budget is 21k now, Tom's parents chipped in 3",
        ["my parents are putting in 5k of that", "the budget is 21k now, Tom's parents chipped in 3"],
    ),
    (
        "we're planning a cruise in May with the Vogels on Viking",
        "the Vogels have backed out of the cruise",
        ["the Vogels have backed out of the cruise", "we're planning a cruise in May on Viking"],
    ),
    (
        "i'm doing A levels in maths, english, physics, history and music",
        "i dropped history",
        ["i'm doing A levels in maths, english, physics, history and music … i dropped history"],
    ),
    (
        "players are Jess (rogue), Omar (wizard) and Steve (barbarian)",
        "Omar takes antihistamines now",
        ["players are Jess (rogue), Omar (wizard) and Steve (barbarian) … Omar takes antihistamines now"],
    ),
    (
        "la nonna prende la pastiglia alle 8 e va dal cardiologo il 3 dicembre alle 11",
        "il cardiologo di nonna è rimandato al 10 dicembre, stessa ora",
        [
            "la nonna prende la pastiglia alle 8 e va dal cardiologo il 3 dicembre alle 11"
            " → il cardiologo di nonna è rimandato al 10 dicembre, stessa ora"
        ],
    ),
    (
        "my daughter Mia swims on Mondays at 5 in the Neptun pool",
        "Mia swims on Tuesdays now, same time",
        [
            "Daughter is called Mia",
            "my daughter Mia swims on Tuesdays at 5 in the Neptun pool",
        ],
    ),
    (
        "our rent goes up to 950 euro in january, is that legal in belgium?",
        "the landlord changed his mind, rent will be 920",
        [
            "our rent goes up to 950 euro in january, is that legal in belgium"
            " → the landlord changed his mind, rent will be 920"
        ],
    ),
]


@pytest.mark.parametrize(("earlier", "later", "kept"), CHANGES)
async def test_a_change_leaves_the_rest_of_a_statement(
    ada: ApiClient, earlier: str, later: str, kept: list[str]
) -> None:
    await ada.send(earlier)
    await ada.flush()
    await ada.send(later)
    await ada.flush()
    assert sorted(memory["text"] for memory in await ada.memories()) == sorted(kept)


async def test_a_moved_appointment_has_the_date_of_its_new_day(ada: ApiClient) -> None:
    await ada.send("my dress fitting is next thursday at 3 with Bella in Hereford")
    await ada.flush()
    await ada.send("my dress fitting moved to friday same time")
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"].startswith("my dress fitting is next friday at 3 with Bella in Hereford")
