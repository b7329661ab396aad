"""Measure accuracy and speed of the rules on labelled messages and adversarial texts."""

import hashlib
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.language.facts.extraction import UserFact, contains_only_requests, extract_from_user
from agent.language.safety.credentials import contains_credentials
from agent.language.safety.prompt_injection import contains_injection
from agent.memory.rules import extract_from_response, extract_from_tool_result, qualifies_for_llm_extraction

HERE = Path(__file__).parent
REPEATS = 7
MIN_MS = 5.0  # growth is reported only above this time
SHORT, LONG = 4_000, 32_000  # characters; the long one is the maximum length of a message
ADVERSARIAL = [
    *"!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~", *"a1 \n\t\0è«", "I ", "I like ", "my a ", "and I ", ", I like ", "i like x. ",
    "1 ", "1-", "4111 1111 ", "DE12 ", "-eyJa.", "sk-a", "password for ", "passphrase is aa ", "ignore the ",
    "tell nobody ", "send chats ", "http://a:b", "a/", "a.a/", "aError", "write ", "hi, ", "for future chats: ", "« ",
    "I'm A ", "says: a\n", "1.1 ", "a-1.", "a 1.1.", '{"a":', "[", "12 passed ", "status: 4", "when i ask a",
    "i usually ", "my a's ",
]  # fmt: skip

Rule = Callable[[str], object]
USER_MESSAGE_RULES: dict[str, Rule] = {
    "extract_from_user": extract_from_user,
    "contains_only_requests": contains_only_requests,
    "contains_credentials": contains_credentials,
    "contains_injection": contains_injection,
}
TURN_RULES: dict[str, Rule] = {
    "extract_from_tool_result": lambda text: extract_from_tool_result("shell", text, 1),
    "extract_from_response": lambda text: extract_from_response(text, 1),
    "qualifies_for_llm_extraction": lambda text: qualifies_for_llm_extraction(["shell"], text, 1),
}


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """A message with its expected facts, each given by the words that the memory must contain."""

    style: str
    message: str
    facts: tuple[str, ...]
    help: tuple[str, ...]

    @property
    def half(self) -> str:
        """The half of the data set, chosen by a hash of the message."""
        return ("tuned", "held out")[hashlib.sha256(self.message.encode()).digest()[0] % 2]

    def expected(self) -> list[tuple[str, str]]:
        """The expected memories, as (kind, words)."""
        return [*(("user", words) for words in self.facts), *(("procedural", words) for words in self.help)]


def load_messages() -> list[LabelledMessage]:
    """Read formation_messages.jsonl."""
    rows = (json.loads(line) for line in (HERE / "formation_messages.jsonl").read_text().splitlines())
    return [LabelledMessage(row["style"], row["message"], tuple(row["facts"]), tuple(row["help"])) for row in rows]


def quality(messages: Sequence[LabelledMessage]) -> dict[str, Any]:
    """Precision and recall per half and per kind of message."""
    halves: dict[str, list[LabelledMessage]] = defaultdict(list)
    styles: dict[str, list[LabelledMessage]] = defaultdict(list)
    for one in messages:
        halves[one.half].append(one)
        styles[one.style].append(one)
    return {
        "halves": {half: _scores(ones) for half, ones in sorted(halves.items())},
        "styles_held_out": {
            style: _scores([one for one in ones if one.half == "held out"]) for style, ones in sorted(styles.items())
        },
    }


def speed(messages: Sequence[LabelledMessage]) -> dict[str, Any]:
    """Milliseconds per text of each rule, and the growth on adversarial texts."""
    user_texts, tool_texts = [one.message for one in messages], list(_tool_results())
    rules = [(name, rule, user_texts) for name, rule in USER_MESSAGE_RULES.items()]
    rules += [(name, rule, tool_texts) for name, rule in TURN_RULES.items()]
    return {
        name: {"texts": len(texts), "chars_p50": statistics.median(map(len, texts)), **_times(rule, texts)}
        | {"adversarial": _growth(rule)}
        for name, rule, texts in rules
    }


def _scores(messages: Iterable[LabelledMessage]) -> dict[str, Any]:
    found = right = expected = covered = count = 0
    for one in messages:
        facts = extract_from_user(one.message)
        count += 1
        found += len(facts)
        right += sum(any(_matches(fact, *each) for each in one.expected()) for fact in facts)
        expected += len(one.expected())
        covered += sum(any(_matches(fact, *each) for fact in facts) for each in one.expected())
    return {
        "messages": count,
        "found": found,
        "right": right,
        "expected": expected,
        "covered": covered,
        "precision": round(right / found, 3) if found else None,
        "recall": round(covered / expected, 3) if expected else None,
    }


def _matches(fact: UserFact, kind: str, words: str) -> bool:
    return fact.kind == kind and all(word.casefold() in fact.text.casefold() for word in words.split())


def _tool_results() -> Iterable[str]:
    """Yield parts of this repository's files as examples of tool results."""
    for path in sorted((*HERE.parent.glob("*.*"), *HERE.glob("*.py"), *HERE.glob("results/*.json"))):
        text = path.read_text(errors="replace") if path.suffix in {".md", ".toml", ".yaml", ".json", ".py"} else ""
        yield from (
            text[start : start + size] for size in (400, 4_000, 40_000) for start in range(0, len(text), 40_000)
        )


def _times(rule: Rule, texts: Sequence[str]) -> dict[str, float]:
    """Milliseconds per text, the fastest of several runs."""
    times = sorted(min(_milliseconds(rule, text) for _ in range(REPEATS)) for text in texts)
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(times[min(int(share * len(times)), len(times) - 1)], 4) for name, share in at.items()}


def _growth(rule: Rule) -> dict[str, float]:
    """The slowest adversarial text, and the largest growth when a text becomes 8 times as long."""
    short, long = (
        [min(_milliseconds(rule, unit * (chars // len(unit))) for _ in range(3)) for unit in ADVERSARIAL]
        for chars in (SHORT, LONG)
    )
    growth = [after / before for before, after in zip(short, long, strict=True) if after > MIN_MS]
    return {
        "longer": LONG / SHORT,
        "slowest_ms": round(max(long), 2),
        "grows_most": round(max(growth, default=0.0), 1),
    }


def _milliseconds(rule: Rule, text: str) -> float:
    """CPU time of the call, which depends little on other load."""
    started = time.thread_time()
    rule(text)
    return (time.thread_time() - started) * 1000
