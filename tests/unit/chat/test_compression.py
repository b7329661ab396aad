"""Summaries of long threads: what models write around a summary does not become part of it."""

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_openai import ChatOpenAI

from agent.chat.compression import Summariser, Summary
from agent.errors import ModelUnavailableError
from support.scripted_openai import ScriptedOpenAI

MESSAGES: list[AnyMessage] = [HumanMessage("My boat is called Amelie."), AIMessage("A fine name.")]
EPISODE = "User named their boat."
SUMMARY = "The boat is called Amelie.\nIt is blue."
ANSWER = f"{EPISODE}\n\n{SUMMARY}"


@pytest.fixture
def summariser(model: ScriptedOpenAI) -> Summariser:
    return Summariser(ChatOpenAI(model="scripted", api_key="x", base_url=model.base_url, max_retries=0))


@pytest.mark.parametrize(
    "answer",
    [
        ANSWER,
        f"<think>\nThe user is proud.\n\nUser said much.\n\n</think>\n\n{ANSWER}",
        f"The user is proud of it.\n</think>\n{ANSWER}",
        f"```\n{ANSWER}\n```",
        f"Okay, the user is proud. I start with one sentence.\n\nHere is the summary:\n\n```text\n{ANSWER}\n```",
    ],
)
async def test_reasoning_and_fences_are_not_part_of_a_summary(
    summariser: Summariser, model: ScriptedOpenAI, answer: str
) -> None:
    model.script.reply = lambda _: answer
    assert await summariser.summarise("", MESSAGES) == Summary(SUMMARY, EPISODE)


async def test_a_summary_in_another_form_is_kept(summariser: Summariser, model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "They named a boat.\n- It is blue.\nUser wants a sail."
    assert await summariser.summarise("", MESSAGES) == Summary(
        "- It is blue.\nUser wants a sail.", "They named a boat."
    )


@pytest.mark.parametrize("answer", ["", "<think>The user is proud.", "The user is proud.</think>", "```\n```"])
async def test_an_answer_without_a_summary_is_an_error(
    summariser: Summariser, model: ScriptedOpenAI, answer: str
) -> None:
    model.script.reply = lambda _: answer
    with pytest.raises(ModelUnavailableError):
        await summariser.summarise("", MESSAGES)
