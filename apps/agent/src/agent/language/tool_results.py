"""What a tool's result or an assistant's answer says by its form: notes of a thread, never memories of its user."""

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.language.credentials import contains_credentials
from agent.language.parsing import any_of, sentences
from agent.language.prompt_injection import contains_injection

Relation = Literal[
    "mentions", "produced_error", "succeeded", "counted", "returned_status", "has_version", "decided", "found"
]
"""What kind of note it is. `found` is for what only a model can read out of a text."""

LONGEST = 300  # characters of a value
MOST_NOTES = 10  # of a kind from one text
READ_CHARS = 1_200  # of a longer text, at either end: where programs say what they do, and how it went
MOST_PARTS = 200  # of a JSON value
MANY_TOOLS = 3

_ERROR = re.compile(
    r"(?<=\w)(?:Error|Exception)\b|\b(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic)\b(?:\[\w{1,10}\])?\s?:"
    r"|\bexit(?:ed with)? (?:code|status) [1-9]|\b(?:command not found"
    r"|[Nn]o such file|[Pp]ermission denied|[Ss]egmentation fault|[Cc]onnection refused|[Tt]imed out)\b|^FAILED\b"
    r"|(?<![\w.])[1-9]\d{0,6} (?:tests? )?(?:failed|failures?|errors?)\b"
)
_SUCCESS = any_of(
    r"\b(?<!not )(?<!\b0 )(?:success(?:ful(?:ly)?)?|succeeded|passed|completed|done|created|saved|exit "
    r"(?:code|status) 0)\b"
)
_MAY_FAIL = (
    "rror", "xception", "atal", "FATAL", "anic", "exit", "not found", "o such", "denied", "fault", "refused",
    "imed out", "FAILED", "fail",
)  # fmt: skip
"""One of these is in all that `_ERROR` finds, and is found much faster."""

_COUNT = any_of(r"(?<![\w.])[1-9]\d{0,6} (?:tests? )?(?:passed|failed|failures?|errors?|skipped|warnings?|xfailed)\b")
_STATUS = re.compile(
    r"\bHTTP(?:/[\d.]{1,3})?[ :]{1,2}(?P<bare>[1-5]\d\d)"
    r"(?: (?P<reason>[A-Z][A-Za-z-]{1,20}(?: [A-Z][a-z]{1,20}){0,3}))?"
    r"|\b(?:[Ss]tatus(?:[ _]?[Cc]ode)?|HTTP [Ee]rror|returned|responded with)[ :=]{1,3}(?P<named>[1-5]\d\d)\b(?![.,]\d)"
)
_VERSION = re.compile(
    r"(?<![\w./@-])(?!(?:at|by|chapter|from|in|is|line|of|on|section|step|than|to|version|via)\b)"
    r"(?P<name>[A-Za-z][\w.+-]{1,40}?)"
    r"(?:==|@|[ /]v(?=\d)|,? [Vv]ersion:? |-(?=\d)|\) (?=\d)|[ /](?=\d{1,4}\.\d{1,5}\.\d))"
    r"(?P<version>\d{1,4}(?:\.\d{1,5}){1,2}(?:[-+.]?(?:rc|a|b|alpha|beta|dev|post)\.?\d{0,4})?)(?![\w.]*\w)"
)
_DECISION = any_of(
    r"\b(?:decided|decision|chose|chosen|settled on|opted for|(?:going|go|went) with|agreed to|switch(?:ed|ing) to"
    r"|(?:we|i)['\u2019]?(?:ll| will) (?:use|switch)|instead of)\b"
)
_MEMORY_TOOL = any_of(r"memor|remember|recall|forget")
_PATH = re.compile(
    r"(?<![\w./\\:@~-])(?:(?:[A-Za-z]:[\\/]|~?/|\.{1,2}/)(?:[\w.@-]{1,80}[\\/]){0,20}[\w@-][\w.@-]{0,80}"
    r"|(?:\.?[\w@-]{1,80}[\\/]){1,20}[\w.@-]{1,80}\.[A-Za-z]\w{0,7})(?<![.])(?![\w/\\])"
)

_ERROR_NAMES = frozenset({"error", "errors", "err", "exception", "stderr", "traceback"})
_SUCCESS_NAMES = frozenset({"ok", "success", "succeeded"})
_STATUS_NAMES = frozenset({"status", "status_code", "statuscode", "http_status"})
_EXIT_NAMES = frozenset({"exit_code", "exitcode", "returncode", "return_code"})
_COUNT_NAMES = frozenset({"passed", "failed", "failures", "skipped", "warnings"})


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a tool's result or an answer says."""

    entity: str
    """The tool, `assistant`, or what is said to have a version."""
    relation: Relation
    value: str
    confidence: float
    source_turn: int
    supersedes: str | None = None
    """The value of an earlier note that this one makes untrue."""


