"""Data sets for recall: accounts with memories, and questions with known relevant memories."""

import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

Json = Mapping[str, Any]

LOCOMO = "locomo10.json"
BELIEFS = "beliefs.seed.json"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""Categories of LoCoMo's questions; those of the fifth have no answer."""
TIERS = ("relevantBeliefs", "pinnedFacts", "openQuestions")

_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_IDS = uuid.UUID("6b656570-7361-4b65-8000-000000000001")


@dataclass(frozen=True, slots=True)
class Row:
    """A memory; `thread` is its conversation, "" for a memory outside conversations."""

    id: str
    text: str
    thread: str = ""
    ts: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of its relevant memories."""

    text: str
    targets: frozenset[str]
    category: str
    cluster: str
    """The conversation; questions about one conversation are not independent."""


@dataclass(frozen=True, slots=True)
class Account:
    """One user's memories, all of one kind, and questions about them."""

    name: str
    kind: Literal["user", "episodic"]
    rows: tuple[Row, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class RecallSet:
    """The accounts of one data set."""

    title: str
    accounts: tuple[Account, ...]


def all_sets(folder: Path) -> list[RecallSet]:
    """All data sets found in the directory or next to it, LoCoMo's turns first.

    Raises:
        SystemExit: LoCoMo is missing.
    """
    if not (folder / LOCOMO).exists():
        raise SystemExit(f"{folder} has no {LOCOMO}; see bench/README.md for its source")
    chats = json.loads((folder / LOCOMO).read_text(encoding="utf-8"))
    sets = [
        RecallSet("LoCoMo, turns", tuple(_turns(chat, "turns", named=True) for chat in chats)),
        RecallSet("LoCoMo, turns without names", tuple(_turns(chat, "plain", named=False) for chat in chats)),
        RecallSet("LoCoMo, observations", tuple(_observations(chat) for chat in chats)),
    ]
    for place in (folder, folder.parent / "precisionmembench"):
        if (place / BELIEFS).exists():
            return [*sets, RecallSet("PrecisionMemBench", (_beliefs(place),))]
    return sets


def _turns(chat: Json, form: str, *, named: bool) -> Account:
    """An account with one memory per turn; the session is its conversation, and turns are one second apart."""
    name = f"{form}-{chat['sample_id']}"
    rows: dict[str, Row] = {}
    for session, started, turns in _sessions(chat["conversation"]):
        for n, turn in enumerate(turns):
            text = f"{turn['speaker']}: {turn['text']}" if named else turn["text"]
            ts = (started + timedelta(seconds=n)).isoformat()
            rows[turn["dia_id"]] = Row(_row_id(name, turn["dia_id"]), text, f"{name}/{session}", ts)
    targets = {evidence: {row.id} for evidence, row in rows.items()}
    return Account(name, "episodic", tuple(rows.values()), tuple(_questions(chat, targets)))


def _observations(chat: Json) -> Account:
    """An account with one standalone fact per observation; relevant are those made from the evidence turns."""
    name = f"observations-{chat['sample_id']}"
    rows: list[Row] = []
    targets: dict[str, set[str]] = {}
    statements = [pair for session in chat["observation"].values() for pairs in session.values() for pair in pairs]
    for n, (text, evidence) in enumerate(statements):
        rows.append(Row(_row_id(name, str(n)), text))
        for turn in _evidence(evidence if isinstance(evidence, list) else [evidence]):
            targets.setdefault(turn, set()).add(rows[-1].id)
    return Account(name, "user", tuple(rows), tuple(_questions(chat, targets)))


def _questions(chat: Json, targets: Mapping[str, set[str]]) -> Iterator[Question]:
    """Yield the questions with known evidence."""
    for asked in chat["qa"]:
        wanted = {id_ for turn in _evidence(asked.get("evidence") or []) for id_ in targets.get(turn, ())}
        if wanted and asked["category"] in CATEGORIES:
            yield Question(asked["question"], frozenset(wanted), CATEGORIES[asked["category"]], chat["sample_id"])


def _sessions(conversation: Json) -> Iterator[tuple[str, datetime, Sequence[Json]]]:
    for name, turns in conversation.items():
        if _SESSION.fullmatch(name):
            when = conversation[f"{name}_date_time"]
            yield name, datetime.strptime(f"{when} +0000", "%I:%M %p on %d %B, %Y %z"), turns


def _evidence(arguments: Sequence[object]) -> list[str]:
    """Turn ids; the data joins or pads some of them."""
    return [f"D{session}:{turn}" for one in arguments for session, turn in _EVIDENCE.findall(str(one))]


def _beliefs(folder: Path) -> Account:
    """An account with one fact per valid belief; relevant are the beliefs of any tier that a case expects."""
    known = json.loads((folder / BELIEFS).read_text(encoding="utf-8"))
    rows = {
        belief["_id"]: Row(_row_id("beliefs", belief["_id"]), belief["content"])
        for belief in known
        if belief["user_id"] == "test-user" and belief["epistemic_status"] != "superseded"
    }
    questions: list[Question] = []
    for text, expected in _cases(folder):
        tiers = [expected.get(tier, {}) for tier in TIERS]
        wanted = {id_ for tier in tiers for key in ("shouldOnlyInclude", "mustInclude") for id_ in tier.get(key, ())}
        if (text or "").strip() and wanted & rows.keys():
            targets = frozenset(rows[id_].id for id_ in wanted & rows.keys())
            questions.append(Question(text, targets, "case", cluster=f"case {len(questions)}"))
    return Account("beliefs", "user", tuple(rows.values()), tuple(questions))


def _cases(folder: Path) -> Iterator[tuple[str, Json]]:
    for case in json.loads((folder / "retrieval.cases.json").read_text(encoding="utf-8")):
        yield case.get("query"), case["expect"]
    for session in json.loads((folder / "session-retrieval.cases.json").read_text(encoding="utf-8")):
        for turn in session["turns"]:
            yield turn.get("userMessage"), turn.get("expect", {})


def _row_id(*parts: str) -> str:
    return str(uuid.uuid5(_IDS, "/".join(parts)))
