"""A correction of an appointment that a request states is remembered together with it."""

import pytest

from support.client import ApiClient, new_thread


@pytest.mark.parametrize("is_formed", [True, False])
@pytest.mark.parametrize(
    ("request_", "correction", "stated"),
    [
        ("tengo dentista el martes, ¿qué le pregunto?", "perdón, es el miércoles", "tengo dentista el martes"),
        ("mam wizytę we wtorek o 10, o co zapytać?", "jednak w środę o 11", "mam wizytę we wtorek o 10"),
        ("j'ai rdv jeudi à 17h, que dois-je préparer?", "finalement c'est vendredi", "j'ai rdv jeudi à 17h"),
    ],
)
async def test_the_correction_of_an_appointment_in_a_request_replaces_it(
    ada: ApiClient, request_: str, correction: str, stated: str, *, is_formed: bool
) -> None:
    thread = new_thread()
    await ada.send(request_, thread=thread)
    if is_formed:
        await ada.flush()
    await ada.send(correction, thread=thread)
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"].startswith(f"{stated} → {correction}")
