"""A change of something else is not related to an older statement that only has the same subject."""

import pytest

from agent.language.references.relations import shared_things

UNRELATED = [
    ("priya ist vegan", "priya hat den test bestanden"),
    ("Tom is vegan", "Tom passed his driving test"),
    ("my sister Priya is vegan", "Priya got promoted"),
    ("Ben has two kids", "Ben moved to a new team"),
    ("Lea fährt einen Polo", "Lea ist befördert worden"),
    ("Ana vive en Lugo", "Ana ha cambiado de trabajo"),
    ("Marta es enfermera", "Marta por fin aprobó el carnet"),
    ("Léa est allergique aux noix", "Léa a réussi son permis"),
    ("Giulia è vegana", "Giulia ha superato l'esame"),
    ("Sanne woont in Gent", "Sanne is geslaagd voor haar examen"),
    ("Rui mora em Braga", "Rui passou no exame"),
    ("Kasia jest wegetarianką", "Kasia sprzedała samochód"),
    ("My laptop is a ThinkPad X1", "My laptop finally runs Linux now."),
    ("our granddaughter Emily plays the violin", "Emily has braces now, poor love."),
]
RELATED = [
    ("priya ist vegan", "priya ist nicht mehr vegan"),
    ("Tom lives in Leeds", "Tom moved to York"),
    ("Ana vive en Lugo", "Ana se ha mudado a Vigo"),
    ("Giulia è vegana", "Giulia non è più vegana"),
    ("Ben is on the sales team", "Ben moved to a new team"),
    ("Tom is coming on Friday", "Tom cancelled"),
    ("My sister Ines lives in Bristol", "Ines packed up and took the little one to Cardiff"),
    ("pottery is on Tuesdays", "pottery got cancelled"),
    ("Crossfit is my thing", "Crossfit bores me now"),
    ("my French is good", "my French got rusty"),
    ("my boss is lovely", "my boss is awful now"),
    ("my knee hurts on stairs", "my knee is fine again"),
    ("meine Wohnung ist ruhig", "meine Wohnung ist jetzt laut"),
    ("my phone is a pixel 8", "my phone got stolen"),
    ("Obsidian is our wiki", "Obsidian got too slow"),
]
OF_ANOTHER_PERSON = [
    ("dentist with Dr Patel on Monday", "Lily's dentist is now with Dr Kim on Wednesday"),
    ("my cast comes off on Friday", "Max's cast finally came off"),
]


@pytest.mark.parametrize(("old", "new"), UNRELATED)
def test_a_change_with_the_same_subject_only_is_unrelated(old: str, new: str) -> None:
    assert shared_things(new, old) == frozenset()


@pytest.mark.parametrize(("old", "new"), RELATED)
def test_a_change_of_the_subject_or_of_its_place_or_day_is_related(old: str, new: str) -> None:
    assert shared_things(new, old)


@pytest.mark.parametrize(("old", "new"), OF_ANOTHER_PERSON)
def test_a_change_of_what_another_person_has_is_unrelated(old: str, new: str) -> None:
    assert shared_things(new, old) == frozenset()
