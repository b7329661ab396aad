"""The dates of weekdays, by the tense of their clause, and of days beside an age or another unit."""

from datetime import date

import pytest

from agent.language.dates.notes import date_note, split_date_note
from agent.language.dates.resolution import unsupported_dates

TODAY = date(2026, 11, 24)  # a Tuesday

OVER = {
    "On Friday I flew to Rome": "20 November 2026",
    "broke up on sunday": "22 November 2026",
    "she had a fall on sunday": "22 November 2026",
    "got sacked on friday": "20 November 2026",
    "Am Freitag habe ich meinen Job verloren": "20. November 2026",
    "Am Mittwoch traf ich meinen Chef": "18. November 2026",
    "el viernes vino mi madre": "20 de noviembre de 2026",
    "no domingo comi demais, fui à feira": "22 de novembro de 2026",
    "ma tante est morte samedi": "21 novembre 2026",
    "op zaterdag heb ik gefeest": "21 november 2026",
    "the heating has been off since monday": "23 November 2026",
    "ich bin seit Montag krank": "23. November 2026",
    "la caldera lleva rota desde el lunes": "23 de noviembre de 2026",
    "je suis chez Salomon depuis lundi": "23 novembre 2026",
    "zondag is oma overleden": "22 november 2026",
    "w niedzielę urodziła się Hania": "22 listopada 2026",
    "ik ben sinds zondag ziek": "22 november 2026",
}
COMING = {
    "boiler service is wednesday at 11": "25 November 2026",
    "new job starts sunday": "29 November 2026",
    "we fly out thursday morning": "26 November 2026",
    "parents evening wednesday at half 6": "25 November 2026",
    "ich weiß noch nicht, ob ich am Mittwoch kommen kann": "25. November 2026",
    "mein Chef hat gesagt, dass ich am Donnerstag freinehmen darf": "26. November 2026",
    "I told them that the exam is on Friday": "27 November 2026",
    "my sister had a baby so I'm helping her on thursday": "26 November 2026",
    "złamałam nogę i w czwartek mam operację": "26 listopada 2026",
    "was soll ich am Donnerstag anziehen": "26. November 2026",
    "wir haben am Donnerstag viel zu tun": "26. November 2026",
    "ik ga donderdag met Jan naar de film": "26 november 2026",
    "I'm a bit busy on thursday": "26 November 2026",
    "I won't be there on thursday": "26 November 2026",
    "je vais chez mon neveu jeudi": "26 novembre 2026",
    "hij is maandag afwezig": "30 november 2026",
    "mia nonna compie 80 anni sabato": "28 novembre 2026",
    "il se fait opérer du genou droit mercredi, elle rentre samedi prochain": (
        "mercredi: 25 novembre 2026; samedi prochain: 28 novembre 2026 ou 5 décembre 2026"
    ),
    "na sexta às 18h tenho reunião": "27 de novembro de 2026",
    "w piątek mamy wizytę u alergologa o 12": "27 listopada 2026",
    "ze Olka nie bedzie w piatek": "27 listopada 2026",
    "the deadline's been extended to the 18th": "18 December 2026",
    "we get married june 12th next year": "12 June 2027",
    "wir heiraten am 12. Juni nächstes Jahr": "12. Juni 2027",
    "nos casamos el 12 de junio del año que viene": "12 de junio de 2027",
}
AGES = {
    "Zoé a eu 7 ans hier, on a fait une fête à la maison": "23 novembre 2026",
    "Tom turned 9 years yesterday": "23 November 2026",
    "Lotte ist gestern 10 geworden": "23. November 2026",
}


@pytest.mark.parametrize(("message", "dates"), (OVER | COMING | AGES).items())
def test_the_tense_of_a_clause_decides_which_day_is_meant(message: str, dates: str) -> None:
    note = date_note(message, TODAY)
    assert note == f" ({dates})"
    assert split_date_note(message + note) == (message, note)
    assert not unsupported_dates(dates, [message], TODAY)
