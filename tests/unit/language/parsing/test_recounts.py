"""Statements that begin like questions or commands, and questions without a question mark."""

import pytest

from agent.language.message_analysis import MessageContent
from agent.language.parsing.sentences import is_request
from agent.memory.formation.coverage import uncovered_statements
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth

RECOUNTS = [
    "have a parrot and an old spaniel",
    "have an interview at the harbour office on Tuesday",
    "have no car at the moment",
    "am the only vegan in the canteen",
    "am a locksmith",
    "did my first parachute jump on Sunday",
    "did an internship at a brewery",
    "do my own plumbing",
    "was born in a caravan",
    "was diagnosed with gout last week",
    "was told to avoid salt",
    "was at the allotment with Vera",
    "was in hospital over Easter",
    "was a tram driver for ten years",
    "was the youngest of seven",
    "Where I live there's no signal.",
    "what i need is a ground floor flat near Hull",
    "How I like my eggs: poached, no salt",
    "What I do for work: roofing",
    "Wo ich arbeite gibt es keine Kantine",
    "Was ich esse: fast nur Gemüse",
    "Wann ich frei habe: nur sonntags",
    "Schreibe momentan meine Doktorarbeit über Moose",
    "Quando ero bambina abitavo a Matera",
    "Quando eu era pequeno morava em Évora",
    "Où je travaille il n'y a pas de cantine",
    "Quand je suis de garde je dors à la caserne",
    "Raad eens, ik word oma",
    "no bananas they're gross",
    "Écris mon mémoire en ce moment, la nuit",
    "Dove lavoro io non c'è la mensa",
    "Onde eu trabalho não tem cantina",
    "Hay humedad en nuestra cocina desde marzo",
    "Qué semana, perdí el pasaporte en Cádiz",
    "Waar ik werk is geen kantine",
    "Hoe ik mijn thee drink: zonder suiker",
    "Meine Praxis ist im 3. Stock.",
    "Mein Sohn kommt in die 5. Klasse.",
]
QUESTIONS = [
    "did my parcel arrive",
    "did the museum close early today",
    "have a look at this",
    "have a break",
    "have you got a recipe for naan",
    "am i allowed to fish here",
    "was the bridge open in May",
    "was ist ein Nomen",
    "was ich noch fragen wollte",
    "what i told you about the boat",
    "how i peel a mango",
    "where do i work",
    "wo arbeite ich",
    "wann ich fliege",
    "Schreibe ein Gedicht über Moos",
    "Plane eine Reise nach Graz",
    "Mach eine Liste daraus",
    "mach das kürzer",
    "Écris un conte pour enfants",
    "quando parte l'ultimo treno",
    "quando é o carnaval",
    "où est la mairie",
    "quand j'ai fini je fais quoi",
    "hay vuelos a Lima",
    "qué hora es",
    "hoe laat is het",
    "waar werk ik",
]


@pytest.mark.parametrize("message", RECOUNTS)
def test_a_statement_that_begins_like_a_question_is_kept(message: str) -> None:
    assert uncovered_statements(message, []) == [message]
    assert MessageContent.of(message).recallable


@pytest.mark.parametrize("message", QUESTIONS)
def test_a_question_or_command_without_a_mark_leaves_nothing(message: str) -> None:
    assert is_request(message, (0, len(message)))
    assert uncovered_statements(message, []) == []


def test_a_statement_with_a_question_mark_remains_a_question() -> None:
    assert uncovered_statements("have a cat?", []) == []


@pytest.mark.parametrize("unit", ["what i ", "have a ", "did my ", "wo ich ", "quando ero ", "was born ", "hay en mi "])
def test_such_statements_are_found_in_linear_time(unit: str) -> None:
    assert growth(uncovered, unit, chars=HOSTILE_CHARS) < MAX_GROWTH


def uncovered(message: str) -> list[str]:
    return uncovered_statements(message, [])
