"""What remains of a sentence after a change is a statement by itself."""

import pytest

from agent.language.removal.completeness import is_complete_rest

SENTENCE = "I take naproxen in the morning and Jo takes iron on Mondays and Fridays"


@pytest.mark.parametrize(
    ("rest", "removed", "expected"),
    [
        ("", [SENTENCE], True),
        ("  ", [SENTENCE], True),
        ("I take naproxen in the morning", ["Jo takes iron on Mondays and Fridays"], True),
        ("iron on Mondays and Fridays", ["I take naproxen in the morning", "Jo takes"], False),
        ("I take naproxen in the morning and Jo takes iron and Fridays", ["on Mondays"], False),
        ("I take naproxen in the morning and", ["Jo takes iron on Mondays and Fridays"], False),
        ("I take naproxen in the morning", ["takes iron on Mondays and Fridays"], False),
    ],
)
def test_the_rest_keeps_its_subject_names_and_days(rest: str, removed: list[str], *, expected: bool) -> None:
    assert is_complete_rest(rest, SENTENCE, removed) is expected


@pytest.mark.parametrize(
    ("sentence", "removed", "rest"),
    [
        ("Plays guitar in a band with Luis and Kyle", "Plays guitar in a band with Luis", "Kyle"),
        ("I play tennis with Anna and Tom", "I play tennis", "with Anna and Tom"),
        ("I play tennis at the club with Anna and Tom", "tennis at the club", "I play Anna and Tom"),
        ("Ich spiele Schach mit Jens und Ute", "Schach", "Ich spiele Jens und Ute"),
    ],
)
def test_companions_are_no_statement_without_what_is_done_with_them(sentence: str, removed: str, rest: str) -> None:
    assert not is_complete_rest(rest, sentence, [removed])
