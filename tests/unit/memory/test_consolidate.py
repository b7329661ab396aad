"""What new facts do to known ones, without a store: single values, what is past, and how sure a memory still is."""

from datetime import UTC, datetime, timedelta

import pytest

from agent.language.contradictions import supersedes
from agent.memory.formation.admission import Candidate
from agent.memory.formation.consolidate import Consolidation, RetiredFacts
from agent.memory.records.confidence import effective_confidence
from agent.timestamps import parse_timestamp
from agent.types import Memory, MemoryId, Source
from support.formation import START, timestamp_at

SAID = "2026-11-05T10:00:00+00:00"


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(new.strip(), old.strip()) for new, _, old in (line.partition("|") for line in text.strip().splitlines())]


@pytest.mark.parametrize(
    ("text", "known"),
    _pairs("""
        Moved to Paris | Lives in Oslo
        Moved to Paris in March 2026, after three years in Oslo | Lives in Oslo
        Moved back to Oslo | Lives in Paris
        Moved to the UK | Lives in Oslo
        Moved to Germany | Lives in Oslo
        Lives in Bergen | Lives in Oslo
        Lives in Bergen with Eva | Moved to Paris
        Lives in San Francisco | Lives in New York
        Wants to be called Bob instead | Wants to be called RS
        Is 35 years old | Is 34 years old
        Timezone is CET | Timezone is PST
        New employer is Acme | Employer is Globex
        Pronouns are they/them | Pronouns are she/her
        No longer lives in Rome | Lives in Rome
        Lives in Rome | No longer lives in Rome
        Does not like olives | Likes olives
        Does not eat meat anymore | Eats meat
        Likes olives | Does not like olives
        Does not study physics | Studies physics
    """),
)
def test_what_has_one_value_at_a_time_is_superseded(text: str, known: str) -> None:
    assert supersedes(text, known, stated_at=SAID)


@pytest.mark.parametrize(
    ("text", "known"),
    _pairs("""
        Brother lives in Paris | Lives in Oslo
        Lives in Norway | Lives in Oslo
        Lives in Oslo | Lives in Norway
        Lives in Oslo | Lives in Oslo
        Lives in Oslo, Norway | Lives in Oslo
        Lives in New York | Lives in New York City
        Lives in a flat | Lives in Oslo
        Lives in Oslo and Paris | Lives in Oslo
        Lives in Paris on weekends | Lives in Oslo
        Lives in Paris in summer | Lives in Oslo
        Usually lives in Paris | Lives in Oslo
        Used to live in Rome | Lives in Oslo
        Was born in Rome | Lives in Oslo
        Is from Paris | Lives in Oslo
        Moved to Linux | Lives in Oslo
        Moved to Google last year | Lives in Oslo
        Moved to a new team | Lives in Oslo
        Moved in with Anna | Lives in Oslo
        Moved from Paris | Lives in Paris
        Moved to Paris in 2010 | Lives in Oslo
        Moved to Paris as a child | Lives in Oslo
        Likes tea | Likes coffee
        Works as a nurse | Works as a teacher
        Name is Bob | Name is Anna
        Is called Al | Wants to be called RS
        Wants to be called Bob at work and Al at home | Wants to be called RS
        Employer is bankrupt | Employer is Acme
        Favourite band is on tour | Favourite band is Blur
        Does not like olives | Likes tea
        Has a dog | Has a cat
    """),
)
def test_what_may_both_be_true_is_not_superseded(text: str, known: str) -> None:
    assert not supersedes(text, known, stated_at=SAID)


def _memory(text: str, *, minute: float = 0.0, confidence: float = 0.9) -> Memory:
    source = Source("garden", f"message {minute}", text, timestamp_at(minute))
    return Memory(
        MemoryId(f"{text} {minute}"),
        "user",
        text,
        timestamp_at(minute),
        "garden",
        "personal",
        confidence,
        (source,),
        1,
        timestamp_at(minute),
    )


def _known(*memories: Memory) -> dict[MemoryId, Memory]:
    return {memory.id: memory for memory in memories}


def _taken(known: dict[MemoryId, Memory], past: RetiredFacts, *candidates: Candidate) -> Consolidation:
    facts = Consolidation(known, past)
    for candidate in candidates:
        facts.add(candidate)
    return facts


def _texts(facts: Consolidation) -> list[str]:
    return sorted(memory.text for memory in facts.facts.values())


