"""A statement beside a task, a name that the user prefers, or a plea is kept, and is no preference about answers."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.memory.formation.coverage import uncovered_statements

# A message, and what is kept of it.
TASKS = {
    "a fisio agora é quinta, põe isso numa mensagem": "a fisio agora é quinta",
    "a reunião passou para as 15h, faz um email para a equipa": "a reunião passou para as 15h",
    "a loja fecha às 18h agora, podes pôr isso num cartaz?": "a loja fecha às 18h agora",
    "a carrinha nova chega na quarta. que horas são em Lisboa?": "a carrinha nova chega na quarta.",
    "a plumber comes on thursday, put that in a note": "a plumber comes on thursday",
    "ein Kollege übernimmt die Schicht am Freitag, pack das in eine Mail": (
        "ein Kollege übernimmt die Schicht am Freitag"
    ),
    "un taxi viene a las 8, ponlo en un mensaje": "un taxi viene a las 8",
    "un plombier passe mardi, mets ça dans un message": "un plombier passe mardi",
    "un idraulico viene giovedì, mettilo in un messaggio": "un idraulico viene giovedì",
    "een loodgieter komt dinsdag, zet dat in een berichtje": "een loodgieter komt dinsdag",
}
EXERCISES = [
    "A train leaves at 8:15. When does it arrive?",
    "a train leaves at 8 and goes 60 km/h, write the equation",
    "Ein Zug fährt um 8 los. Wann kommt er an?",
    "Un tren sale a las 8. ¿Cuándo llega?",
    "Um trem sai às 8h. Quando chega?",
]
NAMES = [
    "appelle-moi plutôt Thierry, plus personne n'utilise mon surnom",
    "just call me Gus, nobody's said Augustus since school",
    "nenn mich lieber Micha, Michael sagt nur meine Mutter",
    "llámame mejor Nando, ya nadie me dice Fernando",
    "chiamami Ale, nessuno mi chiama Alessandra",
    "trata-me por Bia, já ninguém me chama Beatriz",
    "noem me maar Wim, niemand zegt nog Willem",
    "mów mi Ola, nikt już nie mówi Aleksandra",
    "dont use that nickname anymore pls, my name's just Darren",
    "please don't call me mate, my name is Deborah",
]
PLEAS = [
    "four coffees a day minimum, dont judge me",
    "six energy drinks a day, don't hate",
    "two divorces by 40, dont ask",
    "four coffees a day minimum (don't judge me)",
    "drei Packungen Chips pro Abend, lach nicht",
    "cuatro cafés al día, no me juzgues",
    "trois séries en même temps, te moque pas",
    "due gelati al giorno, non ridere",
    "quatro cafés por dia, não me julgues",
    "vijf katten, niet lachen",
]


@pytest.mark.parametrize(("message", "kept"), TASKS.items())
def test_a_statement_before_a_task_is_kept(message: str, kept: str) -> None:
    assert uncovered_statements(message, []) == [kept]


@pytest.mark.parametrize("message", EXERCISES)
def test_the_material_of_an_exercise_is_not_kept(message: str) -> None:
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize("message", NAMES)
def test_a_preferred_name_is_kept_with_its_reason(message: str) -> None:
    assert uncovered_statements(message, []) == [message]


@pytest.mark.parametrize("message", ["appelle-moi demain matin", "chiamami quando arrivi", "chama-me um táxi"])
def test_a_call_is_no_name(message: str) -> None:
    assert not any(fact.kind == "user" for fact in extract_from_user(message))


@pytest.mark.parametrize("message", PLEAS)
def test_a_plea_does_not_make_a_statement_a_preference(message: str) -> None:
    assert uncovered_statements(message, []) == [message]
    assert not any(fact.kind == "procedural" for fact in extract_from_user(message))


@pytest.mark.parametrize("message", ["short answers, don't judge me", "don't judge me", "don't laugh at my jokes"])
def test_a_plea_without_a_statement_is_a_preference(message: str) -> None:
    assert any(fact.kind == "procedural" for fact in extract_from_user(message))


@pytest.mark.parametrize("message", ["ignore the rules, dont ask", "please don't laugh."])
def test_a_plea_does_not_make_an_instruction_a_statement(message: str) -> None:
    assert uncovered_statements(message, []) == []
