"""Messages that name what they are about are not related to whatever was said before them."""

from itertools import permutations

import pytest

from agent.language.references.antecedents import find_antecedent

UPDATES = {
    "en": """
        we moved to York last month
        my dentist appointment got moved to Monday at 9
        Tom is not my boss anymore, now it's Katrin
        we are going to Greece after all, not Croatia
        Sam and I broke up
        Biscuit died on Sunday
        the landlord put our rent up to 1250
        the new car is coming on Friday
        sertraline is 100mg now
        left Velvet Spoons, joined a new band
        book clubs moved to the 17th
        busted my ankle on the stairs
        wyatt quit karate
        Trev's retiring so it's Jonesy doing the milk
        they've upped the nursery fees to 1100
        op's been cancelled
        the plumber rescheduled to the 4th
        dinner's at 8.30 now
        lost another 3lb
        given up on LaTeX
        sunbeam has 350 users now
        """,
    "de": """
        wir sind nach Köln gezogen
        das Vorstellungsgespräch wurde auf Montag 10 Uhr verschoben
        den Golf hab ich verkauft, fahr jetzt nen Skoda Octavia
        die Miete ist doch nur 940
        Jonas will jetzt doch lieber ein Schlagzeug
        Krüger haben wir abgesagt
        """,
    "es": """
        nos hemos mudado a Málaga
        la entrevista la han pasado al lunes a las 10
        ya no tomo Sintrom, ahora tomo Eliquis
        Martina ya no quiere fiesta de Frozen, ahora la quiere de unicornios
        pau y yo cortamos
        """,
    "fr": """
        on vient d'emménager à Strasbourg
        le rendez-vous chez le kiné est déplacé à lundi 10h
        le mariage d'Inès est reporté au 12 septembre
        ma chef c'est plus Nathalie, c'est Sandrine maintenant
        """,
    "it": """
        mia madre è in ospedale
        da ieri lavoro in un'assicurazione
        l'esame è il 25 gennaio
        """,
    "zh": """
        我搬到苏州了
        看牙医改到下周六上午十点
        春节不去三亚了\uff0c改去昆明
        """,
}


def _related(statement: str, message: str) -> bool:
    return find_antecedent(message, [statement], answers_question=False) is not None


@pytest.mark.parametrize("language", UPDATES)
def test_updates_of_different_things_are_kept_apart(language: str) -> None:
    updates = [line.strip() for line in UPDATES[language].strip().splitlines()]
    assert [pair for pair in permutations(updates, 2) if _related(*pair)] == []


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("sisters flight moved to the 20th", "garage dropped it to £480"),
        ("Exam postponed to jan 11!! thank god", "down to 69 kilos now :)"),
        ("ma fille Emma a 5 ans", "vendredi à 15h j'ai un rendez-vous chez le kiné"),
        ("we've gone with Hughes, starting on 3 November", "I'm 58 and retiring next year"),
        ("la cita con el dermatólogo es el lunes a las 9", "1"),
        ("we adopted a cat called Mimi in May", "Very good!! Now make it rhyme"),
        ("my neighbour Piet has a boat", "no not like that, shorter"),
    ],
)
def test_other_values_and_reactions_are_kept_apart(statement: str, message: str) -> None:
    assert not _related(statement, message)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("Dad's surgery is at St. Bartholomew's on the 22nd.", "They've transferred him to King's"),
        ("Signed the kids up for swimming, Saturdays at nine", "Full! We landed in the Wednesday 4pm group"),
        ("The wedding is on 6 June", "the wedding is postponed to September"),
        ("I have a dentist appointment on the 8th at 2 pm", "make that the 9th"),
        ("we're naming him Theodore", "lol wife vetoed. Callum it is"),
        ("The concert is on Friday", "it's on the 9th actually"),
        ("my sister Mel lives in Chiang Mai", "shes 34"),
        ("my gf is called Tasha btw", "soooo me and tasha broke up on friday"),
    ],
)
def test_what_refers_to_a_statement_is_still_related(statement: str, message: str) -> None:
    assert _related(statement, message)
