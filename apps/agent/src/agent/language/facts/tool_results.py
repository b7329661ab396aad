"""Extract facts from tool results and answers with patterns: notes of a thread, never memories of its user."""

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.language.grounding.checks import rejection_reason
from agent.language.parsing.sentences import compile_any, sentences

# The kind of a fact. Only a model extracts `found`, which covers everything else.
Relation = Literal[
    "mentions", "produced_error", "succeeded", "counted", "returned_status", "has_version", "decided", "found"
]
MAX_VALUE_CHARS = 300
MAX_FACTS = 10  # per relation and text
SCANNED_CHARS = 1_200  # at each end of a longer text, where programs print their arguments and their outcome
MAX_JSON_VALUES = 200
MIN_TOOL_CALLS = 3  # tool calls in a turn that qualify it for extraction by a model

_ERROR = re.compile(
    r"(?<=\w)(?:Error|Exception)\b|\b(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic)\b(?:\[\w{1,10}\])?\s?:"
    r"|\bexit(?:ed with)? (?:code|status) [1-9]|\b(?:command not found"
    r"|[Nn]o such file|[Pp]ermission denied|[Ss]egmentation fault|[Cc]onnection refused|[Tt]imed out)\b|^FAILED\b"
    r"|(?<![\w.])[1-9]\d{0,6} (?:tests? )?(?:failed|failures?|errors?)\b"
)
_SUCCESS = compile_any(
    r"\b(?<!not )(?<!\b0 )(?:success(?:ful(?:ly)?)?|succeeded|passed|completed|done|created|saved|exit "
    r"(?:code|status) 0)\b"
)
# Every match of `_ERROR` contains one of these; searching for them is much faster.
_ERROR_HINTS = (
    "rror", "xception", "atal", "FATAL", "anic", "exit", "not found", "o such", "denied", "fault", "refused",
    "imed out", "FAILED", "fail",
)  # fmt: skip
_COUNT = compile_any(
    r"(?<![\w.])[1-9]\d{0,6} (?:tests? )?(?:passed|failed|failures?|errors?|skipped|warnings?|xfailed)\b"
)
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
_DECISION = compile_any(
    r"\b(?:decided|decision|chose|chosen|settled on|opted for|(?:going|go|went) with|agreed to|switch(?:ed|ing) to"
    r"|(?:we|i)['\u2019]?(?:ll| will) (?:use|switch)|instead of)\b"
)
_MEMORY_TOOL = compile_any(r"memor|remember|recall|forget")
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
    """A fact from a tool result or an answer."""

    entity: str  # the tool, `assistant`, or the package that has a version
    relation: Relation
    value: str
    confidence: float
    source_turn: int
    supersedes: str | None = None  # the value of an earlier fact that this one makes untrue


def extract_from_tool_result(tool_name: str, result: str, turn: int) -> list[Fact]:
    """Extract errors or else success, test counts, HTTP statuses, versions and file paths from a tool result.

    Keys of a JSON result are interpreted too. Only both ends of a long result are scanned.
    """
    text = _as_lines(result)
    statuses = [f"{one['bare'] or one['named']} {one['reason'] or ''}".strip() for one in _STATUS.finditer(text)]
    versions = list(dict.fromkeys(_VERSION.findall(text)))[:MAX_FACTS]
    return [
        *_outcome(tool_name, text, turn),
        *(Fact(tool_name, "counted", value, 0.9, turn) for value in _counts(text)),
        *(Fact(tool_name, "returned_status", value, 0.9, turn) for value in _safe_values(statuses)),
        *(Fact(name, "has_version", value, 0.8, turn) for name, value in versions),
        *_mentions(tool_name, text, turn),
    ]


def extract_from_response(text: str, turn: int) -> list[Fact]:
    """Extract decisions and file paths from an answer."""
    text = _ends(text)
    stated = (text[start:stop].strip() for start, stop in sentences(text))
    decisions = [one[:MAX_VALUE_CHARS] for one in stated if _DECISION.search(one) and not one.endswith("?")]
    return [
        *(Fact("assistant", "decided", decision, 0.7, turn) for decision in _safe_values(decisions)),
        *_mentions("assistant", text, turn),
    ]


def qualifies_for_llm_extraction(tool_names: Sequence[str], response_text: str, turn: int) -> bool:  # noqa: ARG001  part of the documented signature
    """Check whether a turn justifies a model call: many tool calls, a decision, or use of a memory tool."""
    used_memory = any(_MEMORY_TOOL.search(name) for name in tool_names)
    return len(tool_names) >= MIN_TOOL_CALLS or used_memory or _DECISION.search(_ends(response_text)) is not None


def _ends(text: str) -> str:
    return text if len(text) <= 2 * SCANNED_CHARS else f"{text[:SCANNED_CHARS]}\n{text[-SCANNED_CHARS:]}"


def _as_lines(result: str) -> str:
    """Convert a JSON result to lines as programs print them ("exit code 1"); return other results unchanged."""
    if len(result) > 2 * SCANNED_CHARS or result.lstrip()[:1] not in {"{", "["}:
        return _ends(result)
    try:
        values = list(_json_values(json.loads(result)))
    except (ValueError, RecursionError):
        return result
    counts = ", ".join(f"{value} {name}" for name, value in values if name in _COUNT_NAMES and isinstance(value, int))
    return "\n".join([*(_as_line(*named) for named in values), counts])


def _json_values(document: object) -> Iterator[tuple[str, object]]:
    """Yield the lower-case keys and scalar values of a JSON document, breadth first, up to `MAX_JSON_VALUES` nodes."""
    queue = deque([("", document)])
    for _ in range(MAX_JSON_VALUES):
        if not queue:
            return
        name, value = queue.popleft()
        if isinstance(value, dict):
            queue.extend((key.casefold(), one) for key, one in value.items())
        elif isinstance(value, list):
            queue.extend((name, one) for one in value)
        else:
            yield name, value


def _as_line(name: str, value: object) -> str:
    if isinstance(value, str):
        return f"error: {value}" if name in _ERROR_NAMES and value.strip() else value
    if isinstance(value, bool):
        return "" if name not in _SUCCESS_NAMES else "success" if value else f"error: {name} is false"
    if name in _EXIT_NAMES:
        return f"exit code {value}"
    return f"status: {value}" if name in _STATUS_NAMES else ""


def _outcome(tool_name: str, text: str, turn: int) -> list[Fact]:
    lines = [line.strip()[:MAX_VALUE_CHARS] for line in text.splitlines()]
    errors = [line for line in lines if _ERROR.search(line)] if any(hint in text for hint in _ERROR_HINTS) else []
    if errors:
        return [Fact(tool_name, "produced_error", line, 0.9, turn) for line in _safe_values(errors)]
    success = next((line for line in lines if _SUCCESS.search(line)), None)
    return [Fact(tool_name, "succeeded", line, 0.8, turn) for line in _safe_values([success] if success else [])]


def _counts(text: str) -> list[str]:
    return next(([", ".join(counts)] for line in reversed(text.splitlines()) if (counts := _COUNT.findall(line))), [])


def _mentions(entity: str, text: str, turn: int) -> list[Fact]:
    return [Fact(entity, "mentions", path, 0.9, turn) for path in _safe_values(_PATH.findall(text))]


def _safe_values(values: Sequence[str]) -> list[str]:
    return [value for value in list(dict.fromkeys(values))[:MAX_FACTS] if rejection_reason(value) is None]
