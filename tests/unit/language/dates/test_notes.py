"""The dates that a note gives for the relative dates of a message."""

from datetime import date

import pytest

from agent.language.dates.notes import date_note, split_date_note
from agent.language.dates.resolution import unsupported_dates
from support.growth import MAX_GROWTH, growth

TODAY = date(2026, 11, 24)  # a Tuesday

WEEKDAYS_OF_MONTHS = {
    "the last Friday of next month is my farewell": "25 December 2026",
    "school starts on the first Monday in January": "4 January 2027",
    "the 2nd Tuesday of December we meet": "8 December 2026",
    "the third Thursday of this month was quiz night": "19 November 2026",
    "we meet on the second to last Friday of December": "18 December 2026",
    "the exam is on the last Monday of May 2027": "31 May 2027",
    "am letzten Freitag im Dezember gehe ich in Rente": "25. Dezember 2026",
    "am ersten Montag nächsten Monats fange ich an": "7. Dezember 2026",
    "el primer lunes de enero empiezo": "4 de enero de 2027",
    "el último viernes del mes que viene me voy": "25 de diciembre de 2026",
    "le dernier vendredi de décembre je pars": "25 décembre 2026",
    "il primo lunedì di gennaio comincio": "4 gennaio 2027",
    "na primeira segunda-feira de janeiro eu começo": "4 de janeiro de 2027",
    "op de eerste maandag van januari begin ik": "4 januari 2027",
}
BEGINNINGS = {
    "from this week my shift starts at 10": "23 November 2026",
    "starting next month I work in Berlin": "1 December 2026",
    "ab nächster Woche arbeite ich in Ulm": "30. November 2026",
    "à partir du mois prochain je travaille à Lyon": "1er décembre 2026",
    "I paid the bill from last month": "October 2026",
}
WEEKDAYS_OF_WEEKS = {
    "I fly on Friday of next week": "4 December 2026",
    "I fly on Friday next week": "4 December 2026",
    "I fly next week on Friday": "4 December 2026",
    "am Freitag nächster Woche fliege ich": "4. Dezember 2026",
    "nächste Woche Freitag fliege ich": "4. Dezember 2026",
    "El viernes de la semana que viene viajo": "4 de diciembre de 2026",
    "la semana que viene, el viernes, viajo": "4 de diciembre de 2026",
    "vendredi de la semaine prochaine je pars": "4 décembre 2026",
    "venerdì della settimana prossima parto": "4 dicembre 2026",
    "na sexta da semana que vem viajo": "4 de dezembro de 2026",
    "ik vertrek op vrijdag volgende week": "4 december 2026",
}
WEEKENDS = {
    "my mum comes this weekend": "28 November 2026 \u2013 29 November 2026",
    "mia madre viene questo weekend": "28 novembre 2026 \u2013 29 novembre 2026",
    "minha mãe vem neste fim de semana": "28 de novembro de 2026 \u2013 29 de novembro de 2026",
    "mijn moeder komt dit weekend": "28 november 2026 \u2013 29 november 2026",
    "mi madre viene este finde": "28 de noviembre de 2026 \u2013 29 de noviembre de 2026",
    "ma mère vient ce weekend": "28 novembre 2026 \u2013 29 novembre 2026",
    "dit jaar ga ik met pensioen": "2026",
    "neste mês mudo de casa": "novembro de 2026",
}
LENGTHS = {
    "the inspection is Friday week": "4 December 2026",
    "my exam is a week on Friday": "4 December 2026",
    "I leave Friday fortnight": "11 December 2026",
    "the wedding is a week from Saturday": "5 December 2026",
    "I start a week tomorrow": "2 December 2026",
    "two weeks from tomorrow I retire": "9 December 2026",
    "I move in a fortnight": "around 8 December 2026",
    "wir ziehen in zwei Wochen um": "um den 8. Dezember 2026",
    "in drei Tagen fliege ich": "27. November 2026",
    "heute in einer Woche habe ich Prüfung": "1. Dezember 2026",
    "Freitag in zwei Wochen ist die Feier": "11. Dezember 2026",
    "je pars dans quinze jours": "vers le 8 décembre 2026",
    "dans huit jours je passe mon permis": "vers le 1er décembre 2026",
    "vendredi en huit on fait la fête": "4 décembre 2026",
    "me mudo en quince días": "hacia el 8 de diciembre de 2026",
    "parto tra due settimane": "intorno al 8 dicembre 2026",
    "ik verhuis over twee weken": "rond 8 december 2026",
}
DUTCH = {
    "gisteren heb ik ontslag genomen": "23 november 2026",
    "overmorgen heb ik een afspraak": "26 november 2026",
    "twee weken geleden ben ik verhuisd": "rond 10 november 2026",
    "ik vlieg volgende maand naar Rome": "december 2026",
    "afgelopen zaterdag had ik een feest": "21 november 2026",
    "morgen heb ik een tandarts": "25 november 2026",
    "vorige week was ik ziek": "16 november 2026 \u2013 22 november 2026",
}
HOURS = {
    "heute Morgen bin ich gefallen": "24. November 2026",
    "morgen früh fliege ich": "25. November 2026",
    "am Freitag Morgen gehe ich laufen": "27. November 2026",
    "mañana por la mañana viajo": "25 de noviembre de 2026",
    "op vrijdagavond heb ik een afspraak": "27 november 2026",
}
NO_DATES = [
    "second to last day of term, 17 December",
    "it's my last day at work",
    "the next day we went home",
    "am nächsten Tag war ich krank",
    "my trial ends on the last Friday of the month",
    "the inspection is Tuesday week",
    "I start in a couple of weeks",
    "Montag in zwei Wochen ist die Feier",
]
UNCERTAIN = [
    # part of something else
    "the last Friday of term is chaos",
    "the last week of term is fun",
    "My last week at Acme was brutal",
    "last week in May I was ill",
    "the following week we left",
    "la dernière semaine de vacances était top",
    "ce vendredi-là il pleuvait",
    # counted from another day
    "on Friday after next I fly",
    "the week after next I fly",
    "two days after Friday I fly",
    "am Freitag nach Weihnachten fliege ich",
    "not this Friday but the one after",
    "este viernes no, el siguiente",
    # vague
    "it was built over two years ago",
    "I met her two or three years ago",
    "a couple of days ago I fell",
    "in two weeks and three days I fly",
    "in a week or two I'll know",
    "I fly tomorrow or the day after",
    "mañana o pasado te digo",
    "il y a un an et demi j'ai déménagé",
    "tra un mese e mezzo nasce",
    "vor Jahren war ich dort",
    "hace años viví allí",
    "in den nächsten Wochen ziehe ich um",
    "die letzten Monate waren hart",
    "de afgelopen weken waren zwaar",
    # a length of time
    "I read the book in three days",
    "I lost five kilos in two months",
    "Rome wasn't built in a day",
    "once in a week I swim",
    "no rain in weeks",
    "I'm on call in week 3",
    "I've lived here over three years",
    "It's been a week today",
    "Ich habe das Buch in drei Tagen gelesen",
    "en tres días terminé el libro",
    "j'ai lu le livre en trois jours",
    "ho scritto la tesi in due mesi",
    "em três dias li o livro",
    "in twee dagen heb ik het boek gelezen",
    "he pasado la semana fuera",
    "hace un día precioso",
    # in the past, but of something to come
    "I booked a table on Friday",
    "she told me about Friday",
    "I had planned to go on Friday",
    "had to cancel the party on thursday",
    "the flight leaves on the 3rd",
    "got an interview on thursday",
    # a habit
    "I teach yoga on Tuesday evenings",
    "intervals on wednesday, tempo on thursday, long run on sunday",
    "training plan: intervals on wednesday and a long run on sunday",
    "ik werk maandag, dinsdag en donderdag",
    "hij traint dinsdag en donderdag",
    "w środy mam angielski",
    "she plays on tuesdays",
    "treino segunda e quarta",
    "el lunes es mi día libre",
    "dimanche est mon jour préféré",
    "zondag is mijn vrije dag",
    "pracuję od poniedziałku do piątku",
    "On Monday and Thursday I have choir",
    "elke vrijdag ga ik zwemmen",
    # names and phrases
    "I bought it on Black Friday",
    "my cat Friday is cute",
    "named after Wednesday Addams",
    "el Viernes Santo no trabajo",
    "na sexta-feira santa descansamos",
    "na segunda vez deu certo",
    "tra due venerdì parto",
    "no Friday meetings please",
    "party like there's no tomorrow",
    "I love Yesterday by the Beatles",
    "hoy en día todo es caro",
    "hoje em dia tudo é caro",
    "al giorno d'oggi è tutto caro",
    "von heute auf morgen war alles anders",
    "powered by sun",
    "this sun is hot",
    "I may go, may I?",
    "we march on",
    "I had a second helping",
    "I met him the other day",
    "one of these days I'll call",
    "see you later",
    "back in a second",
]
CERTAIN = {
    "I'm getting married in two weeks": "around 8 December 2026",
    "I got a new job and I start in two weeks": "around 8 December 2026",
    "I have a visit in three days": "27 November 2026",
    "on Friday after work I fly": "27 November 2026",
    "In zwei Wochen beginnt mein Kurs": "um den 8. Dezember 2026",
    "hace tres años que vivo aquí": "2023",
    "dentist thursday 3pm": "26 November 2026",
    "mum arrives friday night": "27 November 2026",
    "Oma kommt Sonntag": "29. November 2026",
    "Our boiler gave up last night, plumber comes thursday": (
        "last night: 23 November 2026; thursday: 26 November 2026"
    ),
    "na quarta tenho médico": "25 de novembro de 2026",
    "en dos semanas iré con mi madre a Roma": "hacia el 8 de diciembre de 2026",
}


