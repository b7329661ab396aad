"""Find the statements of facts and of episodes in the user's own words that newer memories make untrue."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.background import yield_to_loop
from agent.language.authorship.role_play import enters_role
from agent.language.dates.notes import split_date_note
from agent.language.facts.standing import SAFETY_TOPICS, standing_topic, standing_topics
from agent.language.grounding.checks import normalise
from agent.language.parsing.sentences import sentences
from agent.language.references.antecedents import (
    antecedent_in,
    contains_statement,
    is_concerned,
    is_corrected,
    without_antecedent,
)
from agent.language.references.corrected_values import is_own_text
from agent.language.removal.extent import contradicted_statements
from agent.language.removal.phrases import is_phrase
from agent.language.removal.redaction import Redaction
from agent.language.words.possession import belongs_to_other
from agent.memory.records.documents import derived_id, last_stated
from agent.memory.records.history import Retirement
from agent.memory.records.inbox import InboxItem
from agent.types import Memory, MemoryId, Source, UserId

YIELD_INTERVAL = 50  # memories compared between two yields to the event loop


@dataclass(frozen=True, slots=True)
class Outdated:
    """A statement of a memory, and the newer memory that supersedes it."""

    memory: Memory
    statement: str
    successor: Memory
    is_repeated: bool = False
    """True if the newer memory only repeats the statement, which therefore remains true."""

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
        return Redaction.exact(self.statement, self.successor.text, messages)

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
    comparable = [memory for memory in (*planned, *stored) if is_comparable(memory)]
    found = []
    for number, old in enumerate(sorted(comparable, key=last_stated)):
        if number % YIELD_INTERVAL == YIELD_INTERVAL - 1:
            await yield_to_loop()
        successors = comparable if old.id in ids else [memory for memory in planned if is_comparable(memory)]
        for new in sorted(successors, key=last_stated):
            if statements := _outdated_statements(old, new):
                found += [Outdated(old, statement, new) for statement in statements]
                break
    return found


def find_followed(items: Sequence[InboxItem], planned: Sequence[Memory], known: Sequence[Memory]) -> list[Outdated]:
    """Find the memories that planned ones repeat, word for word or because their items refer to them."""
    found = _find_repeated(planned, known)
    for item in (one for one in items if one.follows):
        own = [one for one in planned if item.message in messages_of(one)]
        followed = _followed(item, known, own) if own else []
        is_repeated = not is_corrected(item.text)
        found += [Outdated(old, stated_text(old), own[0], is_repeated) for old in followed]
        if own and _replaces_facts(item, own):
            partly = (one for one in known if one not in followed and one.kind == "episodic")
            parts = ((old, part) for old in partly for part in _corrected_sentences(item, old))
            found += [Outdated(old, part, own[0], is_repeated) for old, part in parts]
    return found


def with_followed(followed: Sequence[Outdated], outdated: Sequence[Outdated]) -> list[Outdated]:
    """Join both lists; where the successor is repeated by an episode that follows it, that episode takes its place."""
    repeating = {one.memory.id: one.successor for one in followed if one.is_repeated}
    return [*followed, *(replace(one, successor=repeating.get(one.successor.id, one.successor)) for one in outdated)]


def separable(outdated: Sequence[Outdated]) -> set[MemoryId]:
    """The episodes that can be stored without the statement that they follow, because it is a memory of its own."""
    pairs = ((antecedent_in(one.successor.text), one) for one in outdated if one.is_repeated)
    return {one.successor.id for before, one in pairs if before and _states(one.memory, before)}


def _find_repeated(planned: Sequence[Memory], known: Sequence[Memory]) -> list[Outdated]:
    episodes = [one for one in planned if one.kind == "episodic" and is_comparable(one)]
    newest = {normalise(one.text): one for one in sorted(episodes, key=last_stated)}
    pairs = ((old, newest.get(normalise(old.text))) for old in known if old.kind == "episodic" and is_comparable(old))
    repeated = ((old, new) for old, new in pairs if new and last_stated(old) < last_stated(new))
    return [Outdated(old, stated_text(old), new, is_repeated=True) for old, new in repeated]


def _corrected_sentences(item: InboxItem, episode: Memory) -> list[str]:
    """The sentences of an episode that a message corrects, if it has others."""
    if not episode.sources or not messages_of(episode) <= set(item.follows):
        return []
    text, antecedent = stated_text(episode), antecedent_in(item.text)
    found = [text[slice(*span)].strip() for span in sentences(text)]
    return [one for one in found if any(map(str.isalnum, one)) and contains_statement(antecedent, one)]


def _followed(item: InboxItem, known: Sequence[Memory], own: Sequence[Memory]) -> list[Memory]:
    """The facts that an item corrects, and the episodes that its own episode repeats."""
    followed = set(item.follows)
    stated = [one for one in known if one.sources and messages_of(one) <= followed and _is_part(one, item.text)]
    is_replaced = _replaces_facts(item, own)
    facts = [one for one in stated if one.kind == "user" and is_replaced]
    concerned = [one for one in facts if is_concerned(item.own_text, one.text)]
    possible = [one for one in facts if len(facts) == 1 or standing_topic(one.text) not in SAFETY_TOPICS]
    is_repeated = is_replaced or _contain_statement(own, item)
    return [*(concerned or possible), *(one for one in stated if one.kind == "episodic" and is_repeated)]


def _replaces_facts(item: InboxItem, own: Sequence[Memory]) -> bool:
    """Check whether the memories of an item replace facts: it corrects these, or may do so and they are contained."""
    return item.corrects and (is_corrected(item.text) or _contain_statement(own, item))


def _contain_statement(own: Sequence[Memory], item: InboxItem) -> bool:
    """Check whether one of an item's memories contains the statement that it refers to."""
    statement = antecedent_in(item.text)
    return any(one.kind == "episodic" and contains_statement(one.text, statement) for one in own)


