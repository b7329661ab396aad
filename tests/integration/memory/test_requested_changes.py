"""Requests to remember or to change a value replace it in what is remembered."""

import pytest

from support.client import ApiClient


@pytest.mark.parametrize(
    ("statement", "request_text", "memory"),
    [
        ("My rent is 900 a month.", "Remember that my rent is 950.", "Rent is 950 a month"),
        ("Meine Miete beträgt 900 Euro.", "Merk dir, dass meine Miete 950 Euro ist.", "Meine Miete beträgt 950 Euro."),
        ("I live at 4 Elm Street.", "Remember that my address is 12 Oak Road.", "Address is 12 Oak Road"),
    ],
)
async def test_what_is_remembered_replaces_the_value_of_an_earlier_statement(
    ada: ApiClient, statement: str, request_text: str, memory: str
) -> None:
    await ada.send(statement)
    await ada.flush()
    await ada.send(request_text)
    assert [one["text"] for one in await ada.memories()] == [memory]


async def test_of_several_statements_none_is_replaced_by_what_is_remembered(ada: ApiClient) -> None:
    for statement in ("My gym class is on Monday.", "My gym class with Tom is on Friday."):
        await ada.send(statement)
    await ada.flush()
    await ada.send("Remember that my gym class is on Wednesday.")
    assert len(await ada.memories()) == 3


@pytest.mark.parametrize(
    ("statement", "request_text", "memory"),
    [
        ("My rent is 900 a month.", "change my rent to 950", "Rent is 950 a month"),
        ("My dentist appointment is on 3 June.", "move my dentist appointment to 5 June", "on 5 June"),
        ("Meine Miete beträgt 900 Euro.", "ändere meine Miete auf 950 Euro", "Meine Miete beträgt 950 Euro"),
        ("Mi alquiler es de 900 euros.", "cambia mi alquiler a 950 euros", "Mi alquiler es de 950 euros"),
        ("Mon loyer est de 900 euros.", "change mon loyer à 950 euros", "loyer est de 950 euros"),
        ("Meu aluguel é 900 reais.", "muda meu aluguel para 950 reais", "Meu aluguel é 950 reais"),
        ("Mijn huur is 900 euro.", "verander mijn huur in 950 euro", "Mijn huur is 950 euro"),
    ],
)
async def test_a_request_to_change_a_value_replaces_it(
    ada: ApiClient, statement: str, request_text: str, memory: str
) -> None:
    await ada.send(statement)
    await ada.flush()
    await ada.send(request_text)
    await ada.flush()
    [changed] = await ada.memories()
    assert memory in changed["text"]
