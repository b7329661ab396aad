"""The days on which something takes place or holds, according to a statement."""

from datetime import date

import pytest

from agent.language.agenda.events import Event, events, last_day, written_out
from agent.language.dates.periods import Period

STATED = date(2026, 11, 29)  # a Sunday
DAYS = [
    ("I have a dentist appointment tomorrow at 3pm.", "2026-11-30", "2026-11-30", 15),
    ("plumber monday 8am", "2026-11-30", "2026-11-30", 8),
    ("Remind me to call mum tomorrow at 5", "2026-11-30", "2026-11-30", 17),
    ("We fly to Lisbon from 12 December to 16 December.", "2026-12-12", "2026-12-16", -1),
    ("We're in Rome from 10 to 14 December", "2026-12-10", "2026-12-14", -1),
    ("I'm in Paris until Friday.", "2026-11-29", "2026-12-04", -1),
    ("I went to the cinema with Lea on 21 November.", "2026-11-21", "2026-11-21", -1),
    ("I had a dentist appointment on 20 November.", "2026-11-20", "2026-11-20", -1),
    ("I booked a flight for 10 January", "2027-01-10", "2027-01-10", -1),
    ("My interview is at Siemens. It's on 3 December at 9:30.", "2026-12-03", "2026-12-03", 9.5),
    ("I'm running the Berlin marathon in September 2027", "2027-09-01", "2027-09-30", -1),
    ("Mein Zahnarzttermin ist am Dienstag um 15 Uhr.", "2026-12-01", "2026-12-01", 15),
    ("Wir fliegen vom 12. bis 16. Dezember nach Lissabon.", "2026-12-12", "2026-12-16", -1),
    ("Vendredi soir je bois une bière avec Jan.", "2026-12-04", "2026-12-04", 19),
    ("Mon examen est reporté au 17 décembre.", "2026-12-17", "2026-12-17", -1),
    ("El viernes por la noche quedo con Jan.", "2026-12-04", "2026-12-04", 19),
    ("Domani alle 15 ho il dentista", "2026-11-30", "2026-11-30", 15),
    ("Na sexta à noite saio com o Jan.", "2026-12-04", "2026-12-04", 19),
    ("Vrijdagavond ga ik met Jan een biertje drinken.", "2026-12-04", "2026-12-04", 19),
    ("12月3日上午9点在西门子面试", "2026-12-03", "2026-12-03", 9),
]


@pytest.mark.parametrize(("text", "start", "stop", "hour"), DAYS)
def test_the_days_and_the_time_of_an_event(text: str, start: str, stop: str, hour: float) -> None:
    (event,) = events(text, STATED)
    assert [day.isoformat() for day in event.period] == [start, stop]
    assert event.hour == hour


@pytest.mark.parametrize(
    "text",
    [
        "I've worked at Lidl since March 2019",
        "the trip on 10 December got cancelled",
        "Der Termin am 3. Dezember wurde abgesagt.",
        "I have 3 kids and 2 dogs",
        "I work from 9 to 5",
        "My friend Jan plays chess",
        "I may buy a car",
        "Mon chien est noir",
    ],
)
def test_statements_without_events(text: str) -> None:
    assert events(text, STATED) == ()


def test_each_sentence_is_an_event_of_its_own_with_its_dates_written_out() -> None:
    text = "I have a dentist appointment tomorrow at 3pm. Tom's birthday is on 20 December. (30 November 2026)"
    assert [written_out(event.text, STATED) for event in events(text, STATED)] == [
        "I have a dentist appointment tomorrow at 3pm (30 November 2026)",
        "Tom's birthday is on 20 December",
    ]


def test_the_items_of_a_list_are_events_of_their_own() -> None:
    found = events("doctor tuesday 9:30, dinner with mum thursday 7pm, gym friday", STATED)
    assert [(event.text.partition(" (")[0], event.period.start.day) for event in found] == [
        ("doctor tuesday 9:30", 1),
        ("dinner with mum thursday 7pm", 3),
        ("gym friday", 4),
    ]


def _first_day(text: str, start: str, stop: str) -> date | None:
    event: Event = events(text, STATED)[0]
    return event.first_day_in(Period(date.fromisoformat(start), date.fromisoformat(stop)))


@pytest.mark.parametrize(
    ("text", "start", "stop", "day"),
    [
        ("Tom was born on 20 December 1990", "2027-12-01", "2027-12-31", "2027-12-20"),
        ("I play chess on Tuesdays", "2026-12-07", "2026-12-13", "2026-12-08"),
        ("Jeden Dienstag spiele ich Schach", "2026-12-08", "2026-12-08", "2026-12-08"),
        ("I'm in Rome from 10 to 14 December", "2026-12-12", "2026-12-12", "2026-12-12"),
        ("We move in September 2027", "2027-09-01", "2027-09-30", "2027-09-01"),
        ("Ich bin bis Freitag krankgeschrieben", "2026-12-03", "2026-12-03", "2026-12-03"),
    ],
)
def test_the_first_day_of_an_event_in_a_period(text: str, start: str, stop: str, day: str) -> None:
    assert _first_day(text, start, stop) == date.fromisoformat(day)


@pytest.mark.parametrize(
    ("text", "start", "stop"),
    [
        ("I play chess on Tuesdays", "2026-12-01", "2026-12-31"),  # it would be listed for every month
        ("We move in September 2027", "2027-09-03", "2027-09-03"),  # it is not known on which day
        ("I'm in Paris until Friday", "2026-12-05", "2026-12-05"),
    ],
)
def test_events_that_are_not_in_a_period(text: str, start: str, stop: str) -> None:
    assert _first_day(text, start, stop) is None


def test_the_last_day_of_a_statement_that_holds_until_then() -> None:
    assert last_day("I'm in Paris until Friday", STATED) == date(2026, 12, 4)
    assert last_day("Ich bin bis Freitag krankgeschrieben", STATED) == date(2026, 12, 4)
    assert last_day("I'm in Paris until Friday. I'm vegan.", STATED) is None
    assert last_day("I was in Rome from 3 to 5 November", STATED) is None


@pytest.mark.parametrize(
    "text",
    [
        "I'm flying out on 2nd of December and am back on the 8th",
        "my mum arrives tomorrow and leaves on Saturday",
        "Volamos el 2 de diciembre y volvemos el 8 de diciembre",
    ],
)
def test_the_days_until_a_return_are_part_of_the_event(text: str) -> None:
    day = Period(date(2026, 12, 4), date(2026, 12, 4))
    assert any(event.first_day_in(day) for event in events(text, STATED))
