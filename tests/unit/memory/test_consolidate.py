"""Consolidation without a store: replacement, confirmation, eviction and effective confidence."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agent.memory.formation.admission import Candidate
from agent.memory.formation.consolidate import Consolidation, RetiredFacts
from agent.memory.records.documents import effective_confidence
from agent.timestamps import parse_timestamp
from agent.types import Memory, MemoryId, Source
from support.formation import START, timestamp_at


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


def _consolidate(known: dict[MemoryId, Memory], retired: RetiredFacts, *candidates: Candidate) -> Consolidation:
    facts = Consolidation(known, retired)
    for candidate in candidates:
        facts.add(candidate)
    return facts


def _texts(facts: Consolidation) -> list[str]:
    return sorted(memory.text for memory in facts.facts.values())


def test_a_candidate_can_confirm_one_fact_and_replace_another() -> None:
    oslo, bergen = _memory("Lives in Oslo"), _memory("Lives in Bergen", minute=1)
    candidate = Candidate(_memory("lives in bergen", minute=2), replaces=oslo.id)
    facts = _consolidate(_known(oslo, bergen), RetiredFacts(), candidate)
    assert _texts(facts) == ["Lives in Bergen"]
    assert facts.facts[bergen.id].confirmed == 2
    assert [(change.old, change.successor.id) for change in facts.replacements] == [(oslo, bergen.id)]
    assert (facts.added, facts.replaced, facts.confirmed) == (0, 1, 0)


def test_a_fact_named_as_both_the_same_and_replaced_is_replaced() -> None:
    oslo = _memory("Lives in Oslo")
    new = Candidate(_memory("Lives in Bergen", minute=1), same_as=oslo.id, replaces=oslo.id)
    assert _texts(_consolidate(_known(oslo), RetiredFacts(), new)) == ["Lives in Bergen"]


def test_a_fact_with_the_same_text_is_confirmed_even_if_it_is_named_as_replaced() -> None:
    oslo = _memory("Lives in Oslo")
    facts = _consolidate(_known(oslo), RetiredFacts(), Candidate(_memory("lives in Oslo.", minute=1), replaces=oslo.id))
    assert (facts.confirmed, facts.replaced, facts.replacements) == (1, 0, [])


def test_corrections_within_a_batch_replace_one_after_the_other() -> None:
    oslo = _memory("Lives in Oslo")
    rome, bergen = _memory("Lives in Rome", minute=1), _memory("Lives in Bergen", minute=2)
    facts = _consolidate(
        _known(oslo), RetiredFacts(), Candidate(rome, replaces=oslo.id), Candidate(bergen, replaces=oslo.id)
    )
    assert _texts(facts) == ["Lives in Bergen"]
    assert [(change.old, change.successor.id) for change in facts.replacements] == [(oslo, rome.id), (rome, bergen.id)]


def test_contradictory_facts_of_one_message_are_both_kept() -> None:
    homes = [Candidate(_memory(f"Lives in {town}", minute=1)) for town in ("Oslo", "Rome")]
    assert _texts(_consolidate({}, RetiredFacts(), *homes)) == ["Lives in Oslo", "Lives in Rome"]


@pytest.mark.parametrize(("minute", "texts"), [(4, []), (5, []), (6, ["Lives in Oslo"])])
def test_an_earlier_message_does_not_restore_a_retired_fact(minute: float, texts: list[str]) -> None:
    retired = RetiredFacts(outdated_until={"lives in oslo": parse_timestamp(timestamp_at(5))})
    facts = _consolidate({}, retired, Candidate(_memory("Lives in Oslo", minute=minute)))
    assert _texts(facts) == texts
    assert facts.rejected == ({} if texts else {"outdated": 1})


def test_a_forgotten_fact_is_restored_neither_by_its_text_nor_by_its_number() -> None:
    retired = RetiredFacts(forgotten={"lives in oslo", "gone"})
    same = Candidate(_memory("Has a home in Oslo"), same_as=MemoryId("gone"))
    new = Candidate(_memory("Lives in Bergen"), replaces=MemoryId("gone"))
    facts = _consolidate({}, retired, Candidate(_memory("Lives in Oslo")), same, new)
    assert _texts(facts) == ["Lives in Bergen"]
    assert facts.rejected == {"forgotten": 2}


def test_facts_are_evicted_by_effective_confidence_then_by_age() -> None:
    now = START + timedelta(weeks=20)
    stale, fresh = _memory("Stale", confidence=0.95), _memory("Fresh", minute=60 * 24 * 7 * 19, confidence=0.8)
    older, newer = _memory("Older", minute=-2, confidence=0.9), _memory("Newer", minute=-1, confidence=0.9)
    facts = Consolidation(_known(fresh, newer, stale, older), RetiredFacts())
    facts.evict(1, now)
    assert [memory.text for memory in facts.evicted] == ["Older", "Newer", "Stale"]


def test_a_message_can_replace_a_fact_that_it_also_confirmed() -> None:
    oslo = _memory("Lives in Oslo")
    again = Candidate(_memory("lives in Oslo", minute=5))
    moved = Candidate(_memory("Lives in Bergen", minute=5), replaces=oslo.id)
    facts = _consolidate(_known(oslo), RetiredFacts(), again, moved)
    assert _texts(facts) == ["Lives in Bergen"]
    assert (facts.confirmed, facts.replaced, facts.rejected) == (1, 1, {})


@pytest.mark.parametrize(("minute", "texts"), [(4, ["Lives in Oslo"]), (5, ["Lives in Rome"]), (6, ["Lives in Rome"])])
def test_an_older_statement_does_not_replace_a_newer_one(minute: float, texts: list[str]) -> None:
    oslo = _memory("Lives in Oslo", minute=5)
    facts = _consolidate(
        _known(oslo), RetiredFacts(), Candidate(_memory("Lives in Rome", minute=minute), replaces=oslo.id)
    )
    assert _texts(facts) == texts


def test_a_confirmation_makes_a_fact_newer() -> None:
    oslo = _memory("Lives in Oslo")
    confirmed = Candidate(_memory("lives in oslo", minute=10))
    late = Candidate(_memory("Lives in Rome", minute=5), replaces=oslo.id)
    facts = _consolidate(_known(oslo), RetiredFacts(), confirmed, late)
    assert _texts(facts) == ["Lives in Oslo"]
    assert facts.rejected == {"outdated": 1}


def test_a_confirmation_by_an_older_message_adds_a_source_but_does_not_make_the_fact_older() -> None:
    oslo = _memory("Lives in Oslo", minute=5)
    facts = _consolidate(_known(oslo), RetiredFacts(), Candidate(_memory("lives in oslo", minute=1)))
    assert facts.facts[oslo.id].last_seen == timestamp_at(5)
    assert [source.ts for source in facts.facts[oslo.id].sources] == [timestamp_at(5), timestamp_at(1)]
    assert (facts.facts[oslo.id].confirmed, facts.facts[oslo.id].ts) == (2, oslo.ts)


def test_a_message_confirms_a_fact_once() -> None:
    oslo = _memory("Lives in Oslo")
    again, other = Candidate(_memory("lives in oslo", minute=1)), Candidate(_memory("lives in oslo", minute=2))
    facts = _consolidate(_known(oslo), RetiredFacts(), again, other, again)
    assert (facts.facts[oslo.id].confirmed, facts.confirmed, len(facts.facts[oslo.id].sources)) == (3, 2, 3)


def test_processing_a_message_again_changes_nothing() -> None:
    oslo = _memory("Lives in Oslo")
    facts = _consolidate(_known(oslo), RetiredFacts(), Candidate(oslo))
    assert (facts.facts, facts.written) == (_known(oslo), set())
    assert (facts.added, facts.confirmed, facts.replaced) == (0, 0, 0)


def test_equal_text_takes_precedence_over_the_number_of_another_fact() -> None:
    oslo, violin = _memory("Lives in Oslo"), _memory("Plays the violin")
    same = Candidate(_memory("lives in oslo", minute=1), same_as=violin.id)
    facts = _consolidate(_known(oslo, violin), RetiredFacts(), same)
    assert [facts.facts[memory.id].confirmed for memory in (oslo, violin)] == [2, 1]


def test_a_known_fact_is_replaced_without_its_number_only_if_the_candidate_contradicts_it_by_its_form() -> None:
    oslo, tea = _memory("Lives in Oslo"), _memory("Likes tea")
    bergen, coffee = Candidate(_memory("Lives in Bergen", minute=1)), Candidate(_memory("Likes coffee", minute=1))
    facts = _consolidate(_known(oslo, tea), RetiredFacts(), bergen, coffee)
    assert _texts(facts) == ["Likes coffee", "Likes tea", "Lives in Bergen"]
    assert (facts.added, facts.replaced) == (1, 1)


def test_a_candidate_that_replaces_a_known_fact_and_corrects_a_new_one_counts_as_one_replacement() -> None:
    oslo = _memory("Lives in Oslo")
    rome, bergen = (Candidate(_memory(f"Lives in {town}", minute=n)) for n, town in enumerate(("Rome", "Bergen"), 1))
    violin = _memory("Plays the violin")
    bergen = Candidate(bergen.memory, replaces=violin.id)
    facts = _consolidate(_known(oslo, violin), RetiredFacts(), rome, bergen)
    assert _texts(facts) == ["Lives in Bergen"]
    assert (facts.added, facts.replaced) == (0, 2)
    assert {(change.old.text, change.message) for change in facts.replacements} == {
        ("Lives in Oslo", "message 1"),
        ("Plays the violin", "message 2"),
        ("Lives in Rome", "message 2"),
    }


def test_a_candidate_that_contradicts_a_newer_fact_changes_nothing() -> None:
    oslo, rome = _memory("Lives in Oslo"), _memory("Lives in Rome", minute=3)
    late = Candidate(_memory("Lives in Bergen", minute=2), replaces=oslo.id)
    facts = _consolidate(_known(oslo), RetiredFacts(), Candidate(rome), late)
    assert _texts(facts) == ["Lives in Rome"]
    assert facts.rejected == {"outdated": 1}


def test_a_known_fact_can_be_confirmed_although_an_earlier_version_was_retired() -> None:
    oslo = _memory("Lives in Oslo", minute=6)
    retired = RetiredFacts(outdated_until={"lives in oslo": parse_timestamp(timestamp_at(5))})
    facts = _consolidate(_known(oslo), retired, Candidate(_memory("lives in oslo", minute=4)))
    assert (facts.confirmed, facts.rejected) == (1, {})


@pytest.mark.parametrize(("max_facts", "left"), [(0, 0), (2, 2), (3, 3), (4, 3), (100, 3)])
def test_facts_are_evicted_only_above_the_limit(max_facts: int, left: int) -> None:
    facts = Consolidation(_known(*(_memory("Fact", minute=n) for n in range(3))), RetiredFacts())
    facts.evict(max_facts, START)
    assert (len(facts.facts), len(facts.evicted)) == (left, 3 - left)


def test_facts_of_the_batch_stay_until_the_next() -> None:
    sure = _memory("Sure", confidence=1.0)
    confirmed = _memory("Confirmed", confidence=0.7)
    new = [Candidate(_memory(f"New {n}", minute=n, confidence=0.7 + n / 100)) for n in (2, 1)]
    facts = _consolidate(_known(sure, confirmed), RetiredFacts(), *new, Candidate(_memory("confirmed", minute=9)))
    facts.evict(1, START + timedelta(minutes=10))
    assert [memory.text for memory in facts.evicted] == ["Sure"]
    following = Consolidation(facts.facts, RetiredFacts())
    following.evict(1, START + timedelta(minutes=20))
    assert _texts(following) == ["New 2"]


def test_facts_that_matter_for_every_message_are_never_evicted() -> None:
    always = [
        replace(_memory("Is allergic to nuts", confidence=0.7), standing=True),
        replace(_memory("Likes tea", confidence=0.7), pinned=True),
        replace(_memory("Wants short answers", confidence=0.7), kind="procedural"),
    ]
    facts = Consolidation(_known(*always, _memory("Has a cat", confidence=1.0)), RetiredFacts())
    facts.evict(2, START)
    assert [memory.text for memory in facts.evicted] == ["Has a cat"]
    assert len(facts.facts) == len(always)


@pytest.mark.parametrize(("weeks", "left"), [(0, 0.9), (1, 0.89), (10, 0.8), (90, 0.0), (1_000, 0.0), (-5, 0.9)])
def test_confidence_decays_by_one_hundredth_per_week(weeks: int, left: float) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    assert effective_confidence(0.9, (now - timedelta(weeks=weeks)).isoformat(), now) == pytest.approx(left)


@pytest.mark.parametrize("unknown", ["", "yesterday"])
def test_confidence_does_not_decay_if_the_timestamp_is_invalid(unknown: str) -> None:
    assert effective_confidence(0.9, unknown, datetime.now(UTC)) == 0.9


def test_timestamps_compare_across_time_zones() -> None:
    same = ("2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00Z", "2026-05-01T10:00:00")
    assert len({parse_timestamp(text) for text in same}) == 1


def test_a_fact_with_another_wording_confirms_the_one_that_it_is_said_to_repeat() -> None:
    oslo = _memory("Lives in Oslo")
    facts = _consolidate(_known(oslo), RetiredFacts(), Candidate(_memory("Oslo is home", minute=1), same_as=oslo.id))
    assert (_texts(facts), facts.confirmed, facts.facts[oslo.id].confirmed) == (["Lives in Oslo"], 1, 2)


def test_the_users_words_replace_what_an_application_reported() -> None:
    reported = replace(_memory("Lives in Oslo"), reported_by="CRM")
    new = Candidate(_memory("Oslo is home", minute=1), same_as=reported.id)
    facts = _consolidate(_known(reported), RetiredFacts(), new)
    assert (_texts(facts), facts.replaced) == (["Oslo is home"], 1)


@pytest.mark.parametrize("is_pinned", [False, True])
def test_the_successor_of_a_pinned_fact_is_pinned(*, is_pinned: bool) -> None:
    oslo = replace(_memory("Lives in Oslo"), pinned=is_pinned)
    bergen = _memory("Lives in Bergen", minute=1)
    facts = _consolidate(_known(oslo), RetiredFacts(), Candidate(bergen, replaces=oslo.id))
    assert facts.facts[bergen.id] == replace(bergen, pinned=is_pinned)
    assert [(one.successor.id, one.successor.text) for one in facts.replacements] == [(bergen.id, "Lives in Bergen")]


def test_a_fragment_that_names_two_values_corrects_the_fact_with_the_wrong_one() -> None:
    anna, hannah = _memory("Has a sister called Anna"), _memory("Has a sister called Hannah", minute=1)
    quoted = replace(hannah, sources=(replace(hannah.sources[0], quote="Hannah, not Anna"),))
    assert _texts(_consolidate(_known(anna), RetiredFacts(), Candidate(quoted))) == ["Has a sister called Hannah"]


def test_added_and_rejected_candidates_are_counted_and_kept() -> None:
    candidates = [Candidate(_memory(f"Likes {what}")) for what in ("tea", "jazz", "chess")]
    facts = _consolidate({}, RetiredFacts(forgotten={"likes jazz"}), *candidates)
    assert facts.added == 2
    assert facts.rejected_candidates == [(candidates[1], "forgotten")]


def test_a_doubtful_fact_is_evicted_before_an_older_one() -> None:
    older, doubtful = _memory("Older", minute=-9), _memory("Doubtful", confidence=0.7)
    facts = Consolidation(_known(older, doubtful), RetiredFacts())
    facts.evict(1, START)
    assert facts.evicted == [doubtful]
