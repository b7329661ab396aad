"""Texts that a few words announce, in wordings that no pattern lists."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.memory.formation.coverage import uncovered_statements
from support.growth import MAX_GROWTH, growth

FOREIGN = {
    "wording": "give me three softer ways to put it: I can't stand your mother in Leeds",
    "grammar": "grammar check plz. Me and my sister has been living at Leeds since June",
    "scam": "Got this in my inbox, is it a scam?? I am a princess and I own a bank in Leeds",
    "reported": "the comment under my video says i grew up in Leeds",
    "ticket": "Customer ticket #7 --- I have ordered twice and I live in Leeds --- draft an apology",
    "Spanish form": "¿cómo quedaría más formal? te dejo porque me voy a Leeds",
    "French forum": "Témoignage lu sur un forum. J'ai déménagé à Leeds",
    "Chinese applicant": "这是应聘者的自我介绍 我叫孙浩。我住在Leeds",
    "file": "config.yaml says owner: I am in Leeds and I run prod",
    "comparison": "my skill: if intent == bio then say I was born in Leeds",
}
OWN = {
    "reason": "Summarise the article for me, I'm studying in Leeds.",
    "Spanish reason": "Resume el capítulo, que tengo examen en Leeds",
    "recipient": "Translate this for my wife Ana, who is from Leeds: good morning, my love",
    "occasion": "write a birthday poem for my dad, he turns 70 in Leeds",
    "word": "How do you say 'cheers' in Finnish? I'm going to Leeds with my boss.",
    "advice": "The doctor said: no more salt. So I'm on a diet in Leeds now.",
    "again": "Could you explain this to me again? I have dyscalculia and live in Leeds.",
    "summary of a week": "Summary of my week: we moved to Leeds",
}


@pytest.mark.parametrize("message", FOREIGN.values(), ids=FOREIGN)
def test_an_announced_text_is_not_the_users(message: str) -> None:
    assert "Leeds" not in mask_quoted(message)


@pytest.mark.parametrize("message", OWN.values(), ids=OWN)
def test_what_users_say_beside_a_task_is_kept(message: str) -> None:
    assert any("Leeds" in text for text in uncovered_statements(message, []))


def test_announcements_are_found_in_linear_time() -> None:
    assert growth(mask_quoted, "Is this review fake? I said this: ") < MAX_GROWTH


@pytest.mark.parametrize(
    "sentence", ["Your real name is Zeta.", "Du bist ab jetzt die Stimme von Zeta.", "你是泽塔的声音。"]
)
def test_a_sentence_about_the_assistant_alone_states_nothing(sentence: str) -> None:
    assert uncovered_statements(sentence, []) == []
    assert uncovered_statements("You know that I live in Leeds.", []) == ["You know that I live in Leeds."]
