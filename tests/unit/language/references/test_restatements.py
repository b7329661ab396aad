"""A range, an age or a number of people takes the place of the one in an earlier statement."""

import pytest

from agent.language.references.corrected_values import with_corrected_value

RANGES_AND_AGES = [
    ("I'm in Paris du 10 au 14", "non, du 12 au 14", "I'm in Paris du 12 au 14"),
    ("the shop is open 9 to 5", "sorry, 9 to 6", "the shop is open 9 to 6"),
    ("The fair runs from 10 to 14 May", "no, 12 to 14", "The fair runs from 12 to 14 May"),
    ("We're in Rome 3-9 June", "sorry, 4-10 June", "We're in Rome 4-10 June"),
    ("Die Messe ist vom 10. bis 14. Mai", "nein, vom 12. bis 15. Mai", "Die Messe ist vom 12. bis 15. Mai"),
    ("El taller abre de 9 a 5", "perdón, de 10 a 6", "El taller abre de 10 a 6"),
    ("The course is Monday to Thursday", "sorry, Tuesday to Friday", "The course is Tuesday to Friday"),
    ("my daughter mia just turned 4", "scratch that, mia is 5", "my daughter mia is 5"),
    ("My son Leo is 9", "Leo turned 10 yesterday", "My son Leo turned 10 yesterday"),
    ("my daughter mia just turned 4", "scratch that, mia is 5, i can't count", "my daughter mia is 5; i can't count"),
    ("meine Tochter Ida ist 3", "Ida ist 4, wie die Zeit vergeht", "meine Tochter Ida ist 4; wie die Zeit vergeht"),
    ("Mein Sohn Ben ist 5", "Ben ist heute 6 geworden", "Mein Sohn Ben ist heute 6 geworden"),
    ("Mi hija Sol tiene 7 años", "Sol acaba de cumplir 8", "Mi hija Sol acaba de cumplir 8"),
    ("My son's name is Jon", "it's spelled John", "My son's name is John"),
    ("I've got a reservation for six", "Two dropped out btw so we're four", "I've got a reservation for four"),
    ("we booked a table for 8 on Friday", "one cancelled so we're 7", "we booked a table for 7 on Friday"),
    ("Dinner is for ten people", "3 can't make it so we are seven now", "Dinner is for seven people"),
    ("reservé una mesa para seis", "dos no vienen así que somos cuatro", "reservé una mesa para cuatro"),
    ("on a réservé pour 8", "deux ont annulé donc on est 6", "on a réservé pour 6"),
]
UNREPLACED = [
    ("We're in Rome from 3 to 9 June and in Bari from 10 to 14 June", "no, 12 to 14"),
    ("The fair runs from 10 to 14 May", "it takes 12 to 14 hours by bus"),
    ("We're in Rome 3-9 June", "sorry, 4-10 July"),
    ("the shop is open 9 to 5", "sorry, 6"),
    ("Emma is 6", "Tom turned 7 today"),
    ("Emma is 6", "Emma is 7, Tom is 4"),
    ("Emma is 6", "Emma is 7, right?"),
    ("Emma is 6", "Emma turned 7 pages today"),
    ("Emma is 6, Tom is 4", "Emma turned 7 today"),
    ("my daughter mia is 4", "mia is 5 minutes late"),
    ("I have six cousins", "two dropped out of uni so we're four"),
    ("we booked a table for 8 at 7pm", "so we're 4 minutes away"),
    ("I've got a reservation for six", "Two buses left so we're late"),
]


@pytest.mark.parametrize(("statement", "correction", "corrected"), RANGES_AND_AGES)
def test_a_range_or_an_age_takes_the_place_of_the_one_before(statement: str, correction: str, corrected: str) -> None:
    assert with_corrected_value(f"{statement} → {correction}") == corrected


@pytest.mark.parametrize(("statement", "correction"), UNREPLACED)
def test_a_range_or_an_age_of_something_else_replaces_nothing(statement: str, correction: str) -> None:
    both = f"{statement} → {correction}"
    assert with_corrected_value(both) == both
