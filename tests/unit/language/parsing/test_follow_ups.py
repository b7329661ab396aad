"""Messages that only ask for another form of the answer, or react to it, state nothing."""

import pytest

from agent.language.parsing.sentences import MAX_FOLLOW_UP_CHARS, is_follow_up
from agent.memory.formation.coverage import uncovered_statements
from support.growth import growth

MAX_GROWTH = 24


FOLLOW_UPS = """
and in german? | the second one | i get it now, thanks | a bit shorter pls | same but in french | ah i see, thanks |
go with the first | verstehe, danke | das zweite bitte | als tabelle | bisschen kürzer | noch ein beispiel |
jetzt auf französisch | plus court stp | la deuxième | sous forme de tableau | ok je vois |
pareil mais en espagnol | otro ejemplo | en una tabla | no, otra cosa | igual pero en francés |
prefiero la primera | più corto per favore | un altro esempio | ho capito, grazie | mais curto por favor |
a segunda | ah entendi | второй вариант | ясно, спасибо | в виде таблицы | مثال آخر | على شكل قائمة | 换成法语 |
做成表格 | 第二个 | もう少し短くして | 箇条書きで | ありがとう、助かった!
"""
FRAGMENTS = """
I get the 7:50 now instead
I get up at 7 now | we go out twice a week, mostly | I do three more nights |
vegan btw | two kids and a dog | long covid since March | no nuts please | the second wedding in the family |
zweite Tochter ist da | noch drei Wochen bis zur Rente | une deuxième fille est née |
otra operación de rodilla | il secondo figlio arriva a maggio | вторая дочка родилась | 第二个孩子出生了 |
もう一人子どもが生まれた
"""


def _messages(text: str) -> list[str]:
    return [message.strip() for line in text.strip().splitlines() for message in line.split("|") if message.strip()]


@pytest.mark.parametrize("message", _messages(FOLLOW_UPS))
def test_a_follow_up_leaves_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize("message", _messages(FRAGMENTS))
def test_a_fragment_about_the_user_is_kept(message: str) -> None:
    assert uncovered_statements(message, []) == [message]


@pytest.mark.parametrize("message", ["German", "two", "Deutsch, Englisch", "中文"])
def test_a_value_may_be_an_answer(message: str) -> None:
    assert not is_follow_up(message)


@pytest.mark.parametrize("part", ["a ", "one two ", "再来", "la ", "と"])
def test_the_time_grows_linearly(part: str) -> None:
    assert growth(lambda text: is_follow_up(text[:MAX_FOLLOW_UP_CHARS]), part) < MAX_GROWTH


@pytest.mark.parametrize(
    "message",
    [
        "A train leaves at 8:15. When does it arrive?",
        "Un coche recorre 300 km en 4 horas. ¿A qué velocidad?",
        "Ein Zug fährt um 8:15 Uhr ab. Die Strecke beträgt 420 km. Wie schnell fährt er?",
        "I have cities but no houses, and water but no fish. What am I?",
        "Stel dat iemand morgen een miljoen wint. Wat zijn de gevolgen?",
        "Angenommen, ich hätte drei Wünsche frei. Was sollte ich nehmen?",
    ],
)
def test_what_a_task_is_about_is_not_kept(message: str) -> None:
    assert uncovered_statements(message, []) == []


def test_a_statement_after_an_invented_case_is_kept() -> None:
    message = "Stel dat ik de loterij win. Trouwens, ik heb coeliakie en woon in Gent."
    assert uncovered_statements(message, []) == ["Trouwens, ik heb coeliakie en woon in Gent."]


def test_news_that_is_to_be_imagined_is_kept() -> None:
    for message in ("Stell dir vor, ich bin befördert worden!", "Imagine! We are having twins in May."):
        assert uncovered_statements(message, []) == [message]


def test_what_a_personal_task_is_about_is_kept() -> None:
    message = "A tenant of ours owes us three months. What can we do?"
    assert "owes us three months" in " ".join(uncovered_statements(message, []))
