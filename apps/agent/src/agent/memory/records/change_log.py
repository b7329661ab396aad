"""The log of changes to memories, derived from the writes of each commit; see `agent.store.change_log`.

A change has a reason: that of the retirement (see `history.Reason`), or

- `stated`: the user said or confirmed it; `entered`: the user entered or imported it; `reported`: an application did;
- `undone`: an earlier change was undone; `redacted`: a part of the text was forgotten.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from langgraph.store.base import PutOp

from agent.memory.records.history import SUPERSEDED_REASONS, current_value, is_version
from agent.memory.records.memory_change import ChangedMemory, ChangeType, MemoryChange
from agent.memory.records.namespaces import is_memory, is_retired
from agent.store.change_log import Before, Entry, LoggedEntry, LogUpdate

Value = Mapping[str, Any]

CLEARED = LogUpdate([Entry([], {"type": "memory.forgotten", "memory": None, "replaced": None, "why": "forgotten"})])
"""All memories were deleted."""


def describe_changes(ops: Sequence[PutOp], before: Before) -> LogUpdate:
    """Describe what writes change, given the values of their items before."""
    return _Writes.of(ops, before).update()


def to_change(entry: LoggedEntry) -> MemoryChange:
    """Convert an entry of the log."""
    data = entry.data
    memory, replaced = (data[name] and ChangedMemory(**data[name]) for name in ("memory", "replaced"))
    thread, message = data.get("thread", ""), data.get("message", "")
    why = current_value(data["why"])
    return MemoryChange(str(entry.seq), data["type"], memory, replaced, why, thread, message, entry.at)


@dataclass(slots=True)
class _Writes:
    """The writes of a commit, by the id of the memory."""

    before: dict[str, Value] = field(default_factory=dict)
    """The memories that are written or deleted, or of which all that was left in history is."""
    after: dict[str, Value] = field(default_factory=dict)
    """The memories that are written."""
    retired: dict[str, Value] = field(default_factory=dict)
    """The new version in history of each memory; the first one is that before the commit."""
    restored: set[str] = field(default_factory=set)
    """Memories of which a version left history and took their place again."""
    purged: set[str] = field(default_factory=set)
    """Memories of which a text must not remain anywhere."""

    @classmethod
    def of(cls, ops: Sequence[PutOp], before: Before) -> Self:
        """Sort writes; the last one of each item counts."""
        writes = cls()
        left: dict[str, Value] = {}
        for (namespace, key), op in {(op.namespace, op.key): op for op in ops}.items():
            old = before.get((namespace, key))
            if is_memory(namespace):
                writes.before |= {key: old} if old else {}
                writes.after |= {key: op.value} if op.value else {}
            elif is_retired(namespace) and old is not None and is_version(old):
                if op.value is None:
                    left[old["memory"]] = old
                elif op.value["text"] != old["text"]:
                    writes.purged.add(old["memory"])
            elif is_retired(namespace) and op.value and is_version(op.value):
                writes.retired.setdefault(op.value["memory"], op.value)
        writes.restored = left.keys() & writes.after.keys()
        writes.purged |= left.keys() - writes.after.keys()
        writes.before = left | writes.before
        return writes

    def update(self) -> LogUpdate:
        """The entries, and the memories whose earlier text is to be purged."""
        entries = [*self._retirements(), *self._writes(), *self._deletions()]
        return LogUpdate(entries, frozenset(self.purged))

    def _retirements(self) -> Iterator[Entry]:
        for memory, version in self.retired.items():
            if memory not in self.before:  # imported history
                continue
            successor, why, is_rewritten = version.get("by"), version.get("why", ""), memory in self.after
            if why == "forgotten" and not is_rewritten:
                yield _entry("memory.forgotten", memory, version, why)
            elif successor in self.restored or memory in self.restored:
                continue
            elif is_rewritten:
                yield _entry("memory.replaced", memory, self.after[memory], why, replaced=(memory, version))
            elif successor in self.after and why in SUPERSEDED_REASONS:
                yield _entry("memory.replaced", successor, self.after[successor], why, replaced=(memory, version))
            else:
                yield _entry("memory.retired", memory, version, why)

    def _writes(self) -> Iterator[Entry]:
        superseded = (version for memory, version in self.retired.items() if memory in self.before)
        successors = {version.get("by") for version in superseded if version.get("why") in SUPERSEDED_REASONS}
        for memory, value in self.after.items():
            old = self.before.get(memory)
            if memory in self.restored:
                yield _entry("memory.restored", memory, value, "undone", replaced=self._replaced_by_undo(memory))
            elif memory in successors or (old is not None and memory in self.retired):
                continue
            elif old is None:
                yield _entry("memory.added", memory, value, _origin(value))
            elif old["text"] != value["text"]:
                self.purged.add(memory)
                yield _entry("memory.replaced", memory, value, "redacted")
            elif value.get("confirmed", 1) > old.get("confirmed", 1) or _is_confirmed(old, value):
                yield _entry("memory.confirmed", memory, value, "stated")

    def _replaced_by_undo(self, memory: str) -> tuple[str, Value] | None:
        return next((one for one in self.retired.items() if one[1].get("by") == memory), None)

    def _deletions(self) -> Iterator[Entry]:
        for memory, old in self.before.items():
            if memory not in self.after and memory not in self.retired:
                self.purged.add(memory)
                yield _entry("memory.forgotten", memory, {**old, "text": None}, "forgotten")


def _origin(value: Value) -> str:
    if value.get("sources"):
        return "stated"
    return "reported" if value.get("reported_by") else "entered"


def _is_confirmed(old: Value, new: Value) -> bool:
    """Check whether the user has confirmed what an application reported."""
    return bool(old.get("reported_by")) and not new.get("reported_by")


def _entry(
    change: ChangeType, memory: str, value: Value, why: str, *, replaced: tuple[str, Value] | None = None
) -> Entry:
    newest = (value.get("sources") or [{}])[-1]
    data = {
        "type": change,
        "memory": _memory(memory, value),
        "replaced": _memory(*replaced) if replaced else None,
        "why": why,
        "thread": newest.get("thread", ""),
        "message": newest.get("message", ""),
    }
    keys = {memory, *([replaced[0]] if replaced else [])}
    return Entry(sorted(keys) if value["text"] is not None else [], data)


def _memory(memory: str, value: Value) -> dict[str, Any]:
    kind, category = value.get("type", "user"), value.get("category", "personal")
    return {"id": memory, "kind": kind, "text": value["text"], "category": category}
