"""A correction of the day or time of an appointment follows it, also if the message before it asks for something."""

import pytest

from agent.language.message_analysis import MessageContent
from agent.language.references.antecedents import find_antecedent

MOVED = [
    ("j'ai rdv chez le pédiatre jeudi à 17h pour Zoé, je dois préparer quoi?", "finalement c'est vendredi à 16h30"),
    (
        "kun je een mailtje schrijven naar de juf van Daan, juf Marieke, hij is maandag weg, orthodontist om 10 uur",
        "oh nee wacht het is pas om kwart voor 2",
    ),
    (
        "we gaan op 5 januari op skivakantie naar Oostenrijk, wat moet ik inpakken? ik heb schoenmaat 44",
        "toch niet op 5 januari maar op 8 januari",
    ),
    ("tenho reunião com a professora dele na sexta às 18h, que perguntas faço?", "afinal é na segunda às 17h30"),
    ("a consulta da Bruna é quarta às 15h, me lembra o q perguntar?", "na verdade mudou pra quinta às 10h"),
    (
        "napisz maila do przedszkola ze Olka nie bedzie w piatek bo mamy wizyte u alergologa o 12",
        "jednak wizyta jest o 13:30",
    ),
    ("w sobotę o 18 gram koncert w klubie Blue Note, napisz post na fejsa", "zmiana, koncert jednak w niedzielę o 19"),
    ("El viernes tengo cena con las del trabajo a las 9, q me pongo?", "al final no es a las 9, es a las 10"),
    ("dentist is tuesday at 10, what should i ask?", "actually it's wednesday at 11"),
    ("morgen um 10 hab ich zahnarzt, was muss ich mitnehmen?", "doch erst übermorgen um 11"),
    ("I have a job interview on Thursday at 9, how should I prepare?", "sorry, it's Friday at 9"),
    ("my mum's flight lands monday at 6:40, what's the best way to get her from heathrow?", "no wait, tuesday"),
    ("ich habe am Mittwoch um 15 Uhr ein Vorstellungsgespräch, was soll ich anziehen?", "ne, ist doch am Donnerstag"),
    ("tengo dentista el martes a las 5, ¿qué le pregunto?", "perdón, es el miércoles a las 6"),
    ("ho il colloquio giovedì alle 10, cosa mi metto?", "anzi no, è venerdì alle 11"),
    ("tenho exame na terça às 9h, o que devo levar?", "desculpa, é quarta às 10h"),
    ("ik heb donderdag om 3 uur een afspraak bij de tandarts, wat moet ik vragen?", "sorry, het is vrijdag om 4 uur"),
    ("mam wizytę u dentysty we wtorek o 10, o co zapytać?", "jednak w środę o 11"),
    (
        "i've got parents evening wednesday at half 6, what should i ask his teacher?",
        "scratch that, it's thursday at 5",
    ),
    ("My driving test is on 14 January at 8:10, any tips?", "oops, 15 January"),
    ("the vet is seeing Biscuit tomorrow at 4, what do i need to bring?", "they moved it to friday at 9"),
    ("got my scan on friday at 1.30, is it ok to eat before?", "ah no it's at 2.15"),
    ("wir fliegen am 12. März um 6 nach Lissabon, was muss ich noch planen?", "korrektur: am 13. März"),
    ("elternabend ist dienstag um 19 uhr, was soll ich die lehrerin fragen?", "moment, mittwoch um 19:30"),
    (
        "mein Vater wird am Freitag um 8 operiert, was soll ich ihm mitbringen?",
        "doch nicht am Freitag, sondern am Montag",
    ),
    ("mardi à 9h j'ai un entretien chez Michelin, comment m'habiller?", "ah non pardon, mercredi à 10h"),
    ("la réunion avec le proprio est lundi à 18h, quels points aborder?", "en fait c'est mardi à 19h"),
    ("el jueves a las 8 tengo examen de conducir, ¿algún consejo?", "no, perdón, el viernes"),
    ("la revisión de Lucas es el lunes a las 10, ¿qué pregunto al pediatra?", "al final la han pasado al martes"),
    ("sabato alle 20 viene a cena mia suocera, cosa cucino?", "aspetta, è domenica"),
    ("l'esame di Marta è il 4 febbraio, come la aiuto?", "scusa, il 6 febbraio"),
    ("a cirurgia do meu pai é segunda às 7h, o que levo pro hospital?", "ou melhor, terça às 8h"),
    ("o casamento da Ana é no dia 10 de maio, que presente dou?", "na verdade é dia 17 de maio"),
    ("zaterdag om 14 uur komt de makelaar, waar moet ik op letten?", "nee sorry, zondag"),
    ("de musical van Lotte is donderdag om 7 uur, wat trek ik aan?", "het is toch vrijdag"),
    ("w poniedziałek o 8 mam rozmowę o pracę, jak się ubrać?", "nie, we wtorek o 9"),
]
OTHER = [
    ("find me a train from Leeds to York on friday at 9", "actually saturday"),
    ("write a poem about a tuesday at the dentist", "actually make it funnier"),
    ("plan a 3 day trip to Rome for me in May", "sorry, 4 days"),
    ("my daughter's birthday is saturday, find me a cake recipe for 12 people", "actually for 20"),
    ("j'ai rdv chez le dentiste jeudi à 17h, je dois préparer quoi?", "vendredi à 16h30 j'ai un cours de yoga"),
    ("dentist is tuesday at 10, what should i ask?", "my sister comes on wednesday at 11"),
    ("dentist is tuesday at 10, what should i ask?", "actually my sister's wedding is on saturday"),
    ("dentist is tuesday at 10, what should i ask?", "actually I prefer short lists"),
    ("tengo dentista el martes a las 5, ¿qué le pregunto?", "al final me compré un coche nuevo"),
    (
        "ich habe am Mittwoch um 15 Uhr ein Vorstellungsgespräch, was soll ich anziehen?",
        "am Freitag um 18 Uhr gehe ich ins Kino",
    ),
    ("ho il colloquio giovedì alle 10, cosa mi metto?", "grazie mille, ci sentiamo venerdì"),
    ("what's the capital of Peru?", "actually it's wednesday"),
    ("when is easter next year?", "no wait, in 2028"),
    ("remind me what a sonnet is, i have english on monday", "nope, a haiku"),
    ("tenho exame na terça às 9h, o que devo levar?", "na verdade prefiro em inglês"),
    ("how do i cook a 2 kg turkey?", "actually it's 3 kg"),
    ('translate "the dentist is on tuesday at 10" into french', "sorry, into german"),
    ("schreib eine geschichte, in der am Montag um 9 der Zug kommt", "nein, um 10"),
    ("my flight is friday at 7, should I book a taxi?", "no"),
    ("my flight is friday at 7, should I book a taxi?", "3 people"),
    ("can you make me a weekly plan with a rest day on friday?", "sorry, rest day on thursday"),
    ("give me 5 exercises for monday", "no wait, 7"),
    (
        "i've got parents evening wednesday at half 6, what should i ask his teacher?",
        "actually he's struggling with maths",
    ),
    (
        "i've got parents evening wednesday at half 6, what should i ask his teacher?",
        "oh and swimming is on thursday at 5",
    ),
    ("My driving test is on 14 January at 8:10, any tips?", "thanks! see you on friday"),
    ("the vet is seeing Biscuit tomorrow at 4, what do i need to bring?", "no, she's a cat"),
    (
        "wir fliegen am 12. März um 6 nach Lissabon, was muss ich noch planen?",
        "eigentlich wollte ich nur eine packliste",
    ),
    ("mardi à 9h j'ai un entretien chez Michelin, comment m'habiller?", "finalement je mets une robe"),
    ("mardi à 9h j'ai un entretien chez Michelin, comment m'habiller?", "en fait Paul vient mercredi à 10h"),
    ("el jueves a las 8 tengo examen de conducir, ¿algún consejo?", "perdón, en inglés"),
    ("what day was 4 july 1976?", "sorry, 5 july"),
    ("how many days until friday?", "actually until saturday"),
    ("sabato alle 20 viene a cena mia suocera, cosa cucino?", "in realtà è vegetariana"),
    ("a cirurgia do meu pai é segunda às 7h, o que levo pro hospital?", "minha irmã chega terça às 8h"),
    ("zaterdag om 14 uur komt de makelaar, waar moet ik op letten?", "nee"),
    ("write a short story about a bank robbery on monday at 9", "actually at midnight"),
    ("w poniedziałek o 8 mam rozmowę o pracę, jak się ubrać?", "jednak wolę po angielsku"),
    ("what films are on at the odeon on friday at 8?", "no, saturday"),
    ("I have the dentist on monday. find me a train to York for tuesday", "sorry, wednesday"),
    ("ich habe am Montag um 9 Zahnarzt. such mir einen Zug für Dienstag", "sorry, Mittwoch"),
]


@pytest.mark.parametrize(("request_", "correction"), MOVED)
def test_another_day_or_time_corrects_the_appointment_in_a_request(request_: str, correction: str) -> None:
    found = find_antecedent(correction, [request_], answers_question=True)
    assert found is not None
    assert found.is_corrected
    assert MessageContent.of(found.before(correction)).recallable


@pytest.mark.parametrize(("request_", "message"), OTHER)
def test_other_messages_after_a_request_correct_no_appointment(request_: str, message: str) -> None:
    assert find_antecedent(message, [request_], answers_question=True) is None


def test_the_appointment_is_kept_with_other_statements_but_without_facts() -> None:
    request = "we fly on 5 January, what should I pack? Our hut is cold. I'm allergic to nuts"
    found = find_antecedent("sorry, 8 January", [request], answers_question=False)
    assert found is not None
    assert found.statement == "we fly on 5 January, what should I pack?; Our hut is cold"


def test_the_second_correction_follows_the_first() -> None:
    earlier = ["dentist is tuesday at 10, what should i ask?", "actually it's wednesday at 11"]
    found = find_antecedent("no wait, friday", earlier, answers_question=False)
    assert found is not None
    assert found.statement == "dentist is tuesday at 10; actually it's wednesday at 11"
