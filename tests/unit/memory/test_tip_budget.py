"""The budget of a tip: its parts contain as many whole lines as fit, the most important first."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.memory.recall.tip import (
    HEADER,
    MAX_STANDING_SHARE,
    NO_ROOM,
    NO_STANDING_PART,
    RECALLED_HEADER,
    StandingPart,
    TipBudget,
    write_tip,
)
from agent.prompt_text import neutralise
from agent.types import HitKind, RecallResult
from support.tips import LARGE_BUDGET, WORDS, bullets, hit_texts, make_hit, make_hits, recalled, standing

KINDS: tuple[HitKind, ...] = ("profile", "user", "procedural", "episodic", "inbox")


def test_the_standing_part_leaves_room_for_later_messages() -> None:
    facts = [f"Fact {n:02} {WORDS}".strip() for n in range(50)]
    tip = write_tip(standing(*facts), TipBudget())
    maximum, line = int(MAX_STANDING_SHARE * 900), len(f"\n- {facts[0]}")
    assert maximum - line < len(tip.standing["text"]) <= maximum
    assert tip.chars > 900 - len(RECALLED_HEADER) - line
    shown = facts[: len(tip.memories)]
    assert hit_texts(tip.memories) == shown
    assert bullets(tip.standing["text"]) + bullets(tip.recalled) == [f"- {fact}" for fact in shown]


def test_many_standing_memories_leave_room_for_those_of_the_first_message() -> None:
    facts, hits = ([f"{name} {n:02} {WORDS}".strip() for n in range(50)] for name in ("Fact", "Memory"))
    tip = write_tip(RecallResult(make_hits(facts), make_hits(hits)), TipBudget())
    shown = hit_texts(tip.memories)
    assert set(facts[:3]) <= set(shown)
    assert set(hits[:3]) <= set(shown)


def test_few_memories_of_the_first_message_join_the_standing_part() -> None:
    tip = write_tip(RecallResult(make_hits(["Is vegan"]), make_hits(["Plays chess", "Has a cat"])), TipBudget())
    assert bullets(tip.standing["text"]) == ["- Is vegan", "- Plays chess", "- Has a cat"]
    assert tip.recalled == ""


def test_memories_of_the_first_message_stay_together() -> None:
    tip = write_tip(recalled("Plays chess", "word " * 170), TipBudget())
    assert (tip.standing, hit_texts(tip.hits)) == (NO_STANDING_PART, ["Plays chess"])


def test_pinned_memories_may_take_half_of_the_budget_from_those_of_the_first_message() -> None:
    facts, hits = ([f"{name} {n:02} {WORDS}".strip() for n in range(50)] for name in ("Fact", "Memory"))
    pinned = RecallResult(tuple(make_hit(text, pinned=True) for text in facts), make_hits(hits))
    tip = write_tip(pinned, TipBudget())
    assert 450 - len(f"\n- {facts[0]}") < len(tip.standing["text"]) <= 450
    assert tip.hits


@pytest.mark.parametrize("standing_texts", [(), ("Is vegan",)])
def test_many_memories_of_the_first_message_leave_room_for_those_of_the_next(standing_texts: tuple[str, ...]) -> None:
    first, second = ([f"{name} {n} {WORDS}" for n in range(20)] for name in ("First", "Second"))
    tip = write_tip(RecallResult(make_hits(standing_texts), make_hits(first)), TipBudget())
    assert hit_texts(tip.standing["hits"]) == list(standing_texts)
    later = write_tip(RecallResult(make_hits(standing_texts), make_hits(second)), TipBudget(), previous=tip.standing)
    assert later.standing == tip.standing
    assert 900 - len(f"\n- {first[0]}") < tip.chars <= 900
    assert len(later.hits) == len(tip.hits) > 5


def test_all_procedural_memories_are_included_until_the_budget_is_full() -> None:
    wishes = [make_hit(f"Wish {n:02} {WORDS}".strip(), "procedural") for n in range(12)]
    assert hit_texts(write_tip(standing(*wishes), TipBudget(1_000)).memories) == [wish.text for wish in wishes]
    tip = write_tip(standing(*wishes), TipBudget(600))
    assert 0 < len(tip.memories) < len(wishes)
    assert hit_texts(tip.memories) + hit_texts(tip.omitted) == [wish.text for wish in wishes]


def test_exactly_the_standing_memories_without_room_are_reported_as_omitted() -> None:
    long, texts = "x" * 400, ["Short", "x" * 400, "Also short"]
    tip = write_tip(RecallResult(make_hits(texts), make_hits(["y" * 400])), TipBudget(len(HEADER) + 200))
    assert hit_texts(tip.omitted) == [long]
    assert hit_texts(tip.memories) == ["Short", "Also short"]
    later = write_tip(standing(*texts), TipBudget(len(HEADER) + 200), previous=tip.standing)
    assert hit_texts(later.omitted) == [long]
    assert write_tip(RecallResult(make_hits(["Is vegan"]), make_hits(["is vegan."])), TipBudget()).omitted == []


def test_lines_that_fit_exactly_are_included() -> None:
    hits = recalled("Plays chess", "Has a cat", make_hit("Lives in Oslo", ts="2026-03-04"))
    text = write_tip(hits, LARGE_BUDGET, previous=NO_STANDING_PART).recalled
    assert write_tip(hits, TipBudget(len(text)), previous=NO_STANDING_PART).recalled == text
    shorter = write_tip(hits, TipBudget(len(text) - 1), previous=NO_STANDING_PART)
    assert bullets(shorter.recalled) == ["- Plays chess", "- Has a cat"]


def test_a_line_one_character_too_long_is_skipped_for_a_shorter_one() -> None:
    hits = recalled("Plays chess", "Has two cats", "Has a cat")
    budget = TipBudget(len(f"{RECALLED_HEADER}\nsome day:\n- Plays chess\n- Has two cats") - 1)
    tip = write_tip(hits, budget, previous=NO_STANDING_PART)
    assert bullets(tip.recalled) == ["- Plays chess", "- Has a cat"]


def test_the_recalled_part_gets_what_the_standing_part_leaves() -> None:
    previous = write_tip(standing("Is vegan"), TipBudget()).standing
    needed = len(previous["text"]) + len(f"{RECALLED_HEADER}\nsome day:\n- Plays chess")
    for limit, shown in ((needed, ["- Plays chess"]), (needed - 1, [])):
        assert bullets(write_tip(recalled("Plays chess"), TipBudget(limit), previous=previous).recalled) == shown


def test_a_single_long_memory_is_cut_at_the_last_word_that_fits() -> None:
    for budget in (TipBudget(400), TipBudget(max_tokens=150)):
        tip = write_tip(recalled("word " * 400), budget)
        text = tip.recalled
        assert 0.8 * budget.limit < budget.length(text, "") <= budget.limit
        assert text.endswith("word…")
        assert budget.length(text.replace("…", " word…"), "") > budget.limit
        assert len(tip.memories) == 1


def test_only_the_best_of_several_long_memories_is_cut() -> None:
    result = RecallResult(make_hits(["best " * 100, "other " * 100]), make_hits(["third " * 100]))
    tip = write_tip(result, TipBudget(250))
    assert bullets(tip.standing["text"])[0].startswith("- best best")
    assert hit_texts(tip.memories) == [("best " * 100).strip()]
    assert hit_texts(tip.omitted) == [("other " * 100).strip()]


def test_a_memory_for_a_later_message_is_not_cut() -> None:
    tip = write_tip(recalled("word " * 400), TipBudget(), previous=NO_STANDING_PART)
    assert (tip.recalled, tip.memories) == ("", [])


@pytest.mark.parametrize(("length", "is_shown"), [(17, False), (18, True)])
def test_a_memory_is_cut_only_if_twenty_characters_of_its_bullet_remain(length: int, *, is_shown: bool) -> None:
    word = "x" * length
    tip = write_tip(recalled(f"{word} {'y' * 500}"), TipBudget(len(RECALLED_HEADER) + 60))
    assert tip.recalled == (f"{RECALLED_HEADER}\n- {word}…" if is_shown else "")
    assert len(tip.memories) == is_shown


def test_a_token_budget_is_never_exceeded_and_keeps_the_best_lines() -> None:
    # For these sentences, the estimated token counts of the lines add up to less than that of the tip.
    sentences = [make_hit(f"{n:03} end end end end!", "profile") for n in range(40)]
    for max_tokens in range(100, 400, 50):
        budget = TipBudget(max_tokens=max_tokens)
        tip = write_tip(recalled(*sentences), budget, previous=NO_STANDING_PART)
        assert 0.9 * max_tokens < budget.length(tip.recalled, "") <= max_tokens
        assert hit_texts(tip.memories) == [hit.text for hit in sentences[: len(tip.memories)]]


def test_a_token_budget_overrides_the_character_budget() -> None:
    facts = recalled(*(f"Fact number {n} is about something" for n in range(300)))
    budget = TipBudget(max_chars=100, max_tokens=1_000)
    tip = write_tip(facts, budget)
    assert 900 < sum(budget.length(text, "") for text in (tip.standing["text"], tip.recalled)) <= 1_000
    assert tip.chars > 2_000


def test_the_tokens_are_those_of_the_model() -> None:
    texts = [f"語{n:03}" + "漢字" * 10 for n in range(60)]
    budget = TipBudget(max_tokens=500)
    for model in ("gpt-4", "another"):
        tip = write_tip(recalled(*texts), budget, model=model)
        lengths = [budget.length(text, model) for text in (tip.standing["text"], tip.recalled)]
        assert 0.85 * 500 < sum(lengths) <= 500
        later = write_tip(recalled(*texts), budget, model=model, previous=tip.standing)
        assert budget.length(later.recalled, model) <= 500 - lengths[0]


texts = st.text() | st.integers(0, 30).map(lambda n: f"Fact {n} {WORDS}") | st.sampled_from(["a", "A.", "b", "B "])
hits = st.builds(
    make_hit,
    texts,
    st.sampled_from(KINDS),
    ts=st.text(max_size=12),
    last_seen=st.sampled_from(["", "2026-03-04", "2026-03-05T10:00:00+00:00"]),
    until=st.none() | st.text(max_size=12),
)
budgets = st.one_of(
    st.builds(TipBudget, max_chars=st.integers(50, 2_000)), st.builds(TipBudget, max_tokens=st.integers(20, 500))
)
turns = st.lists(st.builds(RecallResult, *[st.lists(hits, max_size=15).map(tuple)] * 2, st.booleans()), min_size=1)


@given(turns.filter(lambda turns: len(turns) < 4), budgets)
def test_the_memories_of_a_tip_are_its_lines_and_both_parts_are_within_the_budget(
    turns: list[RecallResult], budget: TipBudget
) -> None:
    previous: StandingPart | None = None
    for turn in turns:
        tip = write_tip(turn, budget, previous=previous)
        assert previous is None or tip.standing is previous
        previous = tip.standing
        assert sum(budget.length(text, "") for text in (tip.standing["text"], tip.recalled)) <= budget.limit
        _check_part(tip.standing["text"], HEADER, tip.standing["hits"])
        without_note = tip.recalled.removesuffix(f"\n{NO_ROOM}")
        assert turn.lists_everything or without_note == tip.recalled
        _check_part(without_note if tip.hits else without_note.removeprefix(RECALLED_HEADER), RECALLED_HEADER, tip.hits)
        included, wanted = set(hit_texts(tip.memories)), {neutralise(hit.text) for hit in turn.standing} - {""}
        assert {hit["text"] for hit in tip.omitted} <= wanted
        assert not included & set(hit_texts(tip.omitted))
        normalised = {text.casefold().strip(" .") for text in included | set(hit_texts(tip.omitted))}
        assert {text.casefold().strip(" .") for text in wanted} <= normalised


def _check_part(text: str, header: str, memories: Sequence[dict[str, str]]) -> None:
    assert bool(text) == bool(memories)
    if text:
        lines = text.removeprefix(f"{header}\n").split("\n")
        assert all(line.startswith("- ") or line.endswith(":") for line in lines)
        assert lines[-1].startswith("- ")
        shown = [re.sub(r" \(until .*\)$", "", line.removeprefix("- ")) for line in lines if line.startswith("- ")]
        if len(shown) == 1 and shown[0].endswith("…") and shown[0] not in hit_texts(memories):
            start = re.sub(r"( \(until) .*$", r"\1", shown[0][:-1])  # the note may be cut as well
            assert f"{memories[0]['text']} (until".startswith(start)
        else:
            assert sorted(shown) == sorted(re.sub(r" \(until .*\)$", "", text) for text in hit_texts(memories))
