"""A text in the first person beside a question about its author is not the user's."""

import pytest

from agent.language.authorship.own_words import mask_quoted

OTHERS = [
    "I've moved to Bergen for the winter and I'm off gluten entirely.\nHugs, Ines\n\nwhat should I bring her?",
    "Should I hire this person?\n\nI speak four languages and I sail. I have lived in Lagos since 2009.",
    "I left the bank in 2012 to keep bees in Vermont. (That's the Atlantic piece. What is the argument?)",
    "As a diabetic runner I swear by these gels.\n★★ sticky wrapper\nwhich of those two reviews would you believe",
    "I'm allergic to cats and I never lie. — same in Portuguese, please",
    "сделай короче: я восемь лет преподаю химию в лицее",
    "en>de:\nI keep a ferret and I play the drums at night",
]
OWN = [
    "I live in Leeds with my sister.\n\nWhat should I get her for her birthday?",
    "I've moved to Bergen.\n\nWhich bank should I use?",
    "I have asthma and I run. What shoes do you recommend?",
    "My landlord wants me out by May.\nCan he do that?",
]


@pytest.mark.parametrize("message", OTHERS)
def test_the_text_of_another_speaker_is_masked(message: str) -> None:
    visible = mask_quoted(message).replace("\0", "")
    words = ("bergen", "lagos", "vermont", "diabetic", "allergic", "химию", "ferret")
    assert not any(word in visible.lower() for word in words)


@pytest.mark.parametrize("message", OWN)
def test_the_users_own_text_is_not(message: str) -> None:
    assert mask_quoted(message) == message
