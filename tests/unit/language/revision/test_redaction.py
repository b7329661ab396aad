"""Texts without the parts that are outdated or forgotten."""

import pytest

from agent.language.revision.redaction import remove_parts


@pytest.mark.parametrize(
    ("text", "removed", "rest"),
    [
        ("We've moved! New address is 3 Mill Lane, Otley.", "Otley", "We've moved! New address is 3 Mill Lane"),
        ("Ich habe eine Katze, einen Hund. Wir wohnen in Ulm.", "Hund", "Ich habe eine Katze. Wir wohnen in Ulm."),
        ("I own a boat, a car.\nWe live in York.", "car", "I own a boat.\nWe live in York."),
        ("我喜欢猫\uff0c也喜欢狗。我住在成都。", "狗", "我喜欢猫。我住在成都。"),
        ("I own a boat. We live in York.", "train", "I own a boat. We live in York."),
    ],
)
def test_the_other_parts_remain_separated(text: str, removed: str, rest: str) -> None:
    assert remove_parts(text, lambda part: removed in part) == rest
