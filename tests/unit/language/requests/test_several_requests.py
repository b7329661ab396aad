"""Several requests in one message, and requests beside a question or a statement, in eight languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.language.requests.memory_requests import MAX_REQUESTS, memory_requests, remaining_text
from support.growth import MAX_GROWTH, growth

CASES = Path(__file__).parents[2] / "data" / "memory_requests_several.jsonl"


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["message"])[:60])
def test_a_message_is_divided_into_its_requests_and_the_rest(case: dict[str, Any]) -> None:
    requests = memory_requests(case["message"])
    assert [[one.action, one.scope, one.text] for one in requests] == case["requests"]
    assert remaining_text(case["message"], requests) == case["rest"]


@pytest.mark.parametrize(
    ("message", "texts", "rest"),
    [
        ("forget my sister and I live in York", ["my sister"], "I live in York"),
        ("recuerda dos cosas: soy zurda y vivo en Lugo", ["soy zurda", "vivo en Lugo"], ""),
        ("Forget the cat, please. What's left?", ["the cat"], "What's left?"),
        ("forget the cat and remember that I have a dog", ["the cat", "I have a dog"], ""),
        ("Forget the onions. What can I use instead?", [], "Forget the onions. What can I use instead?"),
        ("Forget about the onions, what else can I use?", [], "Forget about the onions, what else can I use?"),
        ("forget my exam, my uni cancelled it and my teacher left", ["my exam"], "my teacher left"),
        ("I moved to York, so forget Leeds and remember that I like tea", ["Leeds", "I like tea"], "I moved to York"),
        ("Keep in mind that the list may be empty, how do I sort it?", [], None),
    ],
)
def test_neither_a_statement_nor_another_task_is_part_of_a_request(
    message: str, texts: list[str], rest: str | None
) -> None:
    requests = memory_requests(message)
    assert [one.text for one in requests] == texts
    assert remaining_text(message, requests) == (message if rest is None else rest)


@pytest.mark.parametrize(
    ("message", "text", "count"),
    [
        ("forget both my jobs", "my jobs", 2),
        ("please forget both of our cars", "our cars", 2),
        ("forget my three cats", "my cats", 3),
        ("vergiss meine beiden Jobs", "meine Jobs", 2),
        ("oublie mes deux chats", "mes chats", 2),
        ("olvida mis dos trabajos", "mis trabajos", 2),
        ("dimentica i miei due lavori", "i miei lavori", 2),
        ("esquece os meus dois empregos", "os meus empregos", 2),
        ("vergeet mijn twee banen", "mijn banen", 2),
        ("忘掉我的两份工作", "我的工作", 2),
        ("forget my jobs", "my jobs", 0),
    ],
)
def test_a_request_says_how_many_memories_it_means(message: str, text: str, count: int) -> None:
    [request] = memory_requests(message)
    assert (request.action, request.text, request.count) == ("forget", text, count)


def test_the_items_of_a_list_beyond_the_maximum_remain() -> None:
    items = [f"my {n} kids live in Rome" for n in ("two", "six")] + [f"I have {n} cats" for n in range(MAX_REQUESTS)]
    message = "Remember these:\n" + "\n".join(f"- {one}" for one in items)
    requests = memory_requests(message)
    assert 1 < len(requests) <= MAX_REQUESTS
    kept = [one.text for one in requests]
    assert all(one in kept or one in remaining_text(message, requests) for one in items)


@pytest.mark.parametrize(
    "unit",
    ["forget my dog and ", "remember that I smoke, ", "remember these: I smoke, ", "forget my dog, ", "forget: a, "],
)
def test_the_time_is_about_linear_in_the_length_of_a_message(unit: str) -> None:
    assert growth(memory_requests, unit) < MAX_GROWTH
