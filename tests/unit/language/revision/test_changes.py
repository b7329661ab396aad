"""Statements in other words that end or replace an earlier one, and unrelated ones that do not."""

import pytest

from agent.language.removal.remainder import remainder
from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-05T10:00:00+00:00"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Drives a Skoda", "Traded the Skoda in for a Kia."),
        ("I study law.", "I dropped law and switched to history."),
        ("Rent is 900 pounds", "They put my rent up to 1050."),
        ("Goes to the gym on Mondays", "Gym day is Thursday now."),
        ("Boss is called Helen", "Helen left, my new boss is Kwame."),
        ("Favourite band is Muse", "These days Wet Leg is my favourite band."),
        ("Takes metformin 500 mg twice a day", "I stopped taking metformin"),
        ("Meine Stationsleitung heißt Frau Brandt.", "Frau Brandt geht, die neue Stationsleitung ist Herr Yilmaz."),
        ("Ich arbeite bei Bosch.", "Ich habe bei Bosch gekündigt und bin jetzt bei Zeiss."),
        ("Estudio medicina.", "Dejé medicina y ahora estudio farmacia."),
        ("Mon rendez-vous est à 14h.", "Le rendez-vous est décalé à 16h."),
        ("I take ramipril 5 mg daily", "My GP doubled the ramipril to 10 mg."),
        ("Phone number is 555 0134", "My number changed, it's 555 0199"),
        ("I drink two cups of tea a day.", "I've cut down to one tea a day."),
        ("I vape every day.", "I quit vaping three weeks ago."),
        ("The essay is due on 3 May", "The essay was extended to 9 May."),
        ("Hates olives", "I don't mind olives these days."),
        ("Our friend Nils is visiting in March", "Nils isn't coming after all."),
        ("我住在杭州。", "我搬到厦门了。"),
        ("أعيش في عمان.", "انتقلت إلى إربد."),
    ],
)
def test_a_change_ends_what_it_is_about(old: str, new: str) -> None:
    assert contradicts(new, old, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Rent is 900 pounds", "My sister's rent went up to 1050."),
        ("Takes ramipril 5 mg daily", "The vet doubled the dog's meds to 10 mg."),
        ("Phone number is 555 0134", "The gate code changed, it's 0199."),
        ("Lives with her two kids", "Clara moved to Ulm."),
        ("Our friend Nils is visiting in March", "The plumber isn't coming after all."),
        ("Works as a smith", "I quit my first job in 2009."),
        ("The wedding is on June 12th", "We moved the wedding to June 12th 2027."),
        ("My knee surgery is in May", "My blood pressure is back to normal."),
        ("I eat lunch at 12.", "I eat dinner at 7 now."),
        ("I love Spanish films.", "I gave up on Spanish."),
        ("Drives a Skoda", "My brother sold his Skoda."),
        ("Son is 4", "My son now has 5 goals."),
        ("Was born in Leeds", "We moved from Leeds to York."),
    ],
)
def test_a_change_of_something_else_ends_nothing(old: str, new: str) -> None:
    assert not contradicts(new, old, stated_at=STATED_AT)


def test_only_the_beginning_of_a_long_text_is_searched_for_changes() -> None:
    change, filler = "I dropped law and switched to history. ", "The days are long here. " * 200
    assert contradicts(change + filler, "I study law.", stated_at=STATED_AT)
    assert not contradicts(filler + change, "I study law.", stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later", "rest"),
    [
        (
            "Lily is allergic to nuts and does gymnastics",
            "Lily switched from gymnastics to judo",
            "Lily is allergic to nuts",
        ),
        ("My son loves chess and plays football", "my son quit football", "My son loves chess"),
        ("My wife doesn't eat meat and works at Dell", "my wife quit Dell", "My wife doesn't eat meat"),
        ("I was born in Ulm and play in a band", "I left the band", "I was born in Ulm"),
    ],
)
def test_a_clause_that_cannot_change_does_not_protect_the_others(earlier: str, later: str, rest: str) -> None:
    assert remainder(earlier, later, stated_at=STATED_AT) == rest


@pytest.mark.parametrize("addition", ["we open sundays too now", "we also open on sundays now"])
def test_another_day_replaces_none(addition: str) -> None:
    assert not contradicts(addition, "we're open tuesday to saturday", stated_at=STATED_AT)
