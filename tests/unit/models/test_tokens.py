"""Token counts: estimates without a tokenizer table, and no downloads."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.tokens import count_tokens

# Texts with their token counts in o200k_base and cl100k_base, by tiktoken 0.14.
COUNTED = json.loads((Path(__file__).parents[2] / "support" / "counted_tokens.json").read_text(encoding="utf-8"))
TABLE = "fb374d419588a4632f3f557e76b4b70aebbca790"


@pytest.fixture(autouse=True)
def _no_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))


@pytest.mark.parametrize("counted", COUNTED, ids=[each["what"] for each in COUNTED])
def test_estimates_are_never_five_percent_too_low(counted: dict[str, Any]) -> None:
    newer, older, text = counted["o200k_base"], counted["cl100k_base"], counted["text"]
    assert count_tokens(text, model="gpt-5-mini") >= 0.95 * newer
    assert count_tokens(text, model="gpt-4") >= 0.95 * older
    assert count_tokens(text, model="llama3.2") >= 0.95 * max(newer, older)


def test_estimates_for_prose_are_less_than_sixty_percent_too_high() -> None:
    prose = [each for each in COUNTED if each["what"] in {"English", "German", "Japanese", "Python"}]
    estimated = sum(count_tokens(each["text"], model="gpt-5-mini") for each in prose)
    assert estimated < 1.6 * sum(each["o200k_base"] for each in prose)


@given(st.text(), st.text())
def test_a_joined_text_has_no_more_tokens_than_its_parts(one: str, other: str) -> None:
    assert count_tokens(f"{one}\n{other}") <= count_tokens(one) + count_tokens(f"\n{other}")
    assert count_tokens("") == 0


def test_a_corrupt_table_is_neither_used_nor_replaced(tmp_path: Path) -> None:
    table = Path(tmp_path, TABLE)
    table.write_bytes(b"IQ== 0\n")
    assert count_tokens("Lives in Oslo", model="gpt-4o") > 3
    assert table.read_bytes() == b"IQ== 0\n"
