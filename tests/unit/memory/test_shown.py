"""The statements that an answer shows."""

import pytest

from agent.memory.editing.selection import Statement
from agent.memory.editing.shown import shown_statements

STATEMENTS = [
    Statement(str(n), text, "2026-11-29")
    for n, text in enumerate(["Lives in Leeds", "Sister is vegan", "Is vegan", "Plays chess on Mondays"])
]


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("You told me:\n- Is vegan", ["Is vegan"]),
        ("You told me:\n- Lives in Leeds\n- Is vegan", ["Lives in Leeds", "Is vegan"]),
        ("You live in Leeds, as far as I know.", ["Lives in Leeds"]),
        ("You play chess every Monday.", ["Plays chess on Mondays"]),
        ("The capital of Australia is Canberra.", []),
        ("", []),
    ],
)
def test_what_an_answer_quotes_or_says_in_other_words(answer: str, shown: list[str]) -> None:
    assert [one.text for one in shown_statements(answer, STATEMENTS)] == shown
