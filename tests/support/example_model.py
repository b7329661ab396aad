"""A rule-based stand-in for a language model: replies, memory extraction and embeddings."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

TIP_STARTS = ("You have durable memory about this user", "From memory: data")

_COMMON_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about am an and are at be by did do does for from has have how i in is it me my of on or our so "
        "that the their they this to was we were what when where which who why will with you your",
    )
)
_COMMON_WEIGHT = 0.2


def embed(text: str, dims: int) -> NDArray[np.float32]:
    """A unit vector [dims]; texts that share words have similar vectors.

    Each word adds +1 or -1 at a few positions derived from its hash; two words rarely share more than one position.
    """
    vector = np.zeros(dims, dtype=np.float32)
    for word in re.findall(r"\w+", text.casefold()) or [text]:
        places, signs = _positions(word, dims)
        np.add.at(vector, places, signs * np.float32(_COMMON_WEIGHT if word in _COMMON_WORDS else 1.0))
    length = np.linalg.norm(vector)
    if length == 0:
        vector[0] = length = np.float32(1)
    return vector / length


@lru_cache(maxsize=100_000)
def _positions(word: str, dims: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    numbers = np.frombuffer(hashlib.blake2b(word.encode(), digest_size=32).digest(), dtype="<u4").astype(np.int64)
    return (numbers >> 1) % dims, (numbers & 1).astype(np.float32) * 2 - 1


def answer_from_memory(messages: Sequence[Mapping[str, Any]]) -> str:
    """Reply with the bullets of the tip, one per line."""
    return "\n".join(tip_bullets(messages)) or "I do not know."


def tip_parts(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The parts of the tip in a prompt, in order: the standing and the recalled one, if present."""
    blocks = (block for one in messages if one["role"] == "system" for block in one["content"].split("\n\n"))
    return [block for block in blocks if block.startswith(TIP_STARTS)]


def tip_bullets(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The memories in a prompt, in order."""
    return [line[2:] for part in tip_parts(messages) for line in part.splitlines() if line.startswith("- ")]


class _ExtractionRule(NamedTuple):
    pattern: re.Pattern[str]
    text: str
    kind: str = "user"
    category: str = "personal"


def _ignore_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_RULES = (
    _ExtractionRule(_ignore_case(r"\bI (?:live in|(?:have )?moved to) (?P<value>[^.,;!?]+)"), "Lives in"),
    _ExtractionRule(_ignore_case(r"\b(?:call me|my name is) (?P<value>[^.,;!?]+)"), "Is called"),
    _ExtractionRule(_ignore_case(r"\bI work as (?P<value>[^.,;!?]+)"), "Works as", category="project"),
    _ExtractionRule(_ignore_case(r"\bI am working on (?P<value>[^.,;!?]+)"), "Works on", category="project"),
    _ExtractionRule(_ignore_case(r"\bI(?: am|'m) allergic to (?P<value>[^.,;!?]+)"), "Is allergic to"),
    _ExtractionRule(_ignore_case(r"\bI play (?P<value>[^.,;!?]+)"), "Plays"),
    _ExtractionRule(_ignore_case(r"\bI (?:prefer|like|love) (?P<value>[^.,;!?]+)"), "Prefers", category="preference"),
    _ExtractionRule(_ignore_case(r"\bmy (?!name )(?P<value>[^.,;!?]+? is [^.,;!?]+)"), "Their"),
    _ExtractionRule(
        _ignore_case(r"\b(?:for future chats: |please always )(?P<value>[^.;!?]+)"),
        "Always",
        kind="procedural",
        category="preference",
    ),
)
_SINGLE_VALUED = frozenset({"Lives in", "Is called", "Works as"})
_NOT_USER_TEXT = _ignore_case(r"\s*(\d+\.|assistant\b)")
_MAX_PER_MESSAGE = 3


def extract(messages: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Extract memories from the user messages, or return an empty instance of any other schema.

    Memories that the prompt lists (`1. Lives in Oslo`) are confirmed or replaced by number.
    """
    if "memories" not in schema.get("properties", {}):
        return dict(_empty(schema, schema))
    prompt = "\n".join(message["content"] for message in messages)
    known = {text.strip(): int(n) for n, text in re.findall(r"^\s*(\d+)\. (.+)$", prompt, flags=re.MULTILINE)}
    # The messages before them are context.
    words = [message["content"].rpartition("New messages:")[2] for message in messages if message["role"] == "user"]
    facts = [fact for text in words for fact in _facts(text, known)]
    return {
        "memories": facts,
        "profile": {"work_context": None, "personal_context": None, "top_of_mind": None},
        "episode": f"User told the assistant: {facts[0]['quote']}." if facts else "User and assistant talked.",
    }


def _facts(text: str, known: Mapping[str, int]) -> list[dict[str, Any]]:
    lines = (line for line in text.splitlines() if not _NOT_USER_TEXT.match(line))
    return [_fact(rule, match, known) for line in lines for rule, match in _matches(line)][:_MAX_PER_MESSAGE]


def _matches(line: str) -> Iterable[tuple[_ExtractionRule, re.Match[str]]]:
    for rule in _RULES:
        for match in rule.pattern.finditer(line):
            if not line.startswith("?", match.end()):
                yield rule, match


def _fact(rule: _ExtractionRule, match: re.Match[str], known: Mapping[str, int]) -> dict[str, Any]:
    text = f"{rule.text} {match['value'].strip()}"
    others = (n for other, n in known.items() if other.startswith(rule.text) and other != text)
    return {
        "text": text,
        "kind": rule.kind,
        "category": rule.category,
        "confidence": 0.9,
        "quote": match[0].strip(),
        "standing": False,
        "until": None,
        "same_as": known.get(text),
        "replaces": next(others, None) if rule.text in _SINGLE_VALUED else None,
    }


def _empty(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:  # noqa: ANN401 (a JSON value)
    if "$ref" in schema:
        return _empty(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema:
        return None
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: _empty(part, root) for name, part in schema.get("properties", {}).items()}
    return {"array": [], "string": "", "boolean": False, "integer": 0, "number": 0}.get(schema.get("type", ""))
