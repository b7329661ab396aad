"""Keep a change together with the earlier statement that it most likely concerns.

Where it is certain that a newer statement makes an older one untrue, `supersession` retires the older one. Where it is
only likely ("My French has got rusty" after "I'm conversational in French"), one memory states both, in their order.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

from agent.background import yield_to_loop
from agent.language.dates.notes import split_date_note
from agent.language.parsing.openers import blank_openers
from agent.language.parsing.sentences import sentences
from agent.language.references.antecedents import (
    MAX_STATEMENT_CHARS,
    antecedent_in,
    contains_statement,
    is_corrected,
    with_statements,
    without_antecedent,
)
from agent.language.references.corrected_values import correct_value
from agent.language.references.references import Reference
from agent.language.references.relations import (
    loses_details,
    loses_person,
    shared_things,
    shared_with_fact,
    states_change,
)
from agent.language.removal.phrases import is_phrase
from agent.language.requests.sole_attributes import changed_attribute_kind, count_stated
from agent.language.revision.contradictions import contradicts
from agent.language.revision.departures import loses_company
from agent.language.revision.value_statements import has_marker
from agent.language.words.parts import begins_with_third_person
from agent.language.words.verbless import is_fragment
from agent.memory.formation.supersession import YIELD_INTERVAL, Outdated, is_comparable, messages_of, stated_text
from agent.memory.formation.user_words import as_said, own_words, spoken
from agent.memory.records.documents import last_stated
from agent.types import Memory, MemoryId

_UNTRUE = "untrue"
MAX_RELATED = 3
"""Messages; a thing that more of them name is what the user talks about, rather than one that changed."""


@dataclass(frozen=True, slots=True)
class Related:
    """An episode that states a change, after the statements that it concerns, and the memories that it repeats."""

    episode: Memory
    repeated: Sequence[Outdated]
    is_apart: bool = False
    """True if the episode no longer follows the statement of its conversation, because it concerns another one."""


def keep_details(outdated: Sequence[Outdated]) -> list[Related]:
    """Join outdated statements that say more than what their successor replaces.

    They name a person whom it does not name, or more about what is at another time, or it only gives another value. A
    successor that is outdated itself, as a whole, cannot keep them; the last one does.
    """
    successors = {one.memory.id: one.successor for one in outdated if one.statement == one.memory.text}
    losses: dict[MemoryId, list[Outdated]] = {}
    for one in outdated:
        last = _whole_if_corrected(replace(one, successor=_last_successor(one.successor, successors)))
        is_episode = last.successor.kind == "episodic" and not last.is_repeated
        if is_episode and _loses_more(last):
            losses.setdefault(last.successor.id, []).append(last)
    joined = (_join(ones[0].successor, [(one.memory, [_as_said(one)]) for one in ones]) for ones in losses.values())
    return [one for one in joined if one]


def _whole_if_corrected(one: Outdated) -> Outdated:
    """The whole memory instead of its outdated part, if its successor only gives another value for it."""
    is_whole = _is_corrected(one) or _refers_back(one.successor)
    return replace(one, statement=stated_text(one.memory)) if is_whole else one


def _refers_back(successor: Memory) -> bool:
    """Check whether a memory begins with a pronoun for what an earlier one states ("it meets on Wednesdays now")."""
    return not antecedent_in(successor.text) and begins_with_third_person(stated_text(successor))


def _is_corrected(one: Outdated) -> bool:
    """Check whether a memory's successor only gives another value for it."""
    return correct_value(own_words(one.memory), stated_text(one.successor)) is not None


def _last_successor(memory: Memory, successors: Mapping[MemoryId, Memory]) -> Memory:
    for _ in successors:
        memory = successors.get(memory.id, memory)
    return memory


def _loses_more(one: Outdated) -> bool:
    statement, successor = one.statement, one.successor.text
    if contains_statement(successor, split_date_note(statement)[0]):
        return False
    is_requested = has_marker(one.successor.sources[-1].quote)
    is_joined = not is_requested or is_corrected(with_statements([statement], successor))
    if is_joined and statement == stated_text(one.memory) and _is_corrected(one):
        return True
    if not is_requested and _refers_back(one.successor):
        return True
    is_loss = loses_person(statement, successor) or loses_company(statement, successor)
    return not is_requested and (is_loss or (not is_phrase(statement) and loses_details(statement, successor)))


