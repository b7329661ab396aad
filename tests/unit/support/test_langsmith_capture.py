"""The LangSmith capture records runs in every upload format."""

from collections.abc import Callable

import pytest
from langsmith import Client, traceable, tracing_context

from support.langsmith_capture import LangSmithCapture, Run


@traceable(run_type="tool")
def look_up(word: str) -> str:
    if word == "rain":
        raise LookupError("no such word")
    return f"{word}: a string instrument"


@traceable(name="answer")
def answer(question: str) -> str:
    return look_up(question).upper()


def ended(count: int) -> Callable[[list[Run]], bool]:
    return lambda runs: sum("end_time" in run for run in runs) == count


@pytest.mark.parametrize(
    "capabilities",
    [{"multipart": True, "zstd": True}, {"multipart": True, "zstd": False}, {"multipart": False}],
    ids=["zstd", "multipart", "batch"],
)
def test_every_run_is_captured_once_with_all_its_parts(capabilities: dict[str, bool]) -> None:
    with LangSmithCapture(**capabilities) as langsmith:
        client = Client(api_url=langsmith.url, api_key="x")
        with tracing_context(enabled=True, client=client):
            answer("violin")
        client.flush()
        runs = {run["name"]: run for run in langsmith.wait_until(ended(2))}
        client.cleanup()
    assert runs["answer"]["inputs"] == {"question": "violin"}
    assert runs["answer"]["outputs"] == {"output": "VIOLIN: A STRING INSTRUMENT"}
    assert runs["look_up"]["parent_run_id"] == runs["answer"]["id"]
    assert runs["look_up"]["run_type"] == "tool"


async def test_a_failed_run_is_captured_with_its_error() -> None:
    with LangSmithCapture() as langsmith:
        client = Client(api_url=langsmith.url, api_key="x")
        with tracing_context(enabled=True, client=client), pytest.raises(LookupError):
            answer("rain")
        client.flush()
        runs = await langsmith.wait_until_async(ended(2))
        client.cleanup()
    assert all("no such word" in run["error"] for run in runs)


def test_an_unbatched_run_is_captured() -> None:
    with LangSmithCapture() as langsmith:
        client = Client(api_url=langsmith.url, api_key="x", auto_batch_tracing=False)
        with tracing_context(enabled=True, client=client):
            look_up("violin")
        client.cleanup()
    assert [run["outputs"] for run in langsmith.runs] == [{"output": "violin: a string instrument"}]


def test_waiting_times_out() -> None:
    with LangSmithCapture() as langsmith, pytest.raises(TimeoutError):
        langsmith.wait_until(ended(1), timeout_seconds=0)
