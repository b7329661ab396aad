"""Answers of the offline model to questions for former values."""

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from agent.models.offline import answer
from agent.models.offline_phrases import PHRASES

QUOTED, CLOSEST = PHRASES["en"].quoted, PHRASES["en"].closest


@pytest.mark.parametrize(
    ("tip", "reply"),
    [
        ("- Lives in Leeds (until 2026-11-29)\n- Moved to York", f"{QUOTED}\n- Lives in Leeds (until 2026-11-29)"),
        ("- I used to live in Bath\n- Lives in Leeds", f"{QUOTED}\n- I used to live in Bath"),
        ("- Lives in Leeds", f"{CLOSEST}\n- Lives in Leeds"),
    ],
)
def test_the_present_value_is_no_answer(tip: str, reply: str) -> None:
    assert answer([SystemMessage(tip), HumanMessage("Where did I live before?")]) == reply