def _as_said(outdated: Outdated) -> str:
    return spoken(outdated.memory) if outdated.memory.kind == "user" else outdated.statement


async def find_related(
    changes: Sequence[Memory],
    known: Sequence[Memory],
    separable: Set[MemoryId] = frozenset(),
    followed: Sequence[Memory] = (),
) -> list[Related]:
    """Join episodes in the user's own words that state a change with what they concern; leave out the others.

    Args:
        changes: the episodes.
        known: the memories that they may concern, among them memories of the same time or later.
        separable: the episodes that can be stored without the statement that they follow.
        followed: further memories that episodes may follow, because these state changes.
    """
    found: list[Related] = []
    current = {old.id: old for old in known}
    for new in sorted(filter(is_comparable, changes), key=last_stated):
        texts = list(filter(_is_change, dict.fromkeys((_own_change(new), spoken(new)))))
        earlier = [old for old in current.values() if _is_earlier(old, new)] if texts else []
        related = await _relate(new, texts, earlier, is_separable=new.id in separable)
        if related and has_marker(new.sources[-1].quote) and not is_corrected(related.episode.text):
            related = None  # a complete statement, of which it is not certain what it changes
        if related := related or _with_chain(new, (*current.values(), *followed)):
            found.append(related)
            current[new.id] = related.episode
            for one in related.repeated:
                current.pop(one.memory.id, None)
    return found


def _with_chain(new: Memory, earlier: Iterable[Memory]) -> Related | None:
    """Join an episode that follows the change in a memory with the statement that this change concerns.

    "knee surgery is on Tuesday → surgery moved to the 9th" and "surgery moved to the 9th → no, the 8th" become one.
    """
    followed = antecedent_in(new.text)
    for old in filter(is_comparable, earlier) if followed else ():
        said = as_said(old)
        before, change = antecedent_in(said), blank_openers(without_antecedent(said)).strip()
        is_same = bool(before) and contains_statement(followed, change) and last_stated(old) < last_stated(new)
        is_complete = is_same and contains_statement(followed, before)
        joined = Related(new, []) if is_complete else _join(new, [(old, [before])]) if is_same else None
        if joined:
            return replace(joined, repeated=[Outdated(old, stated_text(old), joined.episode, is_repeated=True)])
    return None


def with_related(outdated: Sequence[Outdated], related: Sequence[Related]) -> list[Outdated]:
    """The outdated memories after episodes were joined: with what these repeat now, without what they no longer do."""
    apart = {one.episode.id for one in related if one.is_apart}
    repeated = [one for each in related for one in each.repeated]
    replaced = {one.memory.id for one in repeated}
    successors = {one.memory.id: one.successor for one in repeated}
    kept = (
        one for one in outdated if one.memory.id not in replaced and not (one.is_repeated and one.successor.id in apart)
    )
    return [*(replace(one, successor=successors.get(one.successor.id, one.successor)) for one in kept), *repeated]


async def _relate(
    new: Memory, texts: Sequence[str], earlier: Sequence[Memory], *, is_separable: bool
) -> Related | None:
    """Join an episode with the earlier memories that the first of some texts of it concerns; None if none does."""
    for change in texts:
        is_apart = is_separable and change == _own_change(new)
        episode = replace(new, text=without_antecedent(new.text)) if is_apart else new
        nearest = await _nearest(change, earlier, new.sources[-1].ts)
        if nearest and (related := _join(episode, [(old, _concerned(change, old)) for old in nearest])):
            return replace(related, is_apart=is_apart)
    return None


def _is_change(text: str) -> bool:
    return 0 < len(text) <= MAX_STATEMENT_CHARS and bool(states_change(text) or changed_attribute_kind(text))


def _own_change(new: Memory) -> str:
    """The user's words without the statement of the same conversation that they follow; empty if they concern it."""
    own = without_antecedent(spoken(new))
    return "" if shared_things(own, antecedent_in(new.text)) else own


def _is_earlier(old: Memory, new: Memory) -> bool:
    is_other = messages_of(old).isdisjoint(messages_of(new)) and not _repeats(new, old)
    return is_comparable(old) and not old.reported_by and is_other and last_stated(old) < last_stated(new)


def _repeats(new: Memory, old: Memory) -> bool:
    """Check whether the statement that an episode follows is that of an earlier memory."""
    before = antecedent_in(new.text)
    return bool(before) and (contains_statement(before, spoken(old)) or contains_statement(spoken(old), before))


