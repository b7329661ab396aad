"""Events of the same name are told apart, and a change of one follows the statement about the same one."""

import pytest

from agent.language.references.antecedents import find_antecedent, with_statements
from agent.language.references.event_kinds import are_different_events
from agent.language.references.relations import shared_things
from agent.language.revision.contradictions import contradicts

NOW = "2026-11-28T10:00:00+00:00"
MOVED = [
    ("my essay is due on the 12th", "essay deadline got extended to the 20th"),
    ("gig starts at 8", "the gig's been pushed back to 9"),
    ("dissertation has to be handed in by 3 May", "they've extended the dissertation deadline to the 17th"),
    ("my dentist appointment is at 3", "dentist moved me to half 4"),
    ("we fly at 6.40 on saturday", "our flight's delayed till 9"),
    ("exam's on the 4th", "the exam got brought forward to the 2nd"),
    ("his flight is on Sunday evening", "his flight's been put back, Monday morning"),
    ("I'm sitting my maths paper on 12 June", "maths paper has been postponed to the 19th"),
    ("physio is tuesday at 10", "physio rescheduled me to thursday"),
    ("tax return's due end of january", "tax return deadline has moved to 28 february"),
    ("we're viewing the flat at 5", "flat viewing got moved to 6"),
    ("the council meeting is on monday", "council meeting pushed to wednesday"),
    ("i have to submit the grant application by friday", "grant application got an extension till monday"),
    ("our train leaves at 7:12", "train's running late, now 7:40"),
    ("my shift starts at 6", "shift start moved to 7"),
    ("parents evening is the 8th", "they've put parents evening back a week to the 15th"),
    ("our flight to Oslo is at 9", "the oslo flight has been delayed to 11"),
    ("interview's at 2 on thursday", "interview's been brought forward to 1"),
    ("the plumber's coming monday", "plumber's pushed it to tuesday"),
    ("scan is on the 9th", "hospital rescheduled my scan for the 16th"),
    ("Die Hausarbeit muss bis 12. März fertig sein", "Die Abgabe der Hausarbeit wurde auf den 20. März verlängert"),
    (
        "Abgabefrist für die Bachelorarbeit ist der 1. Juni",
        "Abgabefrist der Bachelorarbeit wurde bis 15. Juni verlängert",
    ),
    ("Das Konzert fängt um 20 Uhr an", "Das Konzert beginnt jetzt erst um 21 Uhr"),
    ("Zahnarzt ist am Dienstag um 10", "Zahnarzt hat mich auf Donnerstag verschoben"),
    ("Unser Flug geht um 7", "Der Flug ist auf 9 Uhr verschoben worden"),
    ("Die Prüfung ist am 4. Februar", "Prüfung wurde auf den 2. Februar vorgezogen"),
    ("Elternabend ist am Montag", "der Elternabend wurde auf Mittwoch verlegt"),
    ("Mein Zug fährt um 8:15", "der Zug hat Verspätung, fährt erst 8:45"),
    ("Je dois rendre mon mémoire le 12 mai", "la date de rendu du mémoire est repoussée au 20 mai"),
    ("Le concert commence à 20h", "le concert est décalé à 21h"),
    ("J'ai dentiste mardi à 10h", "le dentiste m'a décalé à jeudi"),
    ("Notre vol est à 7h", "le vol est retardé à 9h"),
    ("L'examen est le 4 février", "l'examen a été avancé au 2 février"),
    ("Mon dossier est à rendre pour vendredi", "le délai du dossier est prolongé jusqu'à lundi"),
    ("El concierto empieza a las 8", "el concierto se ha retrasado a las 9"),
    ("Tengo dentista el martes a las 10", "el dentista me lo han movido al jueves"),
    ("Nuestro vuelo sale a las 7", "el vuelo se retrasa hasta las 9"),
    ("El examen es el 4 de febrero", "han adelantado el examen al 2 de febrero"),
    ("La reunión es el lunes", "la reunión se pospone al miércoles"),
    ("Devo consegnare la tesi il 12", "la consegna della tesi è stata prorogata al 20"),
    ("Il concerto inizia alle 20", "il concerto è stato posticipato alle 21"),
    ("Ho il dentista martedì alle 10", "il dentista mi ha spostato a giovedì"),
    ("Il nostro volo è alle 7", "il volo è in ritardo, parte alle 9"),
    ("L'esame è il 4 febbraio", "l'esame è stato anticipato al 2 febbraio"),
    ("La riunione è lunedì", "la riunione slitta a mercoledì"),
    ("Mijn scriptie moet op 12 mei af zijn", "de deadline van mijn scriptie is verlengd tot 20 mei"),
    ("Het concert begint om 8 uur", "het concert is uitgesteld naar 9 uur"),
    ("Ik heb dinsdag om 10 uur tandarts", "tandarts is verzet naar donderdag"),
    ("Onze vlucht is om 7 uur", "de vlucht is vertraagd tot 9 uur"),
    ("Het tentamen is op 4 februari", "tentamen is vervroegd naar 2 februari"),
    ("De vergadering is maandag", "vergadering verschoven naar woensdag"),
]
OTHER = [
    ("my essay is due on the 12th", "my lab report deadline got extended to the 20th"),
    ("gig starts at 8", "the meeting's been pushed back to 9"),
    ("my dentist appointment is at 3", "vet appointment moved to 4"),
    ("we fly at 6.40 on saturday", "mum's flight is delayed till 9"),
    ("my exam's on the 4th", "tom's exam got brought forward to the 2nd"),
    ("physio is tuesday at 10", "dentist rescheduled me to thursday"),
    ("maths exam is 12 June", "chemistry exam has been postponed to the 19th"),
    ("the car is due its MOT in march", "rent is due on the 1st"),
    ("my library books are due on friday", "baby's due date got moved to 3 may"),
    ("our train leaves at 7:12", "the last bus now leaves at 11"),
    ("Die Hausarbeit ist am 12. fällig", "Die Abgabe der Steuererklärung wurde auf den 20. verlängert"),
    ("Das Konzert ist um 20 Uhr", "Das Fußballspiel wurde auf 21 Uhr verschoben"),
    ("Zahnarzt ist am Dienstag", "Friseur hat mich auf Donnerstag verschoben"),
    ("Le concert commence à 20h", "la réunion est décalée à 21h"),
    ("J'ai dentiste mardi", "le kiné m'a décalé à jeudi"),
    ("El examen es el 4", "la boda se ha aplazado al 6"),
    ("Tengo dentista el martes", "la fisio me la han movido al jueves"),
    ("Il concerto è alle 20", "la riunione è stata posticipata alle 21"),
    ("De vergadering is maandag", "het tentamen is verschoven naar woensdag"),
    ("my deadline for the essay is friday", "extended my gym membership to december"),
    ("the grant application is due friday", "job application deadline got moved to monday"),
    ("our deposit is due on the 3rd", "the boiler service got pushed to the 9th"),
]


