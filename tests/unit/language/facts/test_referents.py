"""Statements whose person or thing only the request before them names."""

import pytest

from agent.language.facts.statements import mask_unusable, statement_spans


def stated(text: str) -> list[str]:
    return [text[slice(*span)].strip() for span in statement_spans(mask_unusable(text))]


@pytest.mark.parametrize(
    "message",
    [
        "what's a good present for my father in law? he's into model trains",
        "Why is my cat sneezing? She's only two.",
        "should I repot my monstera? it's a metre tall now",
        "can my daughter take antihistamines? she's breastfeeding",
        "Who should my grandson talk to about an apprenticeship? He's good with engines",
        "explain what a stent is please. Dad is getting one on Monday",
        "What do you feed a tortoise? We inherited one from my aunt.",
        "can you explain what a stent is, Dad is getting one on Monday",
        "How do I fix a leaking radiator? the one in my daughter's room drips",
        "Que offrir à mon beau-père ? Il adore les trains miniatures.",
        "Pourquoi ma chatte éternue ? Elle n'a que deux ans.",
        "Cosa regalo a mio suocero? Colleziona trenini.",
        "Perché il mio gatto starnutisce? Ha solo due anni.",
        "¿Qué cocino para mis suegros? Son celíacos.",
        "¿Por qué estornuda mi gata? Solo tiene dos años.",
        "O que ofereço ao meu sogro? Ele adora comboios.",
        "Wat geef ik mijn schoonvader? Hij spaart modeltreinen.",
        "Warum niest meine Katze? Sie ist erst zwei.",
    ],
)
def test_a_statement_is_kept_with_the_request_that_names_its_person_or_thing(message: str) -> None:
    assert " ".join(stated(message)) == message


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("What's my dog called? He's a beagle.", "He's a beagle."),
        ("Write a poem about my cat. She's grumpy.", "She's grumpy."),
        ("What's a stent? Tom's brother has one child.", "Tom's brother has one child."),
    ],
)
def test_other_statements_are_kept_by_themselves(message: str, statement: str) -> None:
    assert statement in stated(message)
