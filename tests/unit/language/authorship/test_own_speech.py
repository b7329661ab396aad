"""The text after "what I wanted to say:" is the user's own; the text after "she said:" is not."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth


@pytest.mark.parametrize(
    "message",
    [
        "i just wanted to say: i passed my driving test",
        "the bus was late, my boss moaned, anyway what i wanted to say: my son ivo has epilepsy",
        "What I wanted to tell you: my sister moved to Ghent.",
        "One thing I'd like to mention: I'm allergic to latex.",
        "I forgot to add: we have two cats.",
        "Let me just say: I hate mushrooms.",
        "I have to say: my knees hurt a lot.",
        "Was ich sagen wollte: Meine Tochter hat Asthma.",
        "Lo que quería decir: mi hija es celíaca.",
        "Ce que je voulais dire : ma fille est asthmatique.",
        "Volevo solo dire: ho superato l'esame.",
        "O que eu queria dizer: a minha filha é celíaca.",
        "Wat ik wilde zeggen: mijn dochter heeft astma.",
    ],
)
def test_words_that_users_introduce_themselves_are_their_own(message: str) -> None:
    assert mask_quoted(message) == message


@pytest.mark.parametrize(
    "message",
    ["My boss wanted to say: I'm moving to Oslo.", "He said: I'm vegan.", "What she wanted to say: I'm pregnant."],
)
def test_words_that_users_introduce_for_others_are_not_their_own(message: str) -> None:
    assert mask_quoted(message).endswith(":" + "\0" * len(message.partition(":")[2]))


@pytest.mark.parametrize("unit", ["i wanted to say ", "i just ", "what i wanted to say: ", "let me "])
def test_own_speech_is_found_in_linear_time(unit: str) -> None:
    assert growth(mask_quoted, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
