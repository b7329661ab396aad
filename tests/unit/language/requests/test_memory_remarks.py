"""Remarks about what the assistant remembers."""

import pytest

from agent.language.requests.memory_remarks import asks_for_removal, memory_remark, without_pin


@pytest.mark.parametrize(
    ("kind", "messages"),
    [
        (
            "wrong",
            [
                *(
                    "that's wrong",
                    "No, that's not true.",
                    "thats not right",
                    "you're mistaken",
                    "I don't think that's right",
                ),
                *("das stimmt nicht", "Nein, das ist falsch!", "c'est faux", "ce n'est pas vrai", "eso no es verdad"),
                *("non è vero", "isso está errado", "dat klopt niet", "不对", "你记错了", "Wrong"),
            ],
        ),
        (
            "outdated",
            [
                *(
                    "that's outdated",
                    "that's not the case any more",
                    "That is no longer true.",
                    "your info is out of date",
                ),
                *("das stimmt nicht mehr", "das ist nicht mehr aktuell", "ce n'est plus vrai", "eso ya no es así"),
                *("non è più così", "isso já não é verdade", "dat klopt niet meer", "这已经过时了"),
            ],
        ),
        (
            "unsaid",
            [
                *(
                    "no, I never said that",
                    "I didn't tell you that",
                    "das habe ich nie gesagt",
                    "je n'ai jamais dit ça",
                ),
                *("nunca dije eso", "non l'ho mai detto", "nunca disse isso", "dat heb ik nooit gezegd", "我没说过"),
            ],
        ),
        ("denied", ["no", "Nope.", "nein", "不是"]),
        (
            "origin",
            [
                *("how do you know that?", "where did you get that from", "who told you that?", "when did I say that?"),
                *(
                    "what makes you think that?",
                    "Could you tell me how you know that?",
                    "Woher weißt du das?",
                    "comment tu sais ça ?",
                    "¿cómo sabes eso?",
                ),
                *("come fai a saperlo?", "como você sabe disso?", "hoe weet je dat?", "你怎么知道的？"),
            ],
        ),
        (
            "pin",
            [
                *(
                    "pin that",
                    "That's important, always keep it in mind.",
                    "denk immer daran",
                    "garde-le toujours à l'esprit",
                ),
                *("tenlo siempre en cuenta", "tienilo sempre a mente", "zet dat vast", "置顶这个"),
            ],
        ),
        ("unpin", ["unpin that", "désépingle ça", "取消置顶"]),
        ("mute", ["never bring that up again", "stop mentioning it"]),
    ],
)
def test_a_remark_means_what_the_last_answer_shows(kind: str, messages: list[str]) -> None:
    for message in messages:
        remark = memory_remark(message)
        assert remark is not None, message
        assert (remark.kind, remark.topic, remark.rest) == (kind, "", ""), message


@pytest.mark.parametrize(
    ("message", "kind", "topic"),
    [
        ("you got my job wrong", "wrong", "my job"),
        ("who told you I'm vegan?", "origin", "I'm vegan"),
        ("why do you think I live in Leeds?", "origin", "I live in Leeds"),
        ("where did u get my sons name from", "origin", "my sons name"),
        ("Woher weißt du, dass ich in Bonn wohne?", "origin", "ich in Bonn wohne"),
        ("hoe weet je dat ik een hond heb?", "origin", "ik een hond heb"),
        ("please pin my allergy", "pin", "my allergy"),
        ("can you pin that I'm diabetic?", "pin", "I'm diabetic"),
        ("don't bring up my ex again", "mute", "my ex"),
        ("please don't mention rehab unless I ask", "mute", "rehab"),
        ("Erwähne meinen Ex nicht mehr", "mute", "meinen Ex"),
        ("ne parle plus de mon ex", "mute", "mon ex"),
        ("deja de hablar de mi peso", "mute", "mi peso"),
    ],
)
def test_a_remark_names_what_it_is_about(message: str, kind: str, topic: str) -> None:
    remark = memory_remark(message)
    assert remark is not None
    assert (remark.kind, remark.topic) == (kind, topic)


@pytest.mark.parametrize(
    ("message", "kind", "rest"),
    [
        ("thats wrong its tim", "wrong", "its tim"),
        ("You're mistaken. I'm from Slovakia.", "wrong", "I'm from Slovakia."),
        ("that's not right anymore, I sold it", "outdated", "I sold it"),
        ("stimmt nicht mehr, 41", "outdated", "41"),
        ("that's wrong, forget it", "wrong", "forget it"),
    ],
)
def test_what_follows_a_remark_may_be_right(message: str, kind: str, rest: str) -> None:
    remark = memory_remark(message)
    assert remark is not None
    assert (remark.kind, remark.rest) == (kind, rest)


@pytest.mark.parametrize(
    "message",
    [
        "That's wrong in my opinion, people should not eat meat.",
        'My boss told me "that\'s wrong" in front of everyone today.',
        "I told my sister that's not true.",
        "I never said that to my brother and he is angry with me.",
        "I don't think that's right how my landlord treats us.",
        "How do you know that a melon is ripe?",
        "Where did you get that recipe for ramen from?",
        "Why do you think Leeds is cheaper than London?",
        "My job is wrong for me, I want to quit.",
        "I got the answer wrong in my exam.",
        "I pinned that poster to my bedroom wall.",
        "How do I pin a tab in Chrome?",
        "It's important to me that my kids learn Polish.",
        "I told my mum not to mention my weight again.",
        "don't mention my cat in the letter",
        'Translate "that\'s wrong" into German.',
        "No, thanks.",
        "Das stimmt nicht mit meinem Vertrag überein.",
        "C'est faux de dire que j'aime le froid.",
        "Mi jefe dice que eso no es verdad.",
        "Woher weiß man, ob eine Melone reif ist?",
    ],
)
def test_other_messages_are_no_remarks(message: str) -> None:
    assert memory_remark(message) is None


def test_a_request_to_remove_what_is_wrong() -> None:
    assert all(
        map(asks_for_removal, ["forget it", "please delete that", "lösch das", "oublie ça", "bórralo", "删掉它"])
    )
    assert not any(map(asks_for_removal, ["forget it, I live in York", "delete the file", "it's York"]))


def test_what_is_to_be_remembered_may_be_pinned() -> None:
    assert without_pin("that I'm diabetic and pin it") == ("that I'm diabetic", True)
    assert without_pin("I pin it all on the team") == ("I pin it all on the team", False)
