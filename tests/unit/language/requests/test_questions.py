"""Messages that concern the user, and questions for everything that is known, in several languages."""

import time
from itertools import chain

import pytest

from agent.language.requests.questions import MAX_CHARS, asks_about_user, is_personal

ASKS_ABOUT_USER = """
    What do you know about me?
    what do you remember about me so far
    What else do you know?
    Tell me everything you know about me.
    Do you know who I am?
    Who am I?
    Describe me.
    List my memories.
    Show me all of your memories
    What have I told you?
    Summarize what you know about me
    show me what you've saved
    what do u remember bout me
    was hast du dir alles gemerkt?
    erzähl mir, was du über mich weißt
    kennst du mich noch?
    cuéntame todo lo que sabes sobre mí
    sabes quién soy?
    qu'est-ce que tu as retenu sur moi
    tu sais qui je suis ?
    dimmi tutto quello che sai su di me
    chi sono io?
    me conta o que você lembra de mim
    quem sou?
    wat heb je allemaal onthouden
    vertel me wat je van me weet
    说说你对我的了解
    你记得关于我的什么
    Was weißt du über mich?
    Wer bin ich?
    ¿Qué sabes de mí?
    ¿Quién soy?
    Que sais-tu de moi ?
    Qui suis-je ?
    Cosa sai di me?
    O que você sabe sobre mim?
    你知道我什么？
    关于我你了解什么？
    我是谁？
    Что ты знаешь обо мне?
"""  # noqa: RUF001 - other scripts
PERSONAL = """
    What should I cook?
    Which wine goes with my dinner?
    Recommend a restaurant.
    Suggest a book
    Any ideas for this weekend?
    I\u2019m tired
    What\u2019s on tonight?
    Was soll ich kochen?
    Empfiehl etwas
    ¿Qué hago hoy?
    Recomiéndame una película
    Que faire avec mon fils ?
    我今晚吃什么？
    推荐一本书
    おすすめの本は？
    Что мне приготовить?
"""
GENERAL = """
    What is the capital of Norway?
    Tell me about the French Revolution.
    Explain to me how vaccines work.
    Give me a definition of entropy.
    Explain me the rules of chess
    How do I say thank you in Japanese?
    How do you calculate a median?
    Translate good morning.
    How tall is the Eiffel Tower?
    Wie hoch ist der Eiffelturm?
    Erklär mir Entropie
    Erzähl mir etwas über Rom
    ¿Cuál es la capital de Noruega?
    Dime la capital de Noruega
    挪威的首都是哪里？
    给我讲个笑话
"""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("message", _lines(ASKS_ABOUT_USER))
def test_a_question_for_everything_that_is_known_is_recognised(message: str) -> None:
    assert asks_about_user(message)
    assert asks_about_user(message.upper()) or not message.isascii()


@pytest.mark.parametrize(
    "message",
    [
        *chain(_lines(PERSONAL), _lines(GENERAL)),
        "What do you know about bees?",
        "Who am I meeting tomorrow?",
        "Describe my garden.",
        "Describe me a sunset",
        "Wer bin ich in diesem Spiel, ein Ritter?",
        "Summarise me this text",
        "What do you know about my sister?",
        "Tell me about the memories of Proust",
        "",
    ],
)
def test_other_questions_do_not_ask_for_everything(message: str) -> None:
    assert not asks_about_user(message)


def test_a_long_message_does_not_ask_for_everything() -> None:
    question = "What do you know about me?"
    assert asks_about_user(question.rjust(MAX_CHARS))
    assert not asks_about_user(question.rjust(MAX_CHARS + 1))


@pytest.mark.parametrize("message", _lines(PERSONAL))
def test_a_message_that_concerns_the_user_is_personal(message: str) -> None:
    assert is_personal(message)


@pytest.mark.parametrize("message", [*_lines(GENERAL), "", "Myanmar's iron ore"])
def test_general_knowledge_is_not_personal(message: str) -> None:
    assert not is_personal(message)


@pytest.mark.parametrize(
    "part", ["what do you know ", "tell me ", "roll a b for ", "j'", "x", "我", "что ты ", "how do i "]
)
def test_the_time_is_at_most_linear(part: str) -> None:
    small, large = (_seconds((part * (kilobytes * 1_024))[: kilobytes * 1_024]) for kilobytes in (16, 64))
    assert large <= 4 * 3 * small + 0.05


def _seconds(text: str) -> float:
    """The shortest of three runs."""
    durations = []
    for _ in range(3):
        started = time.thread_time()
        is_personal(text)
        asks_about_user(text[:MAX_CHARS])
        durations.append(time.thread_time() - started)
    return min(durations)
