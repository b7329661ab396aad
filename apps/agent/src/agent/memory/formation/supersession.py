"""Find the statements of facts and of episodes in the user's own words that newer memories make untrue."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.background import yield_to_loop
from agent.language.dates.notes import split_date_note
from agent.language.facts.standing import standing_topics
from agent.language.grounding.checks import is_quoted, normalise
from agent.language.revision.contradictions import contradicted_statements
from agent.language.revision.redaction import Redaction
from agent.memory.records.documents import derived_id, last_stated
from agent.memory.records.history import Retirement
from agent.types import Memory, Source, UserId

YIELD_INTERVAL = 50  # memories compared between two yields to the event loop


@dataclass(frozen=True, slots=True)
class Outdated:
    """A statement of a memory, and the newer memory that supersedes it."""

    memory: Memory
    statement: str
    successor: Memory

    @property
    def message(self) -> str:
        """The message that states the successor."""
        return self.successor.sources[-1].message

    def retirement(self, user: UserId) -> Retirement:
        """The reason for retiring the statement. Planning it again gives the same change."""
        change_id = derived_id(user, "change", self.message, self.successor.id)
        return Retirement("formation", "replaced", self.successor.id, change_id=change_id)

    def redaction(self) -> Redaction:
        """Remove the statement, and what its messages state with the same words."""
        messages = {source.message for source in self.memory.sources}
        redaction = Redaction.outdated(self.statement, self.successor.text, quotes=[self.statement], messages=messages)
        return replace(redaction, quotes=redaction.quotes | {normalise(self.statement).rstrip(" .!")})

    def redact(self, episode: Memory) -> Memory:
        """The episode without the statement; its text may be empty."""
        messages = {source.message for source in episode.sources}
        redaction = self.redaction()
        text = redaction.redact(episode.text, messages, is_verbatim=True)
        sources = tuple(replace(source, quote=redaction.redact_quote(source.quote)) for source in episode.sources)
        return replace(episode, text=text, sources=sources, standing=bool(standing_topics(text)))


async def find_outdated(planned: Sequence[Memory], stored: Sequence[Memory]) -> list[Outdated]:
    """Find what the planned or the stored memories state and a newer one makes untrue, oldest first.

    Facts do not supersede facts here, and stored memories do not supersede each other.
    """
    ids = {memory.id for memory in planned}
    comparable = [memory for memory in (*planned, *stored) if _is_comparable(memory)]
    found = []
    for number, old in enumerate(sorted(comparable, key=last_stated)):
        if number % YIELD_INTERVAL == YIELD_INTERVAL - 1:
            await yield_to_loop()
        successors = comparable if old.id in ids else [memory for memory in planned if _is_comparable(memory)]
        for new in sorted(successors, key=last_stated):
            if statements := _outdated_statements(old, new):
                found += [Outdated(old, statement, new) for statement in statements]
                break
    return found


def _is_comparable(memory: Memory) -> bool:
    """Check whether a memory states what the user said: a fact, or an episode in the user's own words."""
    quotes = [source.quote for source in memory.sources]
    is_own = memory.kind == "episodic" and is_quoted(split_date_note(memory.text)[0], quotes)
    return bool(memory.sources) and (memory.kind == "user" or is_own)


def _outdated_statements(old: Memory, new: Memory) -> list[str]:
    are_facts = old.kind == new.kind == "user"
    have_same_source = not _messages(old).isdisjoint(_messages(new))
    if are_facts or have_same_source or last_stated(new) <= last_stated(old):
        return []
    latest: Source = new.sources[-1]
    for wording in dict.fromkeys((new.text, latest.quote)):
        if found := contradicted_statements(wording, old.text, stated_at=latest.ts):
            return found
    return []


def _messages(memory: Memory) -> set[str]:
    return {source.message for source in memory.sources}