async def _nearest(change: str, earlier: Sequence[Memory], stated_at: str) -> list[Memory]:
    """The memories of the message that has most in common with a change.

    Of several, it is the one with another value of the same kind, or what the change names first.
    """
    shared: dict[MemoryId, Set[str]] = {}
    for number, old in enumerate(earlier):
        if number % YIELD_INTERVAL == YIELD_INTERVAL - 1:
            await yield_to_loop()
        shared[old.id] = _shared_things(change, old, stated_at)
    weights = _weights(earlier, shared)
    places = {old.id: _first_place(shared[old.id], change) for old in earlier}
    values = {old.id: Reference(change).has_other_value(stated_text(old)) for old in earlier if weights[old.id]}
    best = max(
        earlier,
        key=lambda old: (weights[old.id], values.get(old.id, False), -places[old.id], last_stated(old)),
        default=None,
    )
    if best is None or not weights[best.id]:
        return _sole(changed_attribute_kind(change), earlier)
    return [old for old in earlier if weights[old.id] and messages_of(old) & messages_of(best)]


def _sole(kind: str, earlier: Sequence[Memory]) -> list[Memory]:
    """The memories of the only thing of a kind that the user has; empty if there are several."""
    counts = {old.id: max(count_stated(kind, spoken(old)), count_stated(kind, old.text)) for old in earlier if kind}
    found = [old for old in earlier if counts.get(old.id)]
    messages = {frozenset(messages_of(old)) for old in found}
    return found if len(messages) == 1 and max(counts.values()) == 1 else []


def _first_place(things: Set[str], text: str) -> int:
    return min(map(text.casefold().find, things), default=0)


def _weights(memories: Sequence[Memory], shared: Mapping[MemoryId, Set[str]]) -> dict[MemoryId, float]:
    """How much each memory has in common with a change; what fewer messages name counts more."""
    named = {(thing, message) for old in memories for thing in shared[old.id] for message in messages_of(old)}
    count = Counter(thing for thing, _ in named)
    rare = {thing: 1 / number for thing, number in count.items() if number <= MAX_RELATED}
    return {old.id: sum(rare.get(thing, 0) for thing in shared[old.id]) for old in memories}


def _join(new: Memory, concerned: Sequence[tuple[Memory, Sequence[str]]]) -> Related | None:
    """The episode with the statements of earlier memories before its text; None if these are too long."""
    statements = [one for _, stated in concerned for one in stated] + [antecedent_in(new.text)]
    distinct = _without_parts(list(dict.fromkeys(filter(None, statements))))
    if sum(map(len, distinct)) > MAX_STATEMENT_CHARS:
        return None
    earlier = chain(*(old.sources for old, _ in concerned))
    sources = {source.message: source for source in (*earlier, *new.sources)}
    text = with_statements(distinct, without_antecedent(new.text))
    episode = replace(new, text=text, sources=tuple(sources.values()))
    # A fact is replaced as a whole, even if its message states more.
    parts = [(old, [stated_text(old)] if old.kind == "user" else stated) for old, stated in concerned]
    return Related(episode, [Outdated(old, one, episode, is_repeated=True) for old, stated in parts for one in stated])


def _concerned(change: str, old: Memory) -> Sequence[str]:
    """The sentences of a memory that a change concerns, in the user's words, with their date if these are all."""
    text = own_words(old)
    found = [] if antecedent_in(text) else [text[slice(*span)].strip() for span in sentences(text)]
    related: list[str] = []
    is_before = False
    for one in found:
        is_before = bool(shared_things(change, one)) or (is_before and is_fragment(one))
        related += [one] if is_before else []
    return related if related and len(related) < len(found) else [text if old.kind == "user" else old.text]


def _shared_things(change: str, old: Memory, stated_at: str) -> Set[str]:
    """What a change has in common with a memory, or that it makes this untrue, but no part that can be removed."""
    is_fact = old.kind == "user"
    shared = shared_with_fact(change, spoken(old), old.text) if is_fact else shared_things(change, stated_text(old))
    return shared or (frozenset({_UNTRUE}) if contradicts(change, stated_text(old), stated_at=stated_at) else shared)


def _without_parts(statements: Sequence[str]) -> list[str]:
    """The statements without those that others contain."""
    found: list[str] = []
    for statement in sorted(statements, key=len, reverse=True):
        if not any(contains_statement(other, statement) for other in found):
            found.append(statement)
    return [one for one in statements if one in found]
