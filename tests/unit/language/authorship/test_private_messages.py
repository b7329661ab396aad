"""What users ask not to save is recognised, and whether they mean this message or the previous one."""

import pytest

from agent.language.authorship.private_messages import is_private_message
from agent.language.requests.memory_requests import memory_requests, refers_to_own_message, remaining_text
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth


@pytest.mark.parametrize(
    "message",
    [
        "Don't remember this. My salary is 61k.",
        "Don't keep this. I drink too much.",
        "Do not store this. I was in prison in 2010.",
        "hey, please don't save this! I'm not out yet",
        "Don't remember this: I had an affair.",
        "Speicher das bitte nicht. Ich bin in Therapie.",
        "Merk dir das nicht. Ich bin pleite.",
        "no guardes esto. Tengo deudas.",
        "N'enregistre pas ça : je vais démissionner.",
        "N'enregistre pas ça. Je vais démissionner.",
        "Non salvare questo. Sono in terapia.",
        "Não guardes isto. Estou em terapia.",
        "Bewaar dit niet. Ik zit in therapie.",
        "Onthoud dit niet: ik zit in therapie.",
        "off the record: I hate my boss.",
        "just between us, off the record: I'm leaving the firm.",
        "entre nous, hors micro: je vais quitter mon mari",
        "My boss cheats on his taxes, off the record.",
    ],
)
def test_nothing_remains_of_a_message_that_must_not_be_saved(message: str) -> None:
    (request,) = memory_requests(message)
    assert (request.action, request.scope) == ("forget", "previous")
    assert refers_to_own_message(message, request)
    assert remaining_text(message, [request]) == ""


@pytest.mark.parametrize(
    "message",
    [
        "Don't remember this.",
        "Don't remember this. Thank you!",
        "Don't save this. That was private.",
        "Don't remember that. I moved to York.",
        "Non salvare questo.",
        "Não guardes isto.",
        "Bewaar dat niet.",
        "That was private, please forget what I just said.",
        "That was private, forget it.",
        "That was really personal! Delete it please",
        "Das war privat, vergiss es bitte.",
        "Eso era privado, olvídalo.",
        "C'était privé, oublie ça.",
        "Era una cosa privata, dimenticalo.",
        "Isso era pessoal, esquece.",
        "Dat was privé, vergeet het.",
    ],
)
def test_a_request_without_a_statement_after_it_means_the_previous_message(message: str) -> None:
    (request,) = memory_requests(message)
    assert (request.action, request.scope) == ("forget", "previous")
    assert not refers_to_own_message(message, request)


@pytest.mark.parametrize(
    "message",
    [
        "Don't remember this word: apple. I'm learning English.",
        "Don't store this in the fridge. How long does it last?",
        "I don't remember this. I was at home.",
        "He told me off the record that the shop closes.",
        "What does off the record mean?",
        "That was private property. Forget it.",
        "Ich kann mir das nicht merken. Ich habe ADHS.",
    ],
)
def test_other_messages_are_not_private(message: str) -> None:
    assert not is_private_message(message)
    assert memory_requests(message) == []


@pytest.mark.parametrize("unit", ["please ", "don't save this. ", "off the record ", "that was ", "hey, ", ", "])
def test_private_messages_are_found_in_linear_time(unit: str) -> None:
    assert growth(is_private_message, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