def _states(memory: Memory, statement: str) -> bool:
    return any(contains_statement(one, statement) for one in (memory.text, memory.sources[-1].quote))


def _is_part(memory: Memory, text: str) -> bool:
    return any(contains_statement(text, one) for one in (stated_text(memory), memory.sources[-1].quote))


def stated_text(memory: Memory) -> str:
    """The text of a memory without its date note."""
    return split_date_note(memory.text)[0]


def is_comparable(memory: Memory) -> bool:
    """Check whether a memory states what the user said: a fact, or an episode in the user's own words, in no role."""
    if enters_role(antecedent_in(memory.text)):
        return False
    quotes = [source.quote for source in memory.sources]
    is_own = memory.kind == "episodic" and is_own_text(without_antecedent(stated_text(memory)), quotes)
    return bool(memory.sources) and (memory.kind == "user" or is_own)


def _outdated_statements(old: Memory, new: Memory) -> list[str]:
    are_facts = old.kind == new.kind == "user"
    have_same_source = not messages_of(old).isdisjoint(messages_of(new))
    if are_facts or have_same_source or last_stated(new) <= last_stated(old):
        return []
    return _outdated_parts(old, new)


def redaction_of_fact(old: Memory, successor: Memory) -> Redaction:
    """Remove a fact that is replaced; only the part of it that its successor makes untrue, if it has another one."""
    messages = messages_of(old)
    quotes = [source.quote for source in old.sources]
    statements = _outdated_parts(old, successor)
    outdated = statements[0] if len(statements) == 1 else old.text
    if outdated != old.text and is_phrase(outdated):
        return Redaction.exact(outdated, successor.text, messages)
    redaction = Redaction.outdated(outdated, successor.text, quotes=quotes, messages=messages)
    return replace(redaction, is_exact=outdated != old.text)


def _outdated_parts(old: Memory, new: Memory) -> list[str]:
    """The statements of a memory that another one makes untrue by its text, or else by the user's words for it."""
    latest: Source = new.sources[-1]
    if belongs_to_other(latest.quote, stated_text(old)):  # a fact has no word for its owner
        return []
    for wording in dict.fromkeys((without_antecedent(new.text), latest.quote)):
        if found := contradicted_statements(wording, old.text, stated_at=latest.ts):
            return found
    return []


def messages_of(memory: Memory) -> set[str]:
    """The ids of the messages that a memory comes from."""
    return {source.message for source in memory.sources}
