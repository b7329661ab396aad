"""Dates in the text of a memory, against what the user said and when."""

from datetime import date

import pytest

from agent.language.dates.resolution import end_of_validity, mentions, strip_dates, unsupported_dates
from support.growth import MAX_GROWTH, growth

TODAY = date(2026, 11, 24)  # a Tuesday

RIGHT = {
    "Dentist on Wednesday 25 November 2026": "dentist tomorrow at nine",
    "Dentist on 2026-11-26": "the dentist is the day after tomorrow",
    "Flies on Friday 27 November 2026": "I fly this Friday",
    "Flies on 27 Nov": "flying on friday!",
    "Flies on Friday, 27 November": "I fly next Friday",
    "Flies on Friday, December 4, 2026": "I fly next Friday",
    "Exam on Tuesday 15 December 2026": "my exam is in three weeks",
    "Exam in December 2026": "my exam is next month",
    "Moved in November 2023": "I moved here three years ago",
    "Moved in 2023": "we moved here in November 2023",
    "Wedding on 12 June 2027": "the wedding is on June 12",
    "Wedding on 12 June 2027 too": "wedding: 12/06/2027",
    "Wedding on June 12, 2027": "the wedding is on 2027-06-12",
    "Rent due on 12 December 2026": "rent is due on the 12th",
    "Retires in March 2027": "I retire in March",
    "Saw a doctor on 23 November 2026": "I saw a doctor yesterday",
    "Ran a marathon on Sunday 22 November 2026": "I ran a marathon last Sunday",
    "In Paris until Sunday 29 November 2026": "I'm in Paris this week",
    "Hikes on Saturday 28 November 2026": "we hike this weekend",
    "Termin am Donnerstag, 26. November 2026": "Ich habe übermorgen einen Termin",
    "Prüfung am 15.12.2026": "Meine Prüfung ist in drei Wochen",
    "Zieht am Freitag, 4. Dezember 2026 um": "Ich ziehe nächsten Freitag um",
    "Urlaub im Dezember 2026": "Nächsten Monat habe ich Urlaub",
    "Kam am 21. November 2026 an": "Ich bin vor drei Tagen angekommen",
    "Cita el lunes 30 de noviembre de 2026": "tengo cita el próximo lunes",
    "Viaja el 25 de noviembre": "viajo mañana",
    "Boda el 12 de junio de 2027": "la boda es el 12 de junio",
    "Llegó el 21 de noviembre de 2026": "llegué hace tres días",
    "Examen la semana del 30 de noviembre de 2026": "el examen es la semana que viene",
    "Part le mardi 1er décembre 2026": "je pars dans une semaine",
    "Part en décembre 2026": "je pars le mois prochain",
    "Rendez-vous le lundi 30 novembre 2026": "rendez-vous lundi prochain",
    "Arrive le 25 novembre": "il arrive demain",
    "2026年12月4日去上海": "我下周五去上海",
    "11月25日考试": "我明天考试",
    "2026年11月26日搬家": "后天搬家",
    "12月12日结婚": "我们十二月十二号结婚",
    "Parte il 25 novembre 2026": "parto domani",
    "Parte lunedì 30 novembre 2026": "parto lunedì prossimo",
    "Viaja em dezembro de 2026": "viajo no próximo mês",
    "Viaja na sexta-feira, 27 de novembro de 2026": "viajo na sexta-feira",
    "يسافر في 25 نوفمبر 2026": "سأسافر غدا",
    "يسافر يوم الجمعة 27 نوفمبر 2026": "سأسافر يوم الجمعة",
}
WRONG = {
    "Dentist on Thursday 26 November 2026": "dentist tomorrow at nine",
    "Flies on Thursday 27 November 2026": "I fly this Friday",
    "Flies on Friday 11 December 2026": "I fly next Friday",
    "Wedding on 6 December 2027": "the wedding is on June 12",
    "Wedding on 13 June": "the wedding is on June 12",
    "Exam in January 2027": "my exam is next month",
    "Moved in 2019": "I moved here three years ago",
    "Married on 3 May 2019": "I am married",
    "In Paris until Wednesday 25 November 2026": "I'm in Paris this week",
    "Prüfung am 16.12.2026": "Meine Prüfung ist in drei Wochen",
    "Viaja el 26 de noviembre": "viajo mañana",
    "Part en janvier 2027": "je pars le mois prochain",
    "2026年12月5日去上海": "我下周五去上海",
    "Lives since 2001": "I live in Oslo",
}


@pytest.mark.parametrize(("text", "message"), RIGHT.items())
def test_a_date_that_was_said_or_follows_from_the_day_is_supported(text: str, message: str) -> None:
    assert not unsupported_dates(text, [message], TODAY)


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_any_other_date_is_not_supported(text: str, message: str) -> None:
    assert unsupported_dates(text, [message], TODAY)


@pytest.mark.parametrize(
    ("until", "message", "kept"),
    [
        ("2026-11-29", "I'm in Paris this week", True),
        ("2026-11-27", "I'm in Paris until Friday", True),
        ("2026-11-30", "I'm here for the rest of November", True),
        ("2027-02-28", "on parental leave until March", True),
        ("2027-03-31", "on parental leave until March", True),
        ("2026-12-31", "I'm on sabbatical this year", True),
        ("2026-12-15", "I'm in Paris for three weeks", True),
        ("2026-12-24", "no swimming for a month", True),
        ("2026-12-24", "I'm in Paris this week", False),
        ("2026-11-01", "I was in Paris on November 1", False),
        ("2027-01-01", "I'm vegan", False),
        ("soon", "I'm in Paris this week", False),
        ("2026-11-29", "Ich bin diese Woche in Paris", True),
        ("2026-11-29", "esta semana estoy en París", True),
        ("2026-11-29", "我这周在巴黎", True),
    ],
)
def test_the_end_of_validity_must_be_said(until: str, message: str, *, kept: bool) -> None:
    assert end_of_validity(until, [message], TODAY) == (until if kept else None)


def test_dates_are_removed_before_words_are_compared() -> None:
    assert strip_dates("Flies on Friday 27 November 2026 to Rome").split() == ["Flies", "on", "to", "Rome"]
    assert strip_dates("Is in Paris") == "Is in Paris"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("had my first steak in ten years", 0),
        ("I haven't smoked in three months", 0),
        ("that was the best film I saw in two years", 0),
        ("he comido carne por primera vez en diez años", 0),
        ("my first exam is in three weeks", 1),
        ("I have my first exam in three weeks", 1),
        ("we move in two weeks", 1),
    ],
)
def test_a_period_that_has_passed_is_no_date_in_the_future(text: str, count: int) -> None:
    assert len(list(mentions(text, TODAY))) == count


@pytest.mark.parametrize("unit", ["1 ", "next ", "may ", "in 3 ", "12.", "2026-"])
def test_dates_are_found_in_linear_time(unit: str) -> None:
    assert growth(lambda text: unsupported_dates("Moves on 3 May 2031", [text], TODAY), unit) < MAX_GROWTH
