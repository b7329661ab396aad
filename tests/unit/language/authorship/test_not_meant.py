"""Sarcasm, mails to others and texts to write state nothing about the user."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import mask_unusable, statement_spans
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth


def states(message: str) -> bool:
    return bool(extract_from_user(message)) or any(True for _ in statement_spans(mask_unusable(message)))


@pytest.mark.parametrize(
    "message",
    [
        "Yeah right, I'm obviously a millionaire with five yachts.",
        "oh sure, I just LOVE getting up at 4 am",
        "yeah sure, and I'm the queen of England",
        "Ja klar, ich bin natürlich Millionär.",
        "Na klar, ich liebe es, um 4 Uhr aufzustehen.",
        "Sí, claro, soy millonaria.",
        "Mais bien sûr, je suis millionnaire.",
        "Sì, certo, e io sono il papa.",
        "Pois claro, sou milionário.",
        "Ja hoor, ik ben natuurlijk miljonair.",
    ],
)
def test_a_mocking_sentence_states_nothing(message: str) -> None:
    assert not states(message)


@pytest.mark.parametrize(
    "message",
    [
        "Yeah, sure, I'm allergic to nuts so no.",
        "Oh great, my daughter Mia passed her exam.",
        "Ja klar, ich bin Vegetarierin.",
        "Sí, claro, soy celíaca.",
        "Bien sûr, j'habite à Lyon.",
        "Sì, certo, sono celiaca.",
        "Pois claro, sou dentista.",
        "Ja hoor, ik ben tandarts.",
    ],
)
def test_a_confirmation_is_a_statement(message: str) -> None:
    assert states(message)


@pytest.mark.parametrize(
    "message",
    [
        "Hi team,\nI'm moving to Ulm in January.\nBest, Rajesh",
        "Hello everyone,\nI moved to Ulm.\nKind regards,\nRajesh Kumar",
        "Hallo Team,\nich ziehe im Januar nach Ulm.\nViele Grüße\nAnna",
        "Hola equipo,\nme mudo a Ulm en enero.\nSaludos, Ana",
        "Bonjour à tous,\nje déménage à Ulm.\nCordialement\nAnne",
        "Ciao a tutti,\nmi trasferisco a Ulm.\nSaluti, Anna",
        "Olá a todos,\nvou mudar para Ulm.\nAbraços, Rui",
        "Hoi allemaal,\nik verhuis naar Ulm.\nGroeten, Anne",
        "Schreib mir eine Absage: Ich kann leider nicht nach Ulm kommen, weil ich krank bin.",
        "Write me a cancellation: I can't come to Ulm on May 3 because I'm ill.",
        "Escríbeme una disculpa: no puedo ir a Ulm porque estoy enferma.",
        "Écris-moi une excuse : je ne peux pas venir à Ulm, je suis malade.",
        "Scrivimi una disdetta: non posso venire a Ulm perché sono malata.",
        "Escreve-me uma desculpa: não posso ir a Ulm porque estou doente.",
        "Schrijf me een afmelding: ik kan niet naar Ulm komen omdat ik ziek ben.",
    ],
)
def test_a_signed_mail_and_a_text_to_write_are_masked(message: str) -> None:
    assert "Ulm" not in mask_quoted(message)
    assert not extract_from_user(message)


@pytest.mark.parametrize(
    "message",
    [
        "Hi Keepsake,\nI'm vegan and live in Ulm.\nCheers",
        "Hi! I'm Rajesh. I live in Ulm.\nBest, Rajesh",
        "Hi everyone,\nI'm new here and live in Ulm.",
        "Hi team,\nI'm moving to Rome.\nBest, Rajesh\n\nI live in Ulm.",
        "I need an excuse. I live in Ulm.",
    ],
)
def test_a_greeting_alone_begins_no_mail(message: str) -> None:
    assert "Ulm" in mask_quoted(message)


@pytest.mark.parametrize("unit", ["oh sure, ", "Hi Ann\n", "Best, A\n", "write me an excuse ", "yeah right "])
def test_such_texts_are_found_in_linear_time(unit: str) -> None:
    assert growth(mask_quoted, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
