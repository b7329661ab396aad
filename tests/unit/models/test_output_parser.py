"""The tolerant parser of structured output: what local models write around, instead of, or into the JSON."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from agent.models.output_parser import MAX_REPAIRED_BRACKETS, MAX_REPAIRED_CHARS, parse_exact, parse_tolerant


class Sentence(BaseModel, extra="forbid", frozen=True):
    text: str
    message: int


class Entry(BaseModel, extra="forbid", frozen=True):
    text: str
    confidence: float
    standing: bool
    until: str | None
    replaces: int | None


class About(BaseModel, extra="forbid", frozen=True):
    work: Sentence | None
    person: Sentence | None


class Output(BaseModel, extra="forbid", frozen=True):
    entries: list[Entry]
    about: About
    episode: str


class Periods(BaseModel, extra="forbid", frozen=True):
    earlier: list[Sentence]
    later: list[Sentence]


ENTRY: dict[str, Any] = {"text": "Lives in Oslo", "confidence": 0.9, "standing": False, "until": None, "replaces": None}
WORK: dict[str, Any] = {"text": "Drives a tram", "message": 2}
VALUE: dict[str, Any] = {"entries": [ENTRY], "about": {"work": WORK, "person": None}, "episode": "User moved."}
TEXT = json.dumps(VALUE)
EXPECTED = Output.model_validate(VALUE)
SHORT = Output(entries=EXPECTED.entries, about=About(work=None, person=None), episode="")


def value_with(**changes: object) -> str:
    return json.dumps(VALUE | changes)


def entry_with(**changes: object) -> str:
    return value_with(entries=[ENTRY | changes])


def entry_without(*names: str) -> str:
    return value_with(entries=[{name: value for name, value in ENTRY.items() if name not in names}])


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(TEXT, id="exact"),
        pytest.param(f"```json\n{TEXT}\n```", id="fenced"),
        pytest.param(f"Here you are:\n```\n{json.dumps(VALUE, indent=2)}\n```\nAnything else?", id="fenced in text"),
        pytest.param(f'<think>Maybe {{"entries": []}}?</think>\n{TEXT}', id="reasoning with a draft"),
        pytest.param(f'So {{"entries": []}}.\n</think>\n\n{TEXT}', id="reasoning without an opening tag"),
        pytest.param(f"<think>\nHm.\n{TEXT}", id="reasoning that never ends"),
        pytest.param(f'First {{"entries": []}}, but better:\n{TEXT}', id="a draft before the answer"),
        pytest.param(f"Note that {{braces}} and [brackets] occur.\n{TEXT}\nThat is {{all}} of it.", id="text around"),
        pytest.param(TEXT.replace("}]", "},]").replace('."}', '.",}'), id="trailing commas"),
        pytest.param(repr(VALUE), id="Python literals"),
        pytest.param(f"```python\n{VALUE!r}\n```", id="Python literals, fenced"),
        pytest.param(TEXT.replace('"episode"', "// a comment\nepisode"), id="a comment and a bare key"),
        pytest.param(entry_without("until", "replaces"), id="missing nullable fields"),
        pytest.param(entry_without("standing"), id="a missing flag"),
        pytest.param(value_with(about={"work": WORK}), id="a missing nullable object"),
        pytest.param(entry_with(until="null", replaces="none"), id="null as a word"),
        pytest.param(entry_with(source="chat", tags=["home"]), id="additional fields in an element"),
        pytest.param(value_with(notes={"why": "said so"}), id="additional fields"),
        pytest.param(entry_with(confidence="0.9", standing="false"), id="numbers and flags as strings"),
        pytest.param(json.dumps([VALUE]), id="an array with the object"),
        pytest.param(json.dumps({"output": VALUE}), id="nested in output"),
        pytest.param(json.dumps({"result": {"output": VALUE}}), id="nested twice"),
        pytest.param(json.dumps({"name": "Output", "arguments": VALUE}), id="a tool call"),
        pytest.param(json.dumps({"name": "Output", "arguments": TEXT}), id="a tool call with a string"),
        pytest.param(value_with(entries=[ENTRY, {"text": "no more"}]), id="an incomplete element"),
        pytest.param(value_with(entries=ENTRY), id="one element instead of a list"),
        pytest.param(TEXT.replace("[{", '[{"text": 5}, {'), id="an invalid element"),
    ],
)
def test_every_form_of_the_answer_gives_the_same_output(answer: str) -> None:
    assert parse_tolerant(answer, Output) == EXPECTED


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(json.dumps([ENTRY]), id="an array of elements"),
        pytest.param(json.dumps(ENTRY), id="an element alone"),
        pytest.param(json.dumps({"entries": [ENTRY]}), id="the list only"),
        pytest.param(value_with(about="unknown", episode={"text": "User moved."}), id="invalid values beside the list"),
        pytest.param(TEXT[: TEXT.index('"about"') + 20], id="cut off after the list"),
        pytest.param(json.dumps({"entries": [ENTRY, ENTRY]})[:-20], id="cut off in the second element"),
        pytest.param(f"```json\n{TEXT[: TEXT.index('about')]}", id="fenced and cut off"),
        pytest.param(repr({"entries": [ENTRY, ENTRY]})[:-20], id="Python literals, cut off"),
    ],
)
def test_complete_elements_are_saved(answer: str) -> None:
    assert parse_tolerant(answer, Output) == SHORT


def test_elements_on_separate_lines_are_a_list() -> None:
    parsed = parse_tolerant(f"{json.dumps(ENTRY)}\n{json.dumps(ENTRY)}", Output)
    assert parsed is not None
    assert len(parsed.entries) == 2


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot do that.",
        "{}",
        "null",
        "[]",
        '{"entries": "none"}',
        '{"entries": null}',
        '{"error": "overloaded"}',
        '{"episode": "User moved."}',
        '{"entries": [{"foo": 1}], "episode": ""}',
        '{"entries": [{"text": "Lives in Os',
        "<think>What could it be?",
    ],
)
def test_an_answer_without_the_output_is_never_empty_output(answer: str) -> None:
    assert parse_tolerant(answer, Output) is None


def test_an_explicitly_empty_list_is_output() -> None:
    assert parse_tolerant('```{"entries": []}```', Output) == Output(entries=[], about=SHORT.about, episode="")


def test_a_number_that_was_cut_off_is_not_used() -> None:
    answer = f'{{"entries": [{json.dumps(ENTRY)}, {json.dumps({**ENTRY, "replaces": 12})[:-2]}'
    assert parse_tolerant(answer, Output) == SHORT


def test_an_array_is_not_assigned_if_the_schema_has_several_lists() -> None:
    assert parse_tolerant(json.dumps([WORK]), Periods) is None
    parsed = parse_tolerant(json.dumps({"later": [WORK]}), Periods)
    assert parsed == Periods(earlier=[], later=[Sentence(**WORK)])


def test_quotes_that_are_not_escaped_are_kept() -> None:
    parsed = parse_tolerant(TEXT.replace("Lives in Oslo", 'Lives in "Oslo"'), Output)
    assert parsed is not None
    assert parsed.entries[0].text == 'Lives in "Oslo"'


def test_only_valid_json_is_exact() -> None:
    assert parse_exact(TEXT, Output) == EXPECTED
    assert parse_exact(f"```{TEXT}```", Output) is None
    assert parse_exact(value_with(more=1), Output) is None


@pytest.mark.parametrize(
    "pattern", ['{"a":', "[[", '{"entries": [{"text": "', "word { word [ \"'", '{"text": "a "b" c" ']
)
def test_hostile_answers_end_in_time(pattern: str) -> None:
    brackets = pattern.count("{") + pattern.count("[")
    repeated = pattern * min(MAX_REPAIRED_CHARS // len(pattern), MAX_REPAIRED_BRACKETS // brackets)
    for answer in (repeated + "}", repeated + " " * (MAX_REPAIRED_CHARS - len(repeated)) + "}", repeated * 9):
        assert parse_tolerant(answer, Output) is None


@pytest.mark.parametrize("escape", ["\\ud83d", "\\udfff", "\\u0000"])
def test_characters_that_cannot_be_stored_are_replaced_and_do_not_cost_the_answer(escape: str) -> None:
    text = '{"earlier": [{"text": "Has a dog' + escape + '", "message": 1}], "later": []}'
    assert parse_exact(text, Periods) is None
    parsed = parse_tolerant(text, Periods)
    assert parsed is not None
    assert [sentence.text for sentence in parsed.earlier] == ["Has a dog\N{REPLACEMENT CHARACTER}"]