@pytest.mark.parametrize(
    ("message", "dates"),
    (WEEKENDS | WEEKDAYS_OF_MONTHS | BEGINNINGS | WEEKDAYS_OF_WEEKS | LENGTHS | DUTCH | HOURS | CERTAIN).items(),
)
def test_a_note_gives_the_day_that_the_words_mean(message: str, dates: str) -> None:
    note = date_note(message, TODAY)
    assert note == f" ({dates})"
    assert split_date_note(message + note) == (message, note)
    assert not unsupported_dates(dates, [message], TODAY)


@pytest.mark.parametrize(
    ("message", "note"),
    [
        ("Our boiler gave up last night, plumber thursday", "last night: 23 November 2026"),
        ("gestern fiel die Heizung aus, Monteur dann Montag", "gestern: 23. November 2026"),
    ],
)
def test_a_note_names_its_words_if_another_date_remains_unclear(message: str, note: str) -> None:
    assert date_note(message, TODAY) == f" ({note})"


@pytest.mark.parametrize("message", NO_DATES + UNCERTAIN)
def test_words_that_do_not_tell_one_day_get_no_note(message: str) -> None:
    assert not date_note(message, TODAY)


@pytest.mark.parametrize(
    ("message", "dates"),
    [
        ("we met on the first Monday in October", " (5 October 2026)"),
        ("we meet on the first Monday in October", ""),
        ("the shop closes on the first Monday in January every year", ""),
    ],
)
def test_a_month_without_a_year_is_the_nearest_one_in_the_direction_of_the_verb(message: str, dates: str) -> None:
    assert date_note(message, TODAY) == dates


def test_a_note_with_a_month_in_figures_is_split_off() -> None:
    message = "dentro de dos meses nace Eva"
    assert split_date_note(f"{message} (2027-01)") == (message, " (2027-01)")


@pytest.mark.parametrize(
    "unit", ["last Friday of ", "a week on ", "in a week ", "over twee ", "Friday, ", "two or three ", "next week of "]
)
def test_notes_take_linear_time(unit: str) -> None:
    assert growth(lambda text: date_note(text, TODAY), unit) < MAX_GROWTH
