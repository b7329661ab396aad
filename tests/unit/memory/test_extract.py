"""The extraction prompt: its size and the format of known memories."""

import json

from openai.lib._pydantic import to_strict_json_schema

from agent.memory.formation.extract import PROMPT, ExtractedMemories
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.profile import Profile, Sentence
from agent.models.tokens import count_tokens
from agent.types import Category, Memory, MemoryId

MAX_TOKENS = 1_500


def _memory(text: str, category: Category = "personal") -> Memory:
    return Memory(MemoryId(text), "user", text, ts="", category=category)


def test_the_prompt_and_schema_are_below_1500_tokens() -> None:
    prompt = PROMPT + json.dumps(to_strict_json_schema(ExtractedMemories))
    assert count_tokens(prompt) < MAX_TOKENS
    assert len(prompt) / 3.5 < MAX_TOKENS


def test_known_memories_are_numbered_and_grouped_by_category() -> None:
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


def test_without_known_memories_the_prompt_has_no_such_section() -> None:
    assert str(KnownMemories()) == ""