def extract_from_tool_result(tool_name: str, result: str, turn: int) -> list[Fact]:
    """Return what a tool's result says: its errors, else its success; counts, statuses, versions, and files.

    A result in JSON is read by its names too. Of a long one only the beginning and the end are read.
    """
    text = _readable(result)
    return [
        *_outcome(tool_name, text, turn),
        *(Fact(tool_name, "counted", value, 0.9, turn) for value in _counts(text)),
        *(Fact(tool_name, "returned_status", value, 0.9, turn) for value in _notable(_statuses(text))),
        *(Fact(name, "has_version", value, 0.8, turn) for name, value in _versions(text)),
        *_mentions(tool_name, text, turn),
    ]


def extract_from_response(text: str, turn: int) -> list[Fact]:
    """Return what an answer says: what was decided, and the files it mentions."""
    text = _ends(text)
    said = (text[start:stop].strip() for start, stop in sentences(text))
    decisions = [one[:LONGEST] for one in said if _DECISION.search(one) and not one.endswith("?")]
    return [
        *(Fact("assistant", "decided", decision, 0.7, turn) for decision in _notable(decisions)),
        *_mentions("assistant", text, turn),
    ]


def qualifies_for_llm_extraction(
    tool_names: Sequence[str],
    response_text: str,
    turn: int,  # noqa: ARG001  part of what every rule on a turn is given; this one asks alike in each
) -> bool:
    """Tell whether a turn is worth a model's call: many tools, a decision, or the agent's memory tool at work."""
    used_memory = any(_MEMORY_TOOL.search(name) for name in tool_names)
    return len(tool_names) >= MANY_TOOLS or used_memory or _DECISION.search(_ends(response_text)) is not None


def may_be_noted(value: str) -> bool:
    """Tell whether a note may hold a text: no secrets, and nothing that would steer the assistant."""
    return not (contains_credentials(value) or contains_injection(value))


def _ends(text: str) -> str:
    return text if len(text) <= 2 * READ_CHARS else f"{text[:READ_CHARS]}\n{text[-READ_CHARS:]}"


def _readable(result: str) -> str:
    """Return a result in lines; one in JSON says by its names what programs say in words: "exit code 1"."""
    if len(result) > 2 * READ_CHARS or result.lstrip()[:1] not in {"{", "["}:
        return _ends(result)
    try:
        parts = list(_parts(json.loads(result)))
    except (ValueError, RecursionError):
        return result
    counts = ", ".join(f"{value} {name}" for name, value in parts if name in _COUNT_NAMES and isinstance(value, int))
    return "\n".join([*(_in_words(*part) for part in parts), counts])


def _parts(document: object) -> Iterator[tuple[str, object]]:
    """Yield the names, in lower case, and plain values of a JSON value, wherever they are in it, up to a bound."""
    waiting = deque([("", document)])
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        name, value = waiting.popleft()
        if isinstance(value, dict):
            waiting.extend((key.casefold(), one) for key, one in value.items())
        elif isinstance(value, list):
            waiting.extend((name, one) for one in value)
        else:
            yield name, value


def _in_words(name: str, value: object) -> str:
    if isinstance(value, str):
        return f"error: {value}" if name in _ERROR_NAMES and value.strip() else value
    if isinstance(value, bool):
        return "" if name not in _SUCCESS_NAMES else "success" if value else f"error: {name} is false"
    if name in _EXIT_NAMES:
        return f"exit code {value}"
    return f"status: {value}" if name in _STATUS_NAMES else ""


def _outcome(tool_name: str, text: str, turn: int) -> list[Fact]:
    lines = [line.strip()[:LONGEST] for line in text.splitlines()]
    errors = [line for line in lines if _ERROR.search(line)] if any(hint in text for hint in _MAY_FAIL) else []
    if errors:
        return [Fact(tool_name, "produced_error", line, 0.9, turn) for line in _notable(errors)]
    success = next((line for line in lines if _SUCCESS.search(line)), None)
    return [Fact(tool_name, "succeeded", line, 0.8, turn) for line in _notable([success] if success else [])]


def _counts(text: str) -> list[str]:
    """Return how many passed, failed, were skipped …, as the last line that counts puts it."""
    return next(([", ".join(found)] for line in reversed(text.splitlines()) if (found := _COUNT.findall(line))), [])


def _statuses(text: str) -> list[str]:
    return [f"{found['bare'] or found['named']} {found['reason'] or ''}".strip() for found in _STATUS.finditer(text)]


def _versions(text: str) -> list[tuple[str, str]]:
    found = [(match["name"], match["version"]) for match in _VERSION.finditer(text)]
    return list(dict.fromkeys(found))[:MOST_NOTES]


def _mentions(entity: str, text: str, turn: int) -> list[Fact]:
    paths = list(dict.fromkeys(_PATH.findall(text)))[:MOST_NOTES]
    return [Fact(entity, "mentions", path, 0.9, turn) for path in paths if not contains_credentials(path)]


def _notable(values: Sequence[str]) -> list[str]:
    """Return the first few, each once, that may be noted."""
    return [value for value in list(dict.fromkeys(values))[:MOST_NOTES] if may_be_noted(value)]
