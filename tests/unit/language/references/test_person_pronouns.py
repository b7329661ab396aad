"""A brief message that begins with a pronoun for a person follows the latest statement about one."""

from collections.abc import Sequence

import pytest

from agent.language.references.antecedents import find_antecedent

NIECE = {
    "en": ("My niece turned six", "she loves dinosaurs"),
    "de": ("Meine Nichte ist sechs geworden", "sie liebt Dinosaurier"),
    "fr": ("Ma nièce a eu six ans", "elle adore les dinosaures"),
    "es": ("Mi sobrina cumplió seis", "le encantan los dinosaurios"),
    "it": ("Mia nipote ha compiuto sei anni", "le piacciono i dinosauri"),
    "pt": ("Minha sobrinha fez seis anos", "ela adora dinossauros"),
    "nl": ("Mijn nichtje is zes geworden", "ze is gek op dinosaurussen"),
    "zh": ("我侄女六岁了", "她很喜欢恐龙"),
}


@pytest.mark.parametrize("language", NIECE)
def test_what_is_said_about_a_person_follows_the_statement_that_names_it(language: str) -> None:
    statement, message = NIECE[language]
    found = find_antecedent(message, [statement], answers_question=False)
    assert found is not None
    assert found.statement == statement
    assert not found.is_corrected


@pytest.mark.parametrize(
    ("message", "earlier", "statement"),
    [
        ("she loves dinosaurs", ["My niece turned six", "nice weather today"], "My niece turned six"),
        ("she loves dinosaurs", ["My niece turned six", "my brother came by"], "My niece turned six"),
        ("he starts in May", ["My niece turned six", "Tom has a new job"], "Tom has a new job"),
    ],
)
def test_messages_between_them_that_name_nobody_are_skipped(
    message: str, earlier: Sequence[str], statement: str
) -> None:
    found = find_antecedent(message, earlier, answers_question=False)
    assert found is not None
    assert found.statement == statement


@pytest.mark.parametrize(
    ("message", "earlier"),
    [
        ("sie ist so lieb", ["Mama wird im Mai 60"]),
        ("my dentist is on Friday", ["My niece turned six"]),
        ("adora means adores, right?", ["Mia nipote ha sei anni"]),
    ],
)
def test_remarks_and_other_topics_follow_nothing(message: str, earlier: Sequence[str]) -> None:
    assert find_antecedent(message, earlier, answers_question=False) is None
