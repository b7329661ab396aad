"""Questions for what the user said in a period or last, and for whether and when they said something."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from agent.language.message_analysis import MessageContent
from agent.language.said.questions import MAX_CHARS, SaidKind, only_asks_what_was_said, said_question
from support.growth import MAX_GROWTH, growth

OSLO = ZoneInfo("Europe/Oslo")
NOW = datetime(2026, 11, 26, 15, tzinfo=OSLO)  # a Thursday
DAYS = [
    ("what did I tell you yesterday?", "2026-11-25", "2026-11-26"),
    ("Could you please tell me what I told you last week?", "2026-11-16", "2026-11-23"),
    ("what have I been telling you this week?", "2026-11-23", "2026-11-30"),
    ("what did we talk about in the last two weeks?", "2026-11-12", "2026-11-27"),
    ("What did I say about the flat two weeks ago?", "2026-11-09", "2026-11-16"),
    ("I got a dog, what did I tell you on Monday?", "2026-11-23", "2026-11-24"),
    ("what did i say to you last weekend", "2026-11-21", "2026-11-23"),
    ("Can you list everything I told you in October?", "2026-10-01", "2026-11-01"),
    ("what have i told you since monday", "2026-11-23", "2026-11-27"),
    ("was habe ich dir vorgestern erzählt?", "2026-11-24", "2026-11-25"),
    ("Was hab ich dir in den letzten zwei Wochen erzählt?", "2026-11-12", "2026-11-27"),
    ("Qu'est-ce que je t'ai dit vendredi dernier ?", "2026-11-20", "2026-11-21"),
    ("que te he dicho esta semana", "2026-11-23", "2026-11-30"),
    ("cosa ti ho detto tre giorni fa?", "2026-11-23", "2026-11-24"),
    ("o que te disse ontem?", "2026-11-25", "2026-11-26"),
    ("Wat heb ik je vorige maand verteld?", "2026-10-01", "2026-11-01"),
    ("上周一我跟你说了什么？", "2026-11-16", "2026-11-17"),
]
HOURS = [
    ("what did we talk about this morning?", "2026-11-26T04", "2026-11-26T12"),
    ("what did I tell you last night?", "2026-11-25T17", "2026-11-26T05"),
    ("Was habe ich dir gestern Abend gesagt?", "2026-11-25T17", "2026-11-26T00"),
    ("De quoi avons-nous discuté ce matin ?", "2026-11-26T04", "2026-11-26T12"),
    ("do que falamos hoje de manhã?", "2026-11-26T04", "2026-11-26T12"),
]
TOPICS: list[tuple[str, SaidKind, str]] = [
    ("what did I tell you about work last week?", "period", "work"),
    ("wat heb ik je vorige week verteld over mijn werk?", "period", "werk"),
    ("cosa ti ho detto di mia sorella il mese scorso?", "period", "sorella"),
    ("what did I tell you about me yesterday?", "period", ""),
    ("when did I tell you about the marathon?", "when", "marathon"),
    ("how do you know about my cat?", "when", "cat"),
    ("wann habe ich dir vom Marathon erzählt?", "when", "Marathon"),
    ("tu sais depuis quand que j'ai un chat ?", "when", "ai un chat"),
    ("我什么时候跟你说过马拉松？", "when", "马拉松"),
    ("did I ever mention a dog?", "whether", "dog"),
    ("Je t'ai déjà parlé de mon frère ?", "whether", "frère"),
    ("¿te he hablado alguna vez de mi perro?", "whether", "perro"),
    ("ti ho mai parlato di un cane?", "whether", "cane"),
    ("já te falei do meu cachorro?", "whether", "cachorro"),
    ("what was the last thing I told you?", "last", ""),
    ("¿qué fue lo último que te conté?", "last", ""),
    ("what did you learn about me recently?", "recent", ""),
    ("waar hebben we het vorige keer over gehad", "conversation", ""),
]
OTHERS = [
    "what did my boss tell me yesterday?",
    "what did I tell my sister last week?",
    "what did you tell me yesterday?",
    "I told you yesterday that I moved to Oslo",
    "What I told you on Monday is still true",
    "forget what I told you yesterday",
    "Vergiss, was ich dir gestern erzählt habe",
    "What did I tell you to call me?",
    "Did I tell you I'm pregnant?",
    "Have I told you that I moved to Bergen in October?",
    "how do you know that a melon is ripe?",
    "what did I say in my email to Tom on Monday?",
    "Wann habe ich meiner Mutter vom Umzug erzählt?",
    "Gestern habe ich dir von meiner Katze erzählt, sie heißt Miso",
    "Ayer te conté que me mudé a Sevilla",
    "Je t'ai dit hier que j'habite à Lyon",
    "我昨天告诉你我搬到了上海",
    "what will I tell you tomorrow?",
    "what did I tell you about my sister?",
    "how do you know that?",
]


@pytest.mark.parametrize(("message", "start", "stop"), [*DAYS, *HOURS])
def test_a_period_is_an_interval_of_local_times(message: str, start: str, stop: str) -> None:
    question = said_question(message, NOW)
    assert question is not None
    assert question.period is not None
    expected = [
        datetime.fromisoformat(time if "T" in time else f"{time}T00").replace(tzinfo=OSLO) for time in (start, stop)
    ]
    assert [question.period.start, question.period.stop] == expected


@pytest.mark.parametrize(("message", "kind", "topic"), TOPICS)
def test_a_question_has_a_kind_and_may_name_a_topic(message: str, kind: SaidKind, topic: str) -> None:
    question = said_question(message, NOW)
    assert question is not None
    assert (question.kind, question.topic) == (kind, topic)


@pytest.mark.parametrize("message", OTHERS)
def test_other_messages_ask_nothing_of_the_kind(message: str) -> None:
    assert said_question(message, NOW) is None


def test_a_question_for_the_last_time_is_told_from_one_for_the_first() -> None:
    asked = [said_question(f"when did I {word}tell you about my diet?", NOW) for word in ("last ", "first ", "")]
    assert [question and question.asks_for_last_time for question in asked] == [True, False, False]


@pytest.mark.parametrize("message", [case[0] for case in TOPICS])
def test_a_question_states_nothing(message: str) -> None:
    assert only_asks_what_was_said(message)
    assert not MessageContent.of(message).recallable


@pytest.mark.parametrize(
    "message",
    [
        "what did I tell you yesterday about my dog, he is ill now",
        "I bought a red bike. What did I tell you today?",
        "Je t'ai dit hier que j'habite à Lyon",
    ],
)
def test_a_statement_beside_a_question_is_kept(message: str) -> None:
    assert MessageContent.of(message).recallable


@pytest.mark.parametrize("part", ["what did I tell you ", "the last ", "dir ", "about , ", "on monday "])
def test_the_time_grows_linearly(part: str) -> None:
    assert growth(lambda text: said_question(text[:MAX_CHARS], NOW), part) < MAX_GROWTH
