"""A correction of an appointment that a request states changes its day or time."""

from collections.abc import Sequence

import pytest

from support.client import ApiClient, new_thread


@pytest.mark.parametrize("is_formed", [True, False])
@pytest.mark.parametrize(
    ("request_", "correction", "corrected"),
    [
        ("tengo dentista el martes, ¿qué le pregunto?", "perdón, es el miércoles", "tengo dentista el miércoles"),
        ("mam wizytę we wtorek o 10, o co zapytać?", "jednak w środę o 11", "mam wizytę w środę o 11"),
        ("j'ai rdv jeudi à 17h, que dois-je préparer?", "finalement c'est vendredi", "j'ai rdv vendredi à 17h"),
    ],
)
async def test_the_correction_of_an_appointment_in_a_request_replaces_it(
    ada: ApiClient, request_: str, correction: str, corrected: str, *, is_formed: bool
) -> None:
    thread = new_thread()
    await ada.send(request_, thread=thread)
    if is_formed:
        await ada.flush()
    await ada.send(correction, thread=thread)
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"].startswith(corrected)


TASKS_BESIDE_CHANGES = [
    (
        "fysio is woensdag om 3",
        "fysio is nu toch donderdag om 4, zet dat even in een berichtje aan mijn baas",
        "fysio is donderdag om 4",
    ),
    (
        "el dentista es el lunes 7 a las 10",
        "otra vez me mueven el dentista, ahora el martes 8 a las 10. escribe un mensaje a mi jefa que llego tarde",
        "otra vez me mueven el dentista, ahora el martes 8 a las 10.",
    ),
]


@pytest.mark.parametrize(("statement", "message", "kept"), TASKS_BESIDE_CHANGES)
async def test_a_change_beside_a_task_is_kept_without_the_task(
    ada: ApiClient, statement: str, message: str, kept: str
) -> None:
    thread = new_thread()
    await ada.send(statement, thread=thread)
    await ada.send(message, thread=thread)
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"].rpartition(" (")[0].endswith(kept)


@pytest.mark.parametrize(
    "messages",
    [
        (
            "tu peux me rappeler que j'ai le kiné mardi 14h ?",
            "finalement le kiné c'est jeudi",
            "ah non, vendredi même heure",
            "vendredi 14h",
        ),
        (
            "podes lembrar-me que tenho fisio terça às 14h?",
            "afinal a fisio é quinta",
            "ah não, sexta à mesma hora",
            "sexta às 14h",
        ),
    ],
)
@pytest.mark.parametrize("first", ["same thread", "other thread", "formed"])
async def test_all_changes_of_an_appointment_in_a_question_are_one_memory(
    ada: ApiClient, messages: Sequence[str], first: str
) -> None:
    asked, changed, changed_again, corrected = messages
    thread = new_thread()
    await ada.send(asked, thread=thread if first == "same thread" else new_thread())
    if first == "formed":
        await ada.flush()
    await ada.send(changed, thread=thread)
    await ada.send(changed_again, thread=thread)
    await ada.flush()
    [memory] = await ada.memories()
    assert changed_again in memory["text"] or corrected in memory["text"]
    assert memory["text"].count("14h") == 1
