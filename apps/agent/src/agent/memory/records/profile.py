"""The profile: who the user is, in a few sentences, each with the messages that it came from.

One document, under the key `profile`:

    {each of FIELDS: its sentences as one text, "last_updated": ISO-8601,
     "sentences": {field: [{"text": str, "messages": [ids], "ts": ISO-8601}]}}
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from langgraph.store.base import BaseStore, GetOp, PutOp

from agent.language.grounding import normalise
from agent.memory.records import batches, namespaces
from agent.types import UserId

KEY = "profile"

Field = Literal[
    "work_context", "personal_context", "top_of_mind", "recent_months", "earlier_context", "long_term_background"
]
NOW: tuple[Field, ...] = ("work_context", "personal_context", "top_of_mind")
"""What formation writes of what was just said."""
HISTORY: tuple[Field, ...] = ("recent_months", "earlier_context", "long_term_background")
"""What episodes fold up into."""
FIELDS: tuple[Field, ...] = (*NOW, *HISTORY)

MOST_SENTENCES = 3  # of a field


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a field, and where it comes from."""

    text: str
    messages: tuple[str, ...]
    ts: str

    def as_dict(self) -> dict[str, Any]:
        """Return the sentence as it stands in the document."""
        return {"text": self.text, "messages": list(self.messages), "ts": self.ts}


@dataclass(frozen=True, slots=True)
class Profile:
    """Who the user is; a field without sentences is not known."""

    sentences: Mapping[Field, tuple[Sentence, ...]] = field(default_factory=dict)
    last_updated: str = ""

    def text(self, name: Field) -> str:
        """Return a field as one text, empty when nothing is known."""
        return " ".join(sentence.text for sentence in self.sentences.get(name, ()))

    def with_sentence(self, name: Field, sentence: Sentence) -> "Profile":
        """Add a sentence to a field, which keeps its latest few; one with the same words is not there twice."""
        words = normalise(sentence.text)
        others = [one for one in self.sentences.get(name, ()) if normalise(one.text) != words]
        kept = (*others, sentence)[-MOST_SENTENCES:]
        return replace(self, sentences={**self.sentences, name: kept}, last_updated=sentence.ts)

    def of_messages(self, messages: Set[str]) -> list[tuple[Field, Sentence]]:
        """Return every sentence that came from one of these messages."""
        return [
            (name, sentence)
            for name, sentences in self.sentences.items()
            for sentence in sentences
            if messages & set(sentence.messages)
        ]

    def without(self, messages: Set[str]) -> "Profile":
        """Drop every sentence that came from one of these messages."""
        kept = {
            name: tuple(sentence for sentence in sentences if not messages & set(sentence.messages))
            for name, sentences in self.sentences.items()
        }
        return replace(self, sentences=kept)

    def texts(self) -> dict[str, str]:
        """Return each field as one text, empty when nothing is known, and when that was last changed."""
        return {name: self.text(name) for name in FIELDS} | {"last_updated": self.last_updated}

    def as_value(self) -> dict[str, Any]:
        """Return the profile as its document."""
        known = {name: [one.as_dict() for one in sentences] for name, sentences in self.sentences.items() if sentences}
        return {**self.texts(), "sentences": known}

    @classmethod
    def from_value(cls, value: Mapping[str, Any] | None) -> "Profile":
        """Read a document; None is the profile of somebody unknown."""
        if value is None:
            return cls()
        told = value.get("sentences", {})
        sentences = {
            name: tuple(Sentence(one["text"], tuple(one["messages"]), one["ts"]) for one in told.get(name, ()))
            for name in FIELDS
        }
        return cls(sentences, value.get("last_updated", ""))


async def read(store: BaseStore, user: UserId) -> Profile:
    """Return the user's profile, an empty one if there is none."""
    [known] = await batches.get(store, [GetOp(namespaces.profile(user), KEY)])
    return Profile.from_value(known.value if known else None)


def put(user: UserId, profile: Profile) -> PutOp:
    """Return what writes the profile; without a sentence, what deletes it."""
    known = any(profile.sentences.values())
    return PutOp(namespaces.profile(user), KEY, profile.as_value() if known else None, index=False)
