"""Dates that the user corrects within a message."""

from datetime import date

import pytest

from agent.language.dates.corrections import apply_corrections
from agent.language.dates.notes import date_note
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth

TODAY = date(2026, 11, 24)  # a Tuesday

CORRECTED = {
    "My dentist appointment is on Saturday. No, sorry, Sunday.": "29 November 2026",
    "My dentist appointment is on Saturday at 3. Oh wait, no, Sunday.": "29 November 2026",
    "we meet on Thursday, I mean Wednesday": "25 November 2026",
    "on Tuesday, I mean Tuesday": "1 December 2026",
    "we move on Friday \u2014 no wait, Saturday": "28 November 2026",
    "on Monday, no Tuesday, no wait, Wednesday I fly": "25 November 2026",
    "I fly on Friday. No, not Friday, Saturday.": "28 November 2026",
    "the exam is on May 3rd... no wait, tomorrow": "25 November 2026",
    "I fly tomorrow, actually the day after tomorrow": "26 November 2026",
    "I fly out next Friday. Scratch that, in three days.": "27 November 2026",
    "the exam is next Monday. Oops, next Tuesday.": "1 December 2026",
    "the exam is this Thursday, no, Friday": "27 November 2026",
    "We moved in yesterday, or rather the day before yesterday": "22 November 2026",
    "Der Termin ist am Montag, ach nein, am Mittwoch": "25. November 2026",
    "am Freitag ziehe ich um, Quatsch, am Samstag": "28. November 2026",
    "Morgen, nein, übermorgen habe ich einen Termin": "26. November 2026",
    "El examen es el martes, digo, el miércoles": "25 de noviembre de 2026",
    "la boda es mañana, perdón, pasado mañana": "26 de noviembre de 2026",
    "je pars demain, non, pardon, après-demain": "26 novembre 2026",
    "parto domani, anzi dopodomani": "26 novembre 2026",
    "viajo amanhã, quer dizer, depois de amanhã": "26 de novembro de 2026",
    "no sábado, aliás, no domingo eu viajo": "29 de novembro de 2026",
    "ik vertrek op vrijdag, nee sorry, op zaterdag": "28 november 2026",
    "I went to the dentist on Saturday. No, sorry, Sunday.": "22 November 2026",
}
WITHOUT_DATE = [
    "the party is on May 3rd... no wait, May 13th",
    "I leave in two weeks, no, three weeks",
    "I fly tomorrow, no wait, I don't know when",
]
MESSAGE = "I have a cat. My dentist appointment is on Saturday. No, sorry, Sunday. Bye."


@pytest.mark.parametrize(("message", "dates"), CORRECTED.items())
def test_only_the_corrected_date_is_noted(message: str, dates: str) -> None:
    assert date_note(message, TODAY) == f" ({dates})"


@pytest.mark.parametrize("message", WITHOUT_DATE)
def test_a_date_that_is_taken_back_gets_no_note(message: str) -> None:
    assert not date_note(message, TODAY)


@pytest.mark.parametrize(
    ("message", "dates"),
    [
        ("I fly tomorrow. No problem, on Friday I'm back.", "tomorrow: 25 November 2026; Friday: 27 November 2026"),
        ("I have a call tomorrow and, no kidding, on Friday", "tomorrow: 25 November 2026; Friday: 27 November 2026"),
    ],
)
def test_words_that_correct_nothing_keep_both_dates(message: str, dates: str) -> None:
    assert date_note(message, TODAY) == f" ({dates})"


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("My dentist appointment is on Saturday.", ""),
        ("No, sorry, Sunday.", " (29 November 2026)"),
        ("I have a cat.", ""),
        ("Bye.", ""),
    ],
)
def test_a_correction_in_another_sentence_of_the_message_counts(sentence: str, note: str) -> None:
    assert date_note(sentence, TODAY, spoken=MESSAGE) == note


@pytest.mark.parametrize("text", ["", "no", "I like tea. No, sorry, coffee."])
def test_a_text_without_corrected_dates_is_unchanged(text: str) -> None:
    assert apply_corrections(text, text, TODAY) == text


@pytest.mark.parametrize("unit", ["Monday, no, ", "no, ", "tomorrow. ", "on Friday, sorry, not Friday, "])
def test_corrections_take_linear_time(unit: str) -> None:
    assert growth(lambda text: apply_corrections(text, text, TODAY), unit, chars=HOSTILE_CHARS) < MAX_GROWTH
