"""How well the rules read what users say, and how fast: formation_messages.jsonl, labelled by hand, and nasty texts."""

import hashlib
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.language.credentials import contains_credentials
from agent.language.facts import UserFact, contains_only_requests, extract_from_user
from agent.language.prompt_injection import contains_injection
from agent.memory.rules import extract_from_response, extract_from_tool_result, qualifies_for_llm_extraction

HERE = Path(__file__).parent
REPEATS = 7
NOTABLE_MS = 5.0  # what takes less may grow as it likes
SHORT, LONG = 4_000, 32_000  # characters; a message has at most as many as the long one
NASTY = [
    *"!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~", *"a1 \n\t\0è«", "I ", "I like ", "my a ", "and I ", ", I like ", "i like x. ",
    "1 ", "1-", "4111 1111 ", "DE12 ", "-eyJa.", "sk-a", "password for ", "passphrase is aa ", "ignore the ",
    "tell nobody ", "send chats ", "http://a:b", "a/", "a.a/", "aError", "write ", "hi, ", "for future chats: ", "« ",
    "I'm A ", "says: a\n", "1.1 ", "a-1.", "a 1.1.", '{"a":', "[", "12 passed ", "status: 4", "when i ask a",
    "i usually ", "my a's ",
]  # fmt: skip

Rule = Callable[[str], object]
RULES_OF_USERS: dict[str, Rule] = {
    "extract_from_user": extract_from_user,
    "only_asks": contains_only_requests,
    "holds_credentials": contains_credentials,
    "gives_orders": contains_injection,
}
RULES_OF_TURNS: dict[str, Rule] = {
    "extract_from_tool_result": lambda text: extract_from_tool_result("shell", text, 1),
    "extract_from_response": lambda text: extract_from_response(text, 1),
    "qualifies_for_llm_extraction": lambda text: qualifies_for_llm_extraction(["shell"], text, 1),
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A message, and what of it lasts: by words that a memory of it must have, all of them."""

    style: str
    message: str
    facts: tuple[str, ...]
    help: tuple[str, ...]

    @property
    def half(self) -> str:
        """Which half it is in; nobody chose."""
        return ("tuned", "held out")[hashlib.sha256(self.message.encode()).digest()[0] % 2]

    def expected(self) -> list[tuple[str, str]]:
        """Return what should be found, each by its kind and words."""
        return [*(("user", words) for words in self.facts), *(("procedural", words) for words in self.help)]


def labelled() -> list[Labelled]:
    """Read the set."""
    rows = (json.loads(line) for line in (HERE / "formation_messages.jsonl").read_text().splitlines())
    return [Labelled(row["style"], row["message"], tuple(row["facts"]), tuple(row["help"])) for row in rows]


def quality(messages: Sequence[Labelled]) -> dict[str, Any]:
    """Return precision and recall, of each half and of each kind of message."""
    halves: dict[str, list[Labelled]] = defaultdict(list)
    styles: dict[str, list[Labelled]] = defaultdict(list)
    for one in messages:
        halves[one.half].append(one)
        styles[one.style].append(one)
    return {
        "halves": {half: _scores(ones) for half, ones in sorted(halves.items())},
        "styles_held_out": {
            style: _scores([one for one in ones if one.half == "held out"]) for style, ones in sorted(styles.items())
        },
    }


def speed(messages: Sequence[Labelled]) -> dict[str, Any]:
    """Return the milliseconds that each rule takes over texts as they come, and how they grow over nasty ones."""
    said, shown = [one.message for one in messages], list(_tool_results())
    rules = [(name, rule, said) for name, rule in RULES_OF_USERS.items()]
    rules += [(name, rule, shown) for name, rule in RULES_OF_TURNS.items()]
    return {
        name: {"texts": len(texts), "chars_p50": statistics.median(map(len, texts)), **_times(rule, texts)}
        | {"nasty": _growth(rule)}
        for name, rule, texts in rules
    }


def _scores(messages: Iterable[Labelled]) -> dict[str, Any]:
    found = right = expected = covered = count = 0
    for one in messages:
        facts = extract_from_user(one.message)
        count += 1
        found += len(facts)
        right += sum(any(_says(fact, *each) for each in one.expected()) for fact in facts)
        expected += len(one.expected())
        covered += sum(any(_says(fact, *each) for fact in facts) for each in one.expected())
    return {
        "messages": count,
        "found": found,
        "right": right,
        "expected": expected,
        "covered": covered,
        "precision": round(right / found, 3) if found else None,
        "recall": round(covered / expected, 3) if expected else None,
    }


def _says(fact: UserFact, kind: str, words: str) -> bool:
    return fact.kind == kind and all(word.casefold() in fact.text.casefold() for word in words.split())


def _tool_results() -> Iterable[str]:
    """Yield files of this repository, whole and in parts: lists, sources, tables, logs in JSON, as tools show them."""
    for path in sorted((*HERE.parent.glob("*.*"), *HERE.glob("*.py"), *HERE.glob("results/*.json"))):
        text = path.read_text(errors="replace") if path.suffix in {".md", ".toml", ".yaml", ".json", ".py"} else ""
        yield from (
            text[start : start + size] for size in (400, 4_000, 40_000) for start in range(0, len(text), 40_000)
        )


def _times(rule: Rule, texts: Sequence[str]) -> dict[str, float]:
    """Return milliseconds over texts, of each the fastest of several tries."""
    times = sorted(min(_milliseconds(rule, text) for _ in range(REPEATS)) for text in texts)
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(times[min(int(share * len(times)), len(times) - 1)], 4) for name, share in at.items()}


def _growth(rule: Rule) -> dict[str, float]:
    """Return the time of the slowest nasty text, and how much more at most one takes that is 8 times as long."""
    short, long = (
        [min(_milliseconds(rule, unit * (chars // len(unit))) for _ in range(3)) for unit in NASTY]
        for chars in (SHORT, LONG)
    )
    growth = [after / before for before, after in zip(short, long, strict=True) if after > NOTABLE_MS]
    return {
        "longer": LONG / SHORT,
        "slowest_ms": round(max(long), 2),
        "grows_most": round(max(growth, default=0.0), 1),
    }


def _milliseconds(rule: Rule, text: str) -> float:
    """Return the processor's time, which other work on the machine hardly touches."""
    began = time.thread_time()
    rule(text)
    return (time.thread_time() - began) * 1000
