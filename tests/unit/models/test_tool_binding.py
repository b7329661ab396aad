"""What a model rejects, tools or a second system message, is left out or merged from then on."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import openai
import pytest
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool

from agent import AgentSettings
from agent.models.chat import make_chat_models
from agent.models.failures import ModelServerError
from agent.models.tool_binding import ToolBindings, merge_system_messages
from support.openai_wire import BadRequestError, Json
from support.scripted_openai import Message, ScriptedOpenAI

PROMPT: list[AnyMessage] = [
    SystemMessage("Standing."),
    HumanMessage("Hi."),
    AIMessage("Hello."),
    SystemMessage("Recalled."),
    HumanMessage("And?"),
]
SHORT: list[AnyMessage] = [SystemMessage("Standing."), HumanMessage("Hi.")]


@tool
def look(what: str) -> str:
    """Look at something."""
    return what


@pytest.fixture
async def bindings(model: ScriptedOpenAI) -> AsyncIterator[ToolBindings]:
    settings = AgentSettings(
        _env_file=None, openai_api_key="x", openai_base_url=model.base_url, chat_models=("scripted", "other")
    )
    async with openai.DefaultAsyncHttpxClient() as http:
        yield ToolBindings(make_chat_models(settings, http))


def _script(model: ScriptedOpenAI, check: Callable[[Json], None]) -> None:
    """Check the body of each request before answering."""

    def reply(_: list[Message]) -> str:
        check(dict(model.chat_requests()[-1].body))
        return "Hello."

    model.script.reply = reply


def _reject_second_system_message(body: Json) -> None:
    if [message["role"] for message in body["messages"][1:]].count("system"):
        raise BadRequestError("System message must be at the beginning.")


def _reject_tools(body: Json) -> None:
    if "tools" in body:
        raise BadRequestError("registry.ollama.ai/library/gemma does not support tools")


async def _invoke(bindings: ToolBindings, prompt: list[AnyMessage], *, name: str = "scripted") -> str:
    return (await bindings.invoke(name, [look], prompt, {})).text


def _roles(model: ScriptedOpenAI) -> list[list[str]]:
    """The roles of the messages of each request."""
    return [[message["role"] for message in request.body["messages"]] for request in model.chat_requests()]


SEPARATE = ["system", "user", "assistant", "system", "user"]
MERGED = ["system", "user", "assistant", "user"]


async def test_both_system_messages_are_sent_if_the_model_accepts_them(
    bindings: ToolBindings, model: ScriptedOpenAI
) -> None:
    assert await _invoke(bindings, PROMPT)
    [request] = model.chat_requests()
    assert [message["content"] for message in request.body["messages"]] == [message.text for message in PROMPT]


async def test_a_rejected_second_system_message_is_merged_into_the_first_from_then_on(
    bindings: ToolBindings, model: ScriptedOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    _script(model, _reject_second_system_message)
    assert [await _invoke(bindings, PROMPT) for _ in range(2)] == ["Hello."] * 2
    assert _roles(model) == [SEPARATE, MERGED, MERGED]
    request = model.chat_requests()[-1]
    assert request.body["messages"][0]["content"] == "Standing.\n\nRecalled."
    assert request.body["tools"]
    assert [record.getMessage() for record in caplog.records] == [
        "model scripted does not support a second system message; calling it without from now on"
    ]


async def test_what_one_model_rejects_is_still_sent_to_another(bindings: ToolBindings, model: ScriptedOpenAI) -> None:
    _script(model, _reject_second_system_message)
    await _invoke(bindings, PROMPT)
    await _invoke(bindings, PROMPT, name="other")
    assert _roles(model) == [SEPARATE, MERGED, SEPARATE, MERGED]


async def test_a_model_without_tools_still_gets_both_system_messages(
    bindings: ToolBindings, model: ScriptedOpenAI
) -> None:
    _script(model, _reject_tools)
    assert [await _invoke(bindings, PROMPT) for _ in range(2)] == ["Hello."] * 2
    assert _roles(model) == [SEPARATE] * 3
    assert ["tools" in request.body for request in model.chat_requests()] == [True, False, False]


async def test_a_model_that_rejects_both_answers_without_both(bindings: ToolBindings, model: ScriptedOpenAI) -> None:
    def reject_both(body: Json) -> None:
        _reject_tools(body)
        _reject_second_system_message(body)

    _script(model, reject_both)
    assert [await _invoke(bindings, PROMPT) for _ in range(2)] == ["Hello."] * 2
    assert _roles(model) == [SEPARATE, SEPARATE, MERGED, MERGED]


async def test_an_error_for_another_reason_is_raised_and_changes_nothing(
    bindings: ToolBindings, model: ScriptedOpenAI
) -> None:
    def reject(_: Json) -> None:
        raise BadRequestError("this thread is damaged")

    _script(model, reject)
    for prompt in (SHORT, PROMPT):
        with pytest.raises(ModelServerError, match="damaged"):
            await _invoke(bindings, prompt)
    assert len(model.chat_requests()) == 3
    _script(model, lambda _: None)
    await _invoke(bindings, PROMPT)
    assert _roles(model)[-1] == SEPARATE


async def test_a_prompt_that_is_too_long_is_not_sent_again(bindings: ToolBindings, model: ScriptedOpenAI) -> None:
    def reject(_: Json) -> None:
        raise BadRequestError("context_length_exceeded")

    _script(model, reject)
    with pytest.raises(ContextOverflowError):
        await _invoke(bindings, PROMPT)
    assert len(model.chat_requests()) == 1


@pytest.mark.parametrize(("status", "requests"), [(401, 1), (429, 2)])
async def test_errors_that_are_no_rejections_are_raised(
    bindings: ToolBindings, model: ScriptedOpenAI, status: int, requests: int
) -> None:
    model.script.chat_status = status
    with pytest.raises(ModelServerError):
        await _invoke(bindings, PROMPT)
    assert len(model.chat_requests()) == requests  # the model itself repeats a call


def test_system_messages_are_merged_in_order() -> None:
    merged: list[Any] = [(message.type, message.text) for message in merge_system_messages(PROMPT)]
    assert merged == [("system", "Standing.\n\nRecalled."), ("human", "Hi."), ("ai", "Hello."), ("human", "And?")]
    assert merge_system_messages(PROMPT[1:3]) == PROMPT[1:3]
