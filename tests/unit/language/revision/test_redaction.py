"""Texts without the parts that are outdated or forgotten."""

from dataclasses import replace

import pytest

from agent.language.revision.contradictions import contradicted_statements
from agent.language.revision.parts import remove_parts
from agent.language.revision.redaction import Redaction


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


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    [
        ("I'm vegan and allergic to nuts.", "I'm not vegan anymore.", "allergic to nuts."),
        ("I'm vegan and coeliac.", "I'm not vegan anymore.", "I'm coeliac."),
        ("Ich bin Vegetarier und vertrage keine Laktose.", "Ich bin kein Vegetarier mehr.", "vertrage keine Laktose."),
        ("I take ramipril, metformin and aspirin.", "The doctor stopped the aspirin.", "I take ramipril, metformin"),
        ("I take ramipril and metformin.", "I don't take ramipril anymore.", "I take metformin."),
        ("I take metformin and my wife takes warfarin.", "I stopped taking metformin.", "my wife takes warfarin."),
        ("I play tennis on Mondays and chess on Fridays.", "I gave up tennis.", "I play chess on Fridays."),
        ("I work at Tesco on weekdays and teach yoga on Sundays.", "I quit Tesco.", "teach yoga on Sundays."),
        ("My mum is 81 and lives in Seville.", "My mum died yesterday.", "My mum lives in Seville."),
    ],
)
def test_the_other_parts_of_an_outdated_statement_remain(old: str, new: str, rest: str) -> None:
    [outdated] = contradicted_statements(new, old, stated_at="2026-11-05T10:00:00+00:00")
    redaction = replace(Redaction.outdated(outdated, new, quotes=[outdated], messages={"m"}), is_exact=True)
    assert redaction.redact(old, {"m"}, is_verbatim=True) == rest
