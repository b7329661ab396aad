"""A task to write a text beside a statement states nothing, unless it names a value; the statement is kept."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import mask_unusable, statement_spans, without_masked
from agent.language.facts.text_tasks import split_text_tasks, without_text_task
from support.growth import MAX_GROWTH, growth


def stated(message: str) -> list[str]:
    masked = mask_unusable(message)
    return [text for span in statement_spans(masked) if (text := without_masked(message, masked, span))]


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("physio is thursday at 4 now, put that in a quick text to my boss", "physio is thursday at 4 now"),
        ("the vet is saturday at 9 now, can you turn that into a text for him?", "the vet is saturday at 9 now"),
        ("my car is a red Corsa now, write the insurance a short message", "my car is a red Corsa now"),
        ("I can't come on Friday and write my boss a short note", "I can't come on Friday"),
        ("Physio ist jetzt Donnerstag, pack das in eine Nachricht an ihn", "Physio ist jetzt Donnerstag"),
        ("Zahnarzt ist nun um 11. Schreib meiner Chefin, dass ich später komme", "Zahnarzt ist nun um 11."),
        ("mi vuelo sale ahora el sábado, ponlo en un correo para mi hermano", "mi vuelo sale ahora el sábado"),
        (
            "otra vez me cambian el turno, ahora a las 7. hazme un mensaje",
            "otra vez me cambian el turno, ahora a las 7.",
        ),
        ("la kiné est jeudi à 16h, tu peux faire un petit mot pour lui ?", "la kiné est jeudi à 16h"),
        ("encore une fois le dentiste change. écris un mail", "encore une fois le dentiste change."),
        ("la fisio adesso è giovedì, mettilo in un messaggio", "la fisio adesso è giovedì"),
        ("a minha fisio agora é quinta, põe isso numa mensagem", "a minha fisio agora é quinta"),
        ("fysio is nu toch donderdag om 4, zet dat even in een berichtje", "fysio is nu toch donderdag om 4"),
        ("fizjo jest teraz w czwartek, napisz to mojemu szefowi", "fizjo jest teraz w czwartek"),
    ],
)
def test_only_the_statement_beside_a_task_is_kept(message: str, statement: str) -> None:
    assert stated(message) == [statement]
    assert without_text_task(message).strip(".") == statement.strip(".")


@pytest.mark.parametrize(
    "message",
    [
        "I have flu. Write to my boss that I can't come until Monday",
        "Ich habe Grippe. Schreib meiner Chefin, dass Tom mich vertritt",
        "write my landlord an email that the heating has been broken since Monday",
    ],
)
def test_a_task_that_names_a_value_is_kept(message: str) -> None:
    assert " ".join(stated(message)) == message


@pytest.mark.parametrize(
    "message",
    [
        "my sister lives in Rome, writes a blog",
        "I work in support, write a letter every hour",
        "we moved to Leeds, and I write a newsletter",
        "my boss is strict: no text messages at work",
        "ich bin Autor, schreibe Briefe",
        "Ich bin im Urlaub. Schreibe gerade einen Brief an meine Oma.",
        "mi hermana vive en León, escribe una carta cada semana",
        "mon frère est facteur, il écrit des lettres",
        "sono in ferie, scrivo una lettera al mese",
        "ik woon in Tilburg, schrijf boeken",
        "mój brat pisze listy, mieszka w Radomiu",
        "sigue doliéndome la rodilla",
        "hay cambio de planes, el dentista ahora es el martes",
        "continua a farmi male la schiena",
    ],
)
def test_a_statement_with_the_verb_of_a_task_is_kept(message: str) -> None:
    assert " ".join(stated(message)) == message
    assert without_text_task(message) == message


def test_a_fact_contains_no_task() -> None:
    [fact] = extract_from_user("my car is a red Corsa now, write the insurance a short message")
    assert fact.text == "Car is a red Corsa"


@pytest.mark.parametrize("unit", [", write a note", "and put a ", ", schreib das ", ", escribe un "])
def test_finding_tasks_takes_linear_time(unit: str) -> None:
    assert growth(lambda text: list(split_text_tasks(text)), unit) < MAX_GROWTH
