from pathlib import Path

import pytest
from bench.bench_peers import report
from bench.peer_figures import Measure, median, ratio
from bench.peer_model import LANGMEM_PROMPT, MEM0_PROMPT, reply
from bench.peer_report import plot, ratio_table, replace_section
from bench.peer_systems import BARE, KEEPSAKE, MEM0

from support.scripted_openai import ToolCall

SETTING = {"machine": "2 cores"}


def measured() -> Measure:
    series = {BARE: [200.0, 202.0, 201.0], KEEPSAKE: [260.0, 262.0, 261.0], MEM0: [320.0, 322.0, 321.0]}
    return Measure("first token", "ms", series)


def test_differences_are_taken_within_rounds() -> None:
    over = measured().over(BARE, "over")
    assert over.values == {KEEPSAKE: [60, 60, 60], MEM0: [120, 120, 120]}
    assert over.ratio(MEM0, KEEPSAKE).value == 2


def test_a_system_that_missed_rounds_has_no_differences() -> None:
    one = measured()
    one.values[MEM0].pop()
    assert MEM0 not in one.over(BARE, "over").values


def test_ratios_of_figures_that_should_be_high_are_inverted() -> None:
    recall = Measure("recall", "", {KEEPSAKE: [0.8, 0.8], MEM0: [0.4, 0.4]}, higher_is_better=True)
    assert recall.ratio(MEM0, KEEPSAKE).value == 2


def test_intervals_contain_the_median_and_narrow_with_agreement() -> None:
    wide, narrow = median([1.0, 5.0, 9.0, 13.0]), median([6.0, 7.0, 7.0, 8.0])
    assert wide.low <= wide.value <= wide.high
    assert narrow.high - narrow.low < wide.high - wide.low


def test_the_ratio_of_paired_rounds_ignores_what_affects_both() -> None:
    assert ratio([10.0, 20.0, 30.0], [5.0, 10.0, 15.0]).as_json() == [2, 2, 2]


def test_the_report_contains_ratios_medians_and_failures() -> None:
    one = measured()
    one.failed["LangMem"] = "did not start"
    text = report([one, one.over(BARE, "over")], SETTING)
    assert "| over | - | - | 2.0 (2.0-2.0) | - |" in text
    assert "- first token, LangMem: did not start" in text


def test_the_ratio_table_omits_what_was_not_measured_for_keepsake() -> None:
    assert "put" not in ratio_table([Measure("put", "ms", {MEM0: [1.0]})], KEEPSAKE, [KEEPSAKE, MEM0])


def test_a_section_is_replaced_and_the_rest_is_kept(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb\n")
    replace_section(readme, "x", "new")
    replace_section(readme, "x", "new")
    assert readme.read_text() == "a\n<!-- x:begin -->\nnew\n<!-- x:end -->\nb\n"


def test_a_missing_section_is_an_error(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("a <!-- x:begin --> without an end")
    with pytest.raises(ValueError, match="section x"):
        replace_section(readme, "x", "new")


def test_the_plot_is_written(tmp_path: Path) -> None:
    plot([measured().over(BARE, "over")], KEEPSAKE, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 1_000


def test_the_model_extracts_the_same_facts_for_each_system() -> None:
    said = "user: My parrot is called Kiwi.\nuser: What is the time?"
    mem0 = [{"role": "system", "content": MEM0_PROMPT}, {"role": "user", "content": f"## New Messages\n{said}"}]
    langmem = [{"role": "system", "content": LANGMEM_PROMPT}, {"role": "user", "content": said}]
    assert reply(mem0) == '{"memory": [{"id": "0", "text": "My parrot is called Kiwi"}]}'
    assert reply(langmem) == [ToolCall("Memory", {"content": "My parrot is called Kiwi"})]
    assert reply([{"role": "user", "content": "Hello"}]) == "word " * 20
