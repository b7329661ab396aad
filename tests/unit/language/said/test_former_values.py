"""Questions for what was true of the user earlier."""

import pytest

from agent.language.said.former_values import asks_for_former_value


@pytest.mark.parametrize(
    "question",
    [
        "Where did I live before?",
        "where did i live before round rock",
        "What was my old job?",
        "Who was my previous doctor?",
        "what car did i have before",
        "Which phone number did I use to have previously?",
        "Wo habe ich vorher gewohnt?",
        "Wie hieß meine Firma früher?",
        "Où est-ce que j'habitais avant ?",
        "Quel était mon ancien numéro ?",
        "¿Dónde vivía antes?",
        "Dove abitavo prima?",
        "Onde eu morava antes?",
        "Waar woonde ik vroeger?",
        "我以前住在哪里？",
    ],
)
def test_a_question_for_a_former_value(question: str) -> None:
    assert asks_for_former_value(question)


@pytest.mark.parametrize(
    "message",
    [
        "Where do I live?",
        "What should I do before my exam?",
        "Did I start running before I moved?",
        "What do I need to pack before the trip?",
        "Was muss ich vorher machen?",
        "Que dois-je faire avant ?",
        "I lived in Oslo before.",
        "Früher habe ich in Kiel gewohnt.",
        "What was my last message?",
        "Que faut-il savoir avant de partir ?",
        "When's my first day at Brightwell?",
        "When was my last dentist appointment?",
        "Where does my ex live?",
        "Was war mein letzter Arzttermin?",
        "¿Cuándo es la boda de mi prima?",
        "¿Dónde vive mi ex?",
    ],
)
def test_other_messages_ask_for_no_former_value(message: str) -> None:
    assert not asks_for_former_value(message)
