"""What a message contains for the memory of its author."""

import pytest

from agent.language.message_analysis import MessageContent

MAIL = """Fwd: Booking confirmation
From: bookings@example.org
To: Walter Hughes
Dear Mr Hughes,
I live next door and my phone number is 01947 555 0199.
Regards, Janet Moore"""


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo.",
        "Please answer me in Spanish from now on.",
        "Remind me to call the plumber on Monday.",
        "remind me tomorrow to buy milk for Lily",
        "Erinnere mich bitte daran, am Montag den Klempner anzurufen.",
        "我对花生过敏\uff0c可以吃这个饼干吗\uff1f",
    ],
)
def test_what_its_author_states_is_recallable(text: str) -> None:
    assert MessageContent.of(text).recallable


@pytest.mark.parametrize(
    "text",
    [
        MAIL,
        "The song goes: I'm a creep, I'm a weirdo.",
        "我对花生过敏吗\uff1f",
        "remind me what my wife is called",
        "A farmer has 17 sheep and all but 9 run away. How many are left?",
        "thanks!",
    ],
)
def test_what_its_author_does_not_state_is_not_recallable(text: str) -> None:
    assert not MessageContent.of(text).recallable


def test_a_reminder_is_no_instruction_for_all_answers() -> None:
    assert not MessageContent.of("Erinnere mich daran, am Montag den Klempner anzurufen.").standing
