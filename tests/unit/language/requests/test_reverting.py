"""Requests to undo what the message before has stated or changed."""

import pytest

from agent.language.requests.undo_requests import asks_to_revert


@pytest.mark.parametrize(
    ("previous", "message"),
    [
        ("rename my dog to Max", "undo that"),
        ("Change my address to 12 Oak Road", "no wait, undo that please"),
        ("my sister's name is Hannah actually", "put it back how it was"),
        ("Remember that I'm vegan", "revert that"),
        ("I live in Leeds.", "oops, undo"),
        ("Ändere den Namen meines Hundes in Max", "mach das rückgängig"),
        ("Renomme mon chien en Max", "annule ça"),
        ("cambia el nombre de mi perro a Max", "deshaz eso"),
        ("Cambia il mio indirizzo in via Roma 3", "annulla la modifica"),
        ("muda o nome do meu cão para Max", "desfaz isso"),
        ("Verander de naam van mijn hond in Max", "maak dat ongedaan"),
        ("把我的狗的名字改成Max", "撤销"),
    ],
)
def test_a_statement_or_a_change_can_be_undone(previous: str, message: str) -> None:
    assert asks_to_revert(message, previous)


@pytest.mark.parametrize(
    ("previous", "message"),
    [
        ("I'm vegan.", "keep it"),
        ("I'm vegan.", "remember that"),
        ("Write a poem about my cat", "undo that"),
        ("How do I undo a commit?", "undo that"),
        ("forget my cat", "undo that"),
        ("pause your memory", "undo that"),
        ("I got a tattoo.", "I want to undo that tattoo"),
        ("I live in Leeds.", "how do I undo that in Word?"),
        ("", "undo that"),
    ],
)
def test_something_else_is_not_undone_as_a_statement(previous: str, message: str) -> None:
    assert not asks_to_revert(message, previous)