def _concerns(new: str, old: str) -> bool:
    return contradicts(new, old, stated_at=NOW) or bool(shared_things(new, old))


@pytest.mark.parametrize(("old", "new"), MOVED)
def test_another_time_of_an_event_concerns_the_statement_about_it(old: str, new: str) -> None:
    assert _concerns(new, old)


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_another_time_of_another_event_concerns_nothing(old: str, new: str) -> None:
    assert not _concerns(new, old)
    assert find_antecedent(new, [old], answers_question=False) is None


@pytest.mark.parametrize(
    ("text", "other", "are_different"),
    [
        ("vet appointment moved to 4", "my dentist appointment is at 3", True),
        ("chemistry exam is on the 19th", "maths exam is on the 12th", True),
        ("the exam is on the 19th", "maths exam is on the 12th", False),
        ("maths exam got moved", "the maths exam is on the 12th", False),
        ("le kiné m'a décalé à jeudi", "j'ai dentiste mardi", True),
    ],
)
def test_events_differ_in_who_they_are_with_or_in_their_kind(text: str, other: str, *, are_different: bool) -> None:
    assert are_different_events(text, other) is are_different


@pytest.mark.parametrize(
    ("old", "new", "mark"),
    [
        ("gig starts at 8", "the gig's been pushed back to 9", "\u2192"),
        ("essay is due on the 12th", "the essay deadline got extended to the 20th", "\u2192"),
        ("gym class is 45 euros a month", "they're raising the gym class to 52 euros", "\u2192"),
        ("I'm conversational in French", "My French has got rusty", "\u2026"),
        ("my kids are 4 and 7", "my kids have 3 hamsters now", "\u2026"),
        ("our house has solar panels", "Our house has a new front door now", "\u2026"),
    ],
)
def test_a_new_value_is_marked_as_the_one_that_holds(old: str, new: str, mark: str) -> None:
    assert with_statements([old], new) == f"{old} {mark} {new}"
