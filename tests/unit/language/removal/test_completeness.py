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
