"""The tip for a question for what was said: its heading, by day, also if the standing part has it."""

from agent.memory.recall.tip import NO_ROOM, RECALLED_HEADER, TipBudget, write_tip
from agent.types import RecallResult
from support.tips import make_hit, make_hits

HEADING = "Said 2026-11-16 to 2026-11-22, the period asked about:"
HITS = (
    make_hit("Has a cat", last_seen="2026-11-21T23:30:00+09:00", ts="2026-11-21T14:30:00+00:00"),
    make_hit("Is vegan", "inbox", last_seen="2026-11-21T09:00:00+09:00"),
    make_hit("Plays chess", "episodic", last_seen="2026-11-16T09:00:00+09:00"),
)
DAYS = "2026-11-21:\n- Has a cat\n- Is vegan\n2026-11-16:\n- Plays chess"


def test_statements_are_listed_by_local_day_under_the_heading() -> None:
    tip = write_tip(RecallResult(make_hits(["Is vegan"]), HITS, said=HEADING), TipBudget())
    assert tip.recalled == f"{RECALLED_HEADER}\n{HEADING}\n{DAYS}"
    assert [hit["text"] for hit in tip.hits] == ["Has a cat", "Is vegan", "Plays chess"]
    assert "Has a cat" not in tip.standing["text"]


def test_that_nothing_was_said_is_part_of_the_tip() -> None:
    tip = write_tip(RecallResult(said=f"{HEADING} nothing."), TipBudget())
    assert tip.recalled == f"{RECALLED_HEADER}\n{HEADING} nothing."


def test_what_does_not_fit_is_announced() -> None:
    hits = make_hits([f"Has {number} boats in a harbour" for number in range(100)])
    tip = write_tip(RecallResult(hits=hits, said=HEADING), TipBudget())
    assert tip.recalled.splitlines()[-1] == NO_ROOM
    assert len(tip.recalled) <= TipBudget().limit
    assert 10 < len(tip.hits) < 100


def test_standing_memories_leave_room_for_what_was_said() -> None:
    standing = make_hits([f"Always wants answers of kind {number}" for number in range(60)])
    tip = write_tip(RecallResult(standing, HITS, said=HEADING), TipBudget())
    assert DAYS in tip.recalled
