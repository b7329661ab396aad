"""Questions for what takes place in a period, next or at all, and for what the user wanted to be reminded of."""

from datetime import date

import pytest

from agent.language.agenda.questions import MAX_CHARS, AgendaKind, agenda_question, only_asks_for_plans
from support.growth import MAX_GROWTH, growth

TODAY = date(2026, 11, 26)  # a Thursday
PERIODS = [
    ("what do I have on tomorrow?", "2026-11-27", "2026-11-27"),
    ("what's coming up this week?", "2026-11-26", "2026-11-29"),
    ("any plans for Saturday?", "2026-11-28", "2026-11-28"),
    ("am I free on Friday evening?", "2026-11-27", "2026-11-27"),
    ("what do i have monday", "2026-11-30", "2026-11-30"),
    ("whats on next weekend?", "2026-12-05", "2026-12-06"),
    (
        "Could you tell me whether I have any appointments scheduled for the 3rd of December?",
        "2026-12-03",
        "2026-12-03",
    ),
    ("what did I have planned for June?", "2027-06-01", "2027-06-30"),
    ("what's planned in the next two weeks?", "2026-11-26", "2026-12-10"),
    ("what do I have to do this week or next?", "2026-11-26", "2026-11-29"),
    ("what's on this week and next week?", "2026-11-26", "2026-12-06"),
    ("what should I do tomorrow?", "2026-11-27", "2026-11-27"),
    ("I've a lot to do, am I free on the 12th?", "2026-12-12", "2026-12-12"),
    ("what does my week look like?", "2026-11-26", "2026-11-29"),
    ("Wie sieht meine Woche aus?", "2026-11-26", "2026-11-29"),
    ("Was habe ich diese Woche noch vor?", "2026-11-26", "2026-11-29"),
    ("Bin ich am Samstag frei?", "2026-11-28", "2026-11-28"),
    ("Was muss ich am Dienstag tun?", "2026-12-01", "2026-12-01"),
    ("Qu'est-ce que j'ai de prévu demain ?", "2026-11-27", "2026-11-27"),
    ("Quels sont mes rendez-vous en décembre ?", "2026-12-01", "2026-12-31"),
    ("¿Tengo planes para el sábado?", "2026-11-28", "2026-11-28"),
    ("¿Qué tengo que hacer mañana?", "2026-11-27", "2026-11-27"),
    ("Cosa ho in programma domani?", "2026-11-27", "2026-11-27"),
    ("O que tenho marcado para amanhã?", "2026-11-27", "2026-11-27"),
    ("Wat staat er morgen op de agenda?", "2026-11-27", "2026-11-27"),
    ("我明天有什么安排?", "2026-11-27", "2026-11-27"),
    ("我星期六有空吗?", "2026-11-28", "2026-11-28"),
]
OTHERS: list[tuple[str, AgendaKind, str]] = [
    ("what's coming up?", "upcoming", ""),
    ("any upcoming events?", "upcoming", ""),
    ("what's next on my calendar?", "next", ""),
    ("when is my next appointment?", "next", ""),
    ("when is my next dentist appointment?", "next", "dentist appointment"),
    ("Wann ist mein nächster Termin?", "next", ""),
    ("Was steht als Nächstes an?", "next", ""),
    ("Quel est mon prochain rendez-vous ?", "next", ""),
    ("¿Cuál es mi próxima cita?", "next", ""),
    ("Qual è il mio prossimo appuntamento?", "next", ""),
    ("我的下一个预约是什么时候?", "next", ""),
    ("what did I want to be reminded of?", "reminders", ""),
    ("any reminders?", "reminders", ""),
    ("Woran wolltest du mich erinnern?", "reminders", ""),
    ("where am I right now?", "where", ""),
    ("Wo bin ich gerade?", "where", ""),
]
LOOK_ALIKES = [
    "what's the weather tomorrow?",
    "what should I cook tomorrow?",
    "what's coming up on Netflix this week?",
    "Remind me what the capital of Australia is.",
    "remind me how photosynthesis works",
    "He reminds me of my uncle.",
    "Am I free to use GPL code in a closed project?",
    "what's next after algebra in a maths curriculum?",
    "Write a shopping list for a lasagna.",
    'Translate "what do I have on tomorrow?" into French',
    "what did I say about June?",
    "what did I tell you yesterday?",
    "what do I have in my pocket?",
    "What do I have to do to get a visa?",
    "When does the next train leave for Leeds?",
    "what day is it tomorrow?",
    "I have a dentist appointment tomorrow",
    "plumber monday 8am",
    "I'm free on Friday evening",
    "we have plans for Saturday",
    "my next appointment is on Friday",
    "where do I live?",
    "I have something planned on Friday",
    "have an appointment on friday at 3",
    "appointment tomorrow at 9",
    "Termin morgen um 9",
    "j'ai un rendez-vous demain à 15h",
    "Je suis libre jeudi",
    "Tengo cita mañana a las 3",
    "Domani ho un appuntamento",
    "Ho un appuntamento domani",
    "Tenho consulta amanhã às 15h",
    "Morgen heb ik een afspraak",
    "我明天有约会",
    "Mach mir einen Plan für Samstag",
    "Was läuft morgen im Kino?",
    "Was kommt als Nächstes nach der Sonate in der Musikgeschichte?",
    "Qué tiempo hace mañana?",
    "Quels sont les événements du 14 juillet 1789 ?",
    "明天天气怎么样?",
]


@pytest.mark.parametrize(("question", "start", "stop"), PERIODS)
def test_the_period_of_a_question_is_ahead(question: str, start: str, stop: str) -> None:
    read = agenda_question(question, TODAY)
    assert read is not None
    assert read.kind == "period"
    assert [day.isoformat() for day in read.periods[0]] == [start, stop]


@pytest.mark.parametrize(("question", "kind", "topic"), OTHERS)
def test_questions_without_a_period(question: str, kind: AgendaKind, topic: str) -> None:
    read = agenda_question(question, TODAY)
    assert read is not None
    assert (read.kind, read.topic) == (kind, topic)
    assert read.periods[0].start == TODAY


@pytest.mark.parametrize("message", LOOK_ALIKES)
def test_other_messages_are_no_such_question(message: str) -> None:
    read = agenda_question(message, TODAY)
    assert read is None


@pytest.mark.parametrize("question", [question for question, _, _ in PERIODS])
def test_a_question_states_nothing(question: str) -> None:
    assert only_asks_for_plans(question.rpartition(", ")[2])


def test_a_statement_beside_a_question_is_kept() -> None:
    assert not only_asks_for_plans("I have a dentist appointment tomorrow at 3pm, what should I take with me?")


def test_a_question_in_the_past_tense_also_has_the_period_that_is_over() -> None:
    read = agenda_question("what did I have planned for June?", TODAY)
    assert read is not None
    assert [period.start.year for period in read.periods] == [2027, 2026]


def test_on_a_sunday_this_week_may_be_the_next_one() -> None:
    read = agenda_question("what's on this week?", date(2026, 11, 29))
    assert read is not None
    assert [period.start for period in read.periods] == [date(2026, 11, 29), date(2026, 11, 30)]


@pytest.mark.parametrize("unit", ["what's on, ", "do i have anything ", "tomorrow and ", "我明天"])
def test_the_time_to_read_a_message_grows_linearly(unit: str) -> None:
    assert growth(lambda text: agenda_question(text, TODAY), unit, chars=MAX_CHARS) < MAX_GROWTH
