"""Days to which something was moved, and days with a time, are written out; ages are no dates."""

from datetime import date

import pytest

from agent.language.dates.notes import date_note

SATURDAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("my dentist appointment got moved to Monday at 9", "30 November 2026"),
        ("play's been moved to thursday, same time", "3 December 2026"),
        ("booked him in for thursday at 3", "3 December 2026"),
        ("das Gespräch wurde auf Montag 10 Uhr verschoben", "30. November 2026"),
        ("zahnarzt wurde verschoben auf mittwoch 10 uhr", "2. Dezember 2026"),
        ("vendredi à 15h j'ai un rendez-vous chez le kiné", "4 décembre 2026"),
        ("venerdì alle 17 ho una call", "4 dicembre 2026"),
        ("la verifica è slittata a lunedì", "30 novembre 2026"),
        ("la riunione è stata spostata a mercoledì", "2 dicembre 2026"),
        ("l'incontro è diventato mercoledì", "2 dicembre 2026"),
        ("mi hanno spostato il dentista a venerdì alle 10", "4 dicembre 2026"),
        ("sollicitatie is dinsdag geworden, zelfde uur", "1 december 2026"),
        ("fysio is nu toch donderdag om 11 uur geworden", "3 december 2026"),
        ("de vergadering is naar maandag verschoven", "30 november 2026"),
        ("der Termin ist jetzt doch Mittwoch geworden", "2. Dezember 2026"),
        ("das Meeting wurde auf Montag verlegt", "30. November 2026"),
        ("fahrprüfung wurde rescheduled auf dienstag 8:30", "1. Dezember 2026"),
        ("my sister's moving in got pushed to sunday", "29 November 2026"),
        ("our move got pushed back to friday", "4 December 2026"),
        ("theory test got rescheduled to thursday 9:45", "3 December 2026"),
        ("a reunião foi remarcada para terça", "1 de dezembro de 2026"),
        ("a prova passou para segunda", "30 de novembro de 2026"),
        ("el examen ha sido cambiado al jueves", "3 de diciembre de 2026"),
        ("me han cambiado el dentista al miércoles a las 10", "2 de diciembre de 2026"),
        ("le match a été reporté à mercredi", "2 décembre 2026"),
        ("wizyta przełożona na wtorek", "1 grudnia 2026"),
    ],
)
def test_a_day_to_which_something_was_moved_is_the_next_one(text: str, note: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == f" ({note})"


@pytest.mark.parametrize(
    "text",
    [
        "Tom a 9 ans !",
        "le vendredi à 15h j'ai piscine",
        "il venerdì alle 17 ho pilates",
        "he's 9 years old and off on mondays",
    ],
)
def test_ages_and_habits_have_no_date(text: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == ""


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("ze is donderdag moeder geworden", "26 november 2026"),
        ("ich bin am Montag 30 geworden", "23. November 2026"),
        ("hij is maandag ziek geworden", "23 november 2026"),
        ("we moved on sunday", "22 November 2026"),
        ("on thursday I got pushed off my bike", "26 November 2026"),
        ("domenica la squadra è diventata campione", "22 novembre 2026"),
    ],
)
def test_a_day_on_which_something_changed_is_the_last_one(text: str, note: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == f" ({note})"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("sexta dia 4", "4 de dezembro de 2026"),
        ("prueba de inglés, quinta dia 3", "3 de dezembro de 2026"),
        ("the concert is on Friday the 11th", "11 December 2026"),
        ("my mum has a birthday on the 9th", "9 December 2026"),
        ("we have a party on the 20th", "20 December 2026"),
        ("his wedding is on the 19th", "19 December 2026"),
        ("sabato ritiro la macchina", "5 dicembre 2026"),
        ("on Saturday I fly to Oslo", "5 December 2026"),
        ("antibiótico cada 12 horas hasta el viernes", "4 de diciembre de 2026"),
        ("antibiotics every 8 hours until Tuesday", "1 December 2026"),
    ],
)
def test_days_of_months_events_and_intervals_are_written_out(text: str, note: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == f" ({note})"


@pytest.mark.parametrize(
    "text",
    [
        "my friend lives on the 9th floor",
        "we had a party on the 20th",
        "I take my pill on the 9th of every month",
        "the rent is due on the 1st",
        "the exam is on the 9th floor",
        "every week I work until Friday",
    ],
)
def test_numbers_and_habits_have_no_date(text: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == ""


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("l'ophtalmo est passé à jeudi", "3 décembre 2026"),
        ("le dentiste passe à lundi", "30 novembre 2026"),
        ("ils ont mis la réunion à mercredi", "2 décembre 2026"),
        ("the gig moves to friday", "4 December 2026"),
        ("the meeting slid to wednesday", "2 December 2026"),
        ("Probe auf Freitag geschoben", "4. Dezember 2026"),
        ("Yoga wechselt auf Dienstag", "1. Dezember 2026"),
        ("la cita pasó al jueves", "3 de diciembre de 2026"),
        ("lo movieron al lunes", "30 de noviembre de 2026"),
        ("la visita passa a giovedì", "3 dicembre 2026"),
        ("a aula passa para sexta", "4 de dezembro de 2026"),
        ("de les schuift naar vrijdag", "4 december 2026"),
    ],
)
def test_a_day_to_which_something_goes_is_the_next_one(text: str, note: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == f" ({note})"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("mon frère est passé jeudi à la maison", "26 novembre 2026"),
        ("le plombier est passé au bureau lundi", "23 novembre 2026"),
        ("mi tío pasó el domingo en casa", "22 de noviembre de 2026"),
        ("mia zia è passata lunedì", "23 novembre 2026"),
        ("wir sind am Donnerstag umgezogen", "26. November 2026"),
    ],
)
def test_a_visit_on_a_day_is_over(text: str, note: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == f" ({note})"
