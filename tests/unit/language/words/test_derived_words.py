"""A change names a thing by another word of the same origin: the head of a compound, or the noun for a verb."""

import pytest

from agent.language.references.relations import shared_things
from agent.language.words.derived_words import names_compound

RELATED = [
    ("Meine Frau hat am Dienstag eine Knie-OP", "Die OP wurde auf den 9. Dezember verlegt."),
    ("de hond moet dinsdag gesteriliseerd worden", "de sterilisatie is uitgesteld naar 9 december"),
    ("mein Zahnarzttermin ist am Montag um 9", "der Termin wurde auf Mittwoch verschoben"),
    ("Emma hat ab August einen Kita-Platz im Regenbogen", "der Platz ist erst ab Oktober frei"),
    ("de kat is vrijdag geopereerd aan haar poot", "de operatie van de kat is verplaatst naar maandag"),
]

UNRELATED = [
    ("meine Frau hat am Dienstag eine Knie-OP", "die OP von meinem Vater wurde auf Mittwoch verlegt"),
    ("ik ben dinsdag bij de tandarts geweest", "mijn auto is niet meer in de garage geweest"),
    ("de hond moet gesteriliseerd worden", "de sterilisatie van mijn zus is uitgesteld"),
    ("ich arbeite montags bei der Bahn", "die Autobahn ist am Montag gesperrt"),
    ("mein Parkplatz ist am Haus", "der Platz ist ab Oktober frei"),
    ("meine Stadtwohnung ist laut", "die Stadt feiert jetzt am Samstag"),
    ("der Hausmann kommt am Montag", "der Mann kommt nicht"),
    ("mijn dochter wordt dinsdag geopereerd", "de verjaardag van oma is verplaatst naar zondag"),
]


@pytest.mark.parametrize(("old", "new"), RELATED)
def test_a_change_concerns_what_it_names_by_a_related_word(old: str, new: str) -> None:
    assert shared_things(new, old)


@pytest.mark.parametrize(("old", "new"), UNRELATED)
def test_other_words_of_similar_letters_are_unrelated(old: str, new: str) -> None:
    assert not shared_things(new, old)


def test_a_text_that_names_the_whole_compound_does_not_name_its_head() -> None:
    assert names_compound("die Knie-OP ist am Montag", "am Dienstag ist die Knie-OP") == ""
