"""The accuracy of the rules on labelled messages in many voices, of which one half was not used to write the rules."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.language.facts.extraction import UserFact, extract_from_user

DATA = Path(__file__).parents[2] / "data"
MIN_PRECISION, MIN_RECALL = 0.95, 0.6
NOT_READABLE = re.compile(r"\b(?:I|I'm|I've|lol|haha|pls|plz|you)\b")


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """A message with its facts, each given by the words that the memory contains; `also` are true but not required."""

    message: str
    facts: tuple[str, ...]
    help: tuple[str, ...]
    also: tuple[str, ...]

    @classmethod
    def from_json(cls, line: str) -> "LabelledMessage":
        row: dict[str, Any] = json.loads(line)
        return cls(row["message"], *(tuple(row[key]) for key in ("facts", "help", "also")))

    @property
    def expected(self) -> list[tuple[str, str]]:
        """The expected memories, as (kind, words)."""
        return [*(("user", words) for words in self.facts), *(("procedural", words) for words in self.help)]

    def is_right(self, fact: UserFact) -> bool:
        expected = [*self.expected, *((fact.kind, words) for words in self.also)]
        is_readable = fact.kind == "procedural" or not NOT_READABLE.search(fact.text)
        return is_readable and any(matches(fact, kind, words) for kind, words in expected)


def matches(fact: UserFact, kind: str, words: str) -> bool:
    return fact.kind == kind and all(word.casefold() in fact.text.casefold() for word in words.split())


@pytest.mark.parametrize("half", ["tuning", "held_back"])
def test_the_rules_are_right_and_find_most_facts(half: str) -> None:
    lines = (DATA / f"rules_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    labelled = list(map(LabelledMessage.from_json, lines))
    found = [(one, extract_from_user(one.message)) for one in labelled]
    right = [one.is_right(fact) for one, facts in found for fact in facts]
    recalled = [any(matches(fact, *each) for fact in facts) for one, facts in found for each in one.expected]
    assert sum(right) >= MIN_PRECISION * len(right)
    assert sum(recalled) >= MIN_RECALL * len(recalled)
