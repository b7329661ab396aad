"""Requests to forget in languages that have no file of tests of their own."""

import pytest

from agent.language.requests.memory_requests import memory_requests


@pytest.mark.parametrize(
    ("message", "scope", "text"),
    [
        ("zapomnij, że jestem uczulona na laktozę", "statement", "jestem uczulona na laktozę"),
        ("Proszę, zapomnij o moim psie.", "subject", "moim psie"),
        ("bhool jao ki main vegetarian hoon", "statement", "main vegetarian hoon"),
        ("süte alerjim olduğunu unut", "subject", "süte alerjim"),
        ("köpeğimi unut", "subject", "köpeğimi"),
        ("えびアレルギーのことは忘れて", "subject", "えびアレルギー"),
        ("bunu asla unutma", None, ""),
        ("şemsiyemi evde unuttum", None, ""),
        ("傘を忘れて困った", None, ""),
    ],
)
def test_requests_in_polish_hindi_turkish_and_japanese(message: str, scope: str | None, text: str) -> None:
    found = [(request.action, request.scope, request.text) for request in memory_requests(message)]
    assert found == ([("forget", scope, text)] if scope else [])


@pytest.mark.parametrize(
    ("message", "scope", "text"),
    [
        ("zapomnij o tym, że Tomek nie je mięsa", "statement", "Tomek nie je mięsa"),
        ("olvida eso de que mi hermana está embarazada", "statement", "mi hermana está embarazada"),
        ("oublie ça, que Luc a perdu son boulot", "statement", "Luc a perdu son boulot"),
        ("vergiss das, dass ich in Bonn wohne", "statement", "ich in Bonn wohne"),
        ("dimentica il fatto che Paolo è vegano", "statement", "Paolo è vegano"),
        ("esquece isso, que o Rui é vegano", "statement", "o Rui é vegano"),
        ("vergeet dat Bart niet kan skiën", "statement", "Bart niet kan skiën"),
        ("vergeet wat ik zei over Barts rug", "topic", "Barts rug"),
        ("vergeet wat ik over Joris zei", "topic", "Joris"),
        ("vergiss, was ich dir erzählt habe über Tim", "topic", "Tim"),
        ("esquece isso do Léo", "subject", "Léo"),
        ("olvida eso del piso", "subject", "piso"),
        ("vergiss die Sache mit dem Auto", "subject", "Auto"),
        ("oublie cette histoire de voiture", "subject", "voiture"),
        ("dimentica quella storia di Marco", "subject", "Marco"),
        ("zapomnij o tym, co mówiłem", "previous", ""),
        ("olvida eso", "previous", ""),
        ("oublie ça", "previous", ""),
        ("esquece isso", "previous", ""),
        ("vergeet dat maar", "previous", ""),
        ("vergeet wat ik net zei", "previous", ""),
        ("esquece isso que eu disse", None, ""),
        ("ik vergeet altijd dat Bart niet kan skiën", None, ""),
        ("ze vergeet dat Sanne zwanger is", None, ""),
        ("j'oublie toujours que Chloé est enceinte", None, ""),
        ("zapomniałam o tym, że Tomek nie je mięsa", None, ""),
        ("Luc oublie que je suis là", None, ""),
    ],
)
def test_requests_that_point_to_what_they_state(message: str, scope: str | None, text: str) -> None:
    found = [(request.action, request.scope, request.text) for request in memory_requests(message)]
    assert found == ([("forget", scope, text)] if scope else [])
