"""What a model is told when it extracts: how much, and in which form."""

import json

from openai.lib._pydantic import to_strict_json_schema

from agent.memory.formation.extract import PROMPT, ExtractedMemories
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.profile import Profile, Sentence
from agent.models.tokens import count_tokens
from agent.types import Category, Memory, MemoryId

MOST_TOKENS = 1_500


def _memory(text: str, category: Category = "personal") -> Memory:
    return Memory(MemoryId(text), "user", text, ts="", category=category)


def test_prompt_and_schema_are_small() -> None:
    told = PROMPT + json.dumps(to_strict_json_schema(ExtractedMemories))
    assert count_tokens(told) < MOST_TOKENS
    assert len(told) / 3.5 < MOST_TOKENS


def test_what_is_known_is_told_by_number_under_its_category() -> None:
    near, home, dog = _memory("Likes tea", "preference"), _memory("Lives in Oslo"), _memory("Has\na dog")
    profile = Profile({"work_context": (Sentence("Drives a tram.", (), ""),)})
    assert str(KnownMemories((near, home, dog), near_duplicates=1, profile=profile)).splitlines() == [
        "Known, nearly as it is said now:",
        "preference:",
        "1. Likes tea",
        "Known:",
        "personal:",
        "2. Lives in Oslo",
        "3. Has a dog",
        "Profile so far:",
        "work_context: Drives a tram.",
    ]


def test_of_somebody_unknown_nothing_is_told() -> None:
    assert str(KnownMemories()) == ""
