"""What belongs to the user is told from what another person has."""

import pytest

from agent.language.words.possession import belongs_to_other

OF_OTHERS = [
    ("My exam got moved to Monday", "My boss has an exam on Friday"),
    ("My exam got moved to Monday", "Tom has an exam on Friday"),
    ("meine Prüfung wurde auf Montag verschoben", "Mein Chef hat am Freitag Prüfung"),
    ("mi examen se ha movido al lunes", "Mi jefe tiene un examen el viernes"),
    ("mon examen a été reporté à lundi", "Mon chef a un examen vendredi"),
    ("il mio esame è stato spostato a lunedì", "Il mio capo ha un esame venerdì"),
    ("o meu exame mudou para segunda", "O meu chefe tem um exame na sexta"),
    ("mijn examen is verzet", "Mijn baas heeft vrijdag examen"),
]
OWN = [
    ("my exam moved", "my exam is on Friday"),
    ("my exam moved", "I have an exam on Friday"),
    ("my exam moved", "Tom and I have an exam on Friday"),
    ("my sister's exam moved", "My sister has an exam"),
    ("Our car was sold", "My wife has our car on Fridays"),
    ("our exam moved", "My son has an exam with me"),
    ("my mother lives with us now", "My mother lives in a care home"),
]


@pytest.mark.parametrize(("new", "old"), OF_OTHERS)
def test_what_another_person_has_is_not_the_users(new: str, old: str) -> None:
    assert belongs_to_other(new, old)


@pytest.mark.parametrize(("new", "old"), OWN)
def test_what_both_texts_say_of_the_user_or_of_one_person_is_the_same(new: str, old: str) -> None:
    assert not belongs_to_other(new, old)
