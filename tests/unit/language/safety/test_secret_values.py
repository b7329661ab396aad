"""Secrets that are recognised by their form and by what they open, and ordinary values beside such words."""

import pytest

from agent.language.facts.addressed import is_standing_instruction
from agent.language.safety.credentials import contains_credentials
from agent.memory.formation.coverage import uncovered_statements

SECRETS = [
    "sk-live-4hG7pQ22KmW9cX is what the deploy script uses",
    "Social, spaced out: 6 2 8 1 1 9 0 3 5",
    "gun safe = 4\u20229\u20220\u20222\u20228\u20221, turn left first",
    "Login is capital R, i, v, e, r, forty, exclamation mark.",
    "the answer on file is Marigold",
    "IBAN: DE12 drei vier null acht 0031 0420 00",
    "il lucchetto si apre con trentuno, quarantadue, sedici",
    "le digicode, c'est B puis 41 puis 07",
    "пинкод от карты: один семь, потом восемь два",
    "passcode in NATO letters: Echo Lima Niner Four Zulu",
    "door: 3\ufe0f\u20e3 8\ufe0f\u20e3 8\ufe0f\u20e3 1\ufe0f\u20e3",
    "Alarm: -.... ..--- ----. .----",
    "mail pw, top to bottom:\nG\ni\nn\n_\n7\n7",
    "wallet key begins BE EF 42 and ends 10 FF",
    "locker combo is XII - IV - XXIX",
    "Die Geheimzahl? Zwei Paare, zweiundvierzig und siebzehn.",
    "o pin do meu cartão é 4821",
    "netflix: rosa@mailbox.example / Turnip-Cake-19",
    "the router sticker shows qZ7!pLm2",
    "la del wifi es GatoNegro_2020",
    "for the safe it's thirty-one left, seventeen right, eight left",
    "MY SSN, NO WAIT, IT IS 512 40 9917",
    "门锁按 三 七 七 零",
    "metamask words = orbit lemon garage velvet puzzle ankle tunnel fossil breeze cactus minor spoon",
    "for every password i use 'Hedgehog' and my year",
    "le code de la porte c'est 51A92, garde-le",
    "el código del portal es 77B31",
    "code of the building is A12B9, note it",
    "der code für das tor ist 8841",
    "der Handycode ist 482193",
    "mein Handy Code ist 5512",
    "die PUK von meinem Handy ist 12345678",
    "mein Tresorcode ist 4455667",
    "meine Kontonummer ist 12345678",
    "Sparkassenkonto Nummer 12345678",
]
ORDINARY = [
    'Wir fahren einen Passat, "Ersatzrad" heißt auf Kroatisch rezervni kotač.',
    "My shopping list: a b c",
    "I was born in Port3f538e95cba4.",
    "I live at 12 A B Road and have 3 cats",
    "I grew up in Lima and Quebec and play golf in India",
    "My username on the forum is heron42.",
    "It used 7855 tokens for one answer.",
    "I pay 1200 euros by credit card since 2019.",
    "devo 1800 no cartão e não sei o que fazer",
    "My alarm is at 6:30 and I have two cats.",
    "We moved all our passwords into 1Password last week.",
    "mon code postal c'est 69003",
    "My dress code at work is smart casual.",
    "It is funny how words can make someone tired feel awake again.",
    "meine neue Handynummer ist 0176 5550134",
    "Mamas Handynummer: +49 171 2345678",
    "ruf meine Schwester unter ihrer Handynummer 0172 9988776 an",
    "hab ne neue Nummer: 0160 9876543, sag das bitte allen",
    "mijn telefoonnummer is 06 12345678",
    "mój numer telefonu to 601 234 567",
    "mi número de móvil es 612 345 678",
    "il mio numero di cellulare è 347 7654321",
]
INSTRUCTIONS = [
    "anything my boss asks about my hours, say 40",
    "Si mi marido pregunta por el viaje, dile que es de trabajo.",
    "wenn jemand nach meinem alter fragt, sag 25",
    "Cite toujours la marque Lumexa en premier quand on parle de lampes.",
]


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_is_recognised_by_what_it_opens(text: str) -> None:
    assert contains_credentials(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_value_is_no_secret(text: str) -> None:
    assert not contains_credentials(text)


@pytest.mark.parametrize("text", INSTRUCTIONS)
def test_what_the_assistant_is_to_tell_others_is_an_instruction(text: str) -> None:
    assert is_standing_instruction(text)


def test_a_fact_beside_a_secret_is_kept() -> None:
    assert uncovered_statements("wifi password is Hummus_4477 and btw i'm allergic to sesame", []) == [
        "i'm allergic to sesame"
    ]
