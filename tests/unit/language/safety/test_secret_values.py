"""Secrets that are recognised by their form and by what they open, and ordinary values beside such words."""

import pytest

from agent.language.facts.addressed import is_standing_instruction
from agent.language.safety.credentials import contains_credentials
from agent.memory.formation.coverage import uncovered_statements

SECRETS = [
    "o pin do meu cartão é 4821",
    "netflix: rosa@mailbox.example / Turnip-Cake-19",
    "the router sticker shows qZ7!pLm2",
    "la del wifi es GatoNegro_2020",
    "for the safe it's thirty-one left, seventeen right, eight left",
    "MY SSN, NO WAIT, IT IS 512 40 9917",
    "门锁按 三 七 七 零",
    "metamask words = orbit lemon garage velvet puzzle ankle tunnel fossil breeze cactus minor spoon",
    "for every password i use 'Hedgehog' and my year",
]
ORDINARY = [
    "My username on the forum is heron42.",
    "It used 7855 tokens for one answer.",
    "I pay 1200 euros by credit card since 2019.",
    "devo 1800 no cartão e não sei o que fazer",
    "My alarm is at 6:30 and I have two cats.",
    "We moved all our passwords into 1Password last week.",
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
