"""The profile: a few sentences about the user, each with the ids of its source messages.

It is one document with the key `profile`:

    {each of FIELDS: its sentences as one text, "last_updated": ISO-8601,
     "sentences": {field: [{"text": str, "messages": [ids], "ts": ISO-8601}]}}
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from langgraph.store.base import BaseStore, GetOp, PutOp

from agent.language.facts.standing import SAFETY_TOPICS, standing_topic
from agent.language.grounding.checks import normalise
from agent.language.words.stems import Stems
from agent.memory.records import batches, namespaces
from agent.types import UserId

KEY = "profile"

ProfileField = Literal[
    "work_context", "personal_context", "top_of_mind", "recent_months", "earlier_context", "long_term_background"
]
CURRENT_FIELDS: tuple[ProfileField, ...] = ("work_context", "personal_context", "top_of_mind")
"""The fields that formation writes."""
HISTORY_FIELDS: tuple[ProfileField, ...] = ("recent_months", "earlier_context", "long_term_background")
"""The fields into which old episodes are summarised."""
FIELDS: tuple[ProfileField, ...] = (*CURRENT_FIELDS, *HISTORY_FIELDS)

MAX_SENTENCES = 3  # per field


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a field and its source messages."""

    text: str
    messages: tuple[str, ...]
    ts: str

    def as_dict(self) -> dict[str, Any]:
        """The sentence as stored in the document."""
        return {"text": self.text, "messages": list(self.messages), "ts": self.ts}

    @property
    def importance(self) -> int:
        """2 if it concerns the user's safety, 1 if it matters for every message, otherwise 0."""
        topic = standing_topic(self.text)
        return (topic is not None) + (topic in SAFETY_TOPICS)

    def is_same(self, other: "Sentence") -> bool:
        """Check whether another sentence has the same words."""
        return normalise(self.text) == normalise(other.text)

    def is_part_of(self, other: "Sentence") -> bool:
        """Check whether it is what remained of another sentence, or the same."""
        is_from_same = (self.ts, self.messages) == (other.ts, other.messages)
        return self.text == other.text or (is_from_same and Stems.of(self.text).words <= Stems.of(other.text).words)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> "Sentence":
        """Read a sentence of the document."""
        return cls(value["text"], tuple(value["messages"]), value["ts"])


@dataclass(frozen=True, slots=True)
class Profile:
    """A user's profile; a field without sentences is unknown."""

    sentences: Mapping[ProfileField, tuple[Sentence, ...]] = field(default_factory=dict)
    last_updated: str = ""

    def text(self, name: ProfileField) -> str:
        """A field as one text; empty if it is unknown."""
        return " ".join(sentence.text for sentence in self.sentences.get(name, ()))

    def with_sentence(self, name: ProfileField, sentence: Sentence) -> "Profile":
        """Add a sentence to a field, which keeps its most important ones; it replaces one with the same words."""
        others = [other for other in self.sentences.get(name, ()) if not other.is_same(sentence)]
        return replace(self._with_field(name, [*others, sentence]), last_updated=sentence.ts)

    def with_restored_sentence(self, document: Mapping[str, Any]) -> "Profile":
        """Add a retired sentence back to its field, in place of what remained of it."""
        name: ProfileField = document["field"]
        restored = Sentence.from_dict(document)
        others = [sentence for sentence in self.sentences.get(name, ()) if not sentence.is_part_of(restored)]
        updated = self._with_field(name, sorted([*others, restored], key=lambda sentence: sentence.ts))
        latest = max(sentence.ts for sentences in updated.sentences.values() for sentence in sentences)
        return replace(updated, last_updated=latest)

    def with_text(self, name: ProfileField, sentence: Sentence, text: str) -> "Profile":
        """Change the text of a sentence; an empty one removes it."""
        others = [replace(other, text=text) if other == sentence else other for other in self.sentences[name]]
        return self._with_field(name, [other for other in others if other.text])

    def _with_field(self, name: ProfileField, sentences: Sequence[Sentence]) -> "Profile":
        return replace(self, sentences={**self.sentences, name: select_sentences(sentences)})

    def texts(self) -> dict[str, str]:
        """Each field as one text, empty if unknown, and `last_updated`."""
        return {name: self.text(name) for name in FIELDS} | {"last_updated": self.last_updated}

    def as_value(self) -> dict[str, Any]:
        """The profile's document."""
        known = {name: [part.as_dict() for part in parts] for name, parts in self.sentences.items() if parts}
        return {**self.texts(), "sentences": known}

    @classmethod
    def from_value(cls, value: Mapping[str, Any] | None) -> "Profile":
        """Read a document; None gives an empty profile."""
        value = value or {}
        stored = value.get("sentences", {})
        sentences = {name: tuple(map(Sentence.from_dict, stored.get(name, ()))) for name in FIELDS}
        return cls(sentences, value.get("last_updated", ""))


def select_sentences(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences that a field keeps, in order: the standing ones, those on safety first, then the latest."""
    ranking = sorted(range(len(sentences)), key=lambda n: (sentences[n].importance, n), reverse=True)
    return tuple(sentences[n] for n in sorted(ranking[:MAX_SENTENCES]))


async def read(store: BaseStore, user: UserId) -> Profile:
    """Read the user's profile; empty if there is none."""
    [item] = await batches.get(store, [get_op(user)])
    return Profile.from_value(item.value if item else None)


def get_op(user: UserId) -> GetOp:
    """The operation that reads the profile's document."""
    return GetOp(namespaces.profile(user), KEY)


def put_op(user: UserId, profile: Profile) -> PutOp:
    """The operation that writes the profile, or deletes it if it has no sentences."""
    known = any(profile.sentences.values())
    return PutOp(namespaces.profile(user), KEY, profile.as_value() if known else None, index=False)