def test_who_confirms_one_memory_and_replaces_another_does_both() -> None:
    oslo, bergen = _memory("Lives in Oslo"), _memory("Lives in Bergen", minute=1)
    candidate = Candidate(_memory("lives in bergen", minute=2), replaces=oslo.id)
    facts = _taken(_known(oslo, bergen), RetiredFacts(), candidate)
    assert _texts(facts) == ["Lives in Bergen"]
    assert facts.facts[bergen.id].confirmed == 2
    assert [(change.old, change.successor) for change in facts.replacements] == [(oslo, bergen.id)]
    assert (facts.added, facts.replaced, facts.confirmed) == (0, 1, 0)


def test_a_memory_that_is_said_to_be_the_same_and_replaced_is_replaced() -> None:
    oslo = _memory("Lives in Oslo")
    new = Candidate(_memory("Lives in Bergen", minute=1), same_as=oslo.id, replaces=oslo.id)
    assert _texts(_taken(_known(oslo), RetiredFacts(), new)) == ["Lives in Bergen"]


def test_a_memory_is_not_replaced_by_its_own_words() -> None:
    oslo = _memory("Lives in Oslo")
    facts = _taken(_known(oslo), RetiredFacts(), Candidate(_memory("lives in Oslo.", minute=1), replaces=oslo.id))
    assert (facts.confirmed, facts.replaced, facts.replacements) == (1, 0, [])


def test_what_was_corrected_within_a_batch_replaces_by_and_by() -> None:
    oslo = _memory("Lives in Oslo")
    rome, bergen = _memory("Lives in Rome", minute=1), _memory("Lives in Bergen", minute=2)
    facts = _taken(_known(oslo), RetiredFacts(), Candidate(rome, replaces=oslo.id), Candidate(bergen, replaces=oslo.id))
    assert _texts(facts) == ["Lives in Bergen"]
    assert [(change.old, change.successor) for change in facts.replacements] == [(oslo, rome.id), (rome, bergen.id)]


def test_two_homes_in_one_message_are_both_kept() -> None:
    homes = [Candidate(_memory(f"Lives in {town}", minute=1)) for town in ("Oslo", "Rome")]
    assert _texts(_taken({}, RetiredFacts(), *homes)) == ["Lives in Oslo", "Lives in Rome"]


@pytest.mark.parametrize(("minute", "texts"), [(4, []), (5, []), (6, ["Lives in Oslo"])])
def test_what_is_settled_is_not_said_again_by_older_messages(minute: float, texts: list[str]) -> None:
    past = RetiredFacts(outdated_until={"lives in oslo": parse_timestamp(timestamp_at(5))})
    facts = _taken({}, past, Candidate(_memory("Lives in Oslo", minute=minute)))
    assert _texts(facts) == texts
    assert facts.rejected == ({} if texts else {"outdated": 1})


def test_what_was_forgotten_meanwhile_comes_back_neither_by_words_nor_by_number() -> None:
    past = RetiredFacts(forgotten={"lives in oslo", "gone"})
    same = Candidate(_memory("Has a home in Oslo"), same_as=MemoryId("gone"))
    new = Candidate(_memory("Lives in Bergen"), replaces=MemoryId("gone"))
    facts = _taken({}, past, Candidate(_memory("Lives in Oslo")), same, new)
    assert _texts(facts) == ["Lives in Bergen"]
    assert facts.rejected == {"forgotten": 2}


def test_the_least_sure_by_now_goes_first_then_the_oldest() -> None:
    now = START + timedelta(weeks=20)
    stale, fresh = _memory("Stale", confidence=0.95), _memory("Fresh", minute=60 * 24 * 7 * 19, confidence=0.8)
    older, newer = _memory("Older", minute=-2, confidence=0.9), _memory("Newer", minute=-1, confidence=0.9)
    facts = Consolidation(_known(fresh, newer, stale, older), RetiredFacts())
    facts.evict(1, now)
    assert [memory.text for memory in facts.evicted] == ["Older", "Newer", "Stale"]


@pytest.mark.parametrize(("weeks", "left"), [(0, 0.9), (1, 0.89), (10, 0.8), (90, 0.0), (1_000, 0.0), (-5, 0.9)])
def test_confidence_fades_by_a_hundredth_a_week(weeks: int, left: float) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    assert effective_confidence(0.9, (now - timedelta(weeks=weeks)).isoformat(), now) == pytest.approx(left)


@pytest.mark.parametrize("unknown", ["", "yesterday"])
def test_a_moment_that_cannot_be_read_takes_no_confidence_away(unknown: str) -> None:
    assert effective_confidence(0.9, unknown, datetime.now(UTC)) == 0.9


def test_timestamps_compare_across_time_zones() -> None:
    same = ("2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00Z", "2026-05-01T10:00:00")
    assert len({parse_timestamp(text) for text in same}) == 1
