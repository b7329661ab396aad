"""Structured calls: each mode in turn, the mode that is remembered, and what counts as unavailable."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from openai.lib._pydantic import to_strict_json_schema
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from agent.chat.note_extraction import ExtractedNotes
from agent.errors import FormationFailedError, UnusableOutputError
from agent.memory.formation.digest import Digest
from agent.memory.formation.extract import ExtractedMemories
from agent.models.openai_errors import TranslatedModel
from agent.models.structured import MAX_FAILURES, SCHEMA_PROMPT, call_structured
from support.openai_wire import Json
from support.scripted_openai import Message, ScriptedOpenAI


class Answer(BaseModel, extra="forbid", frozen=True):
    """The answer."""

    words: list[str]


GOOD = '{"words": ["a", "b"]}'
PROSE = "I would rather talk."
STRICT, JSON, TEXT = "json_schema", "json_object", "text"


@pytest.fixture
def chat(model: ScriptedOpenAI) -> TranslatedModel:
    return _client(model)


def _client(model: ScriptedOpenAI, **options: Any) -> TranslatedModel:  # noqa: ANN401 - of any type
    return TranslatedModel(ChatOpenAI(model="scripted", api_key="x", base_url=model.base_url, max_retries=0, **options))


def _mode(body: Json) -> str:
    response_format = body.get("response_format") or body.get("text", {}).get("format")  # the latter for `/responses`
    return str(response_format["type"]) if response_format else TEXT


def _script(model: ScriptedOpenAI, answers: Mapping[str, str | Exception]) -> None:
    """Script an answer for each mode, or an error."""

    def reply(_: list[Message], schema: object = None) -> str:
        del schema
        answer = answers[_mode(model.requests[-1].body)]
        if isinstance(answer, Exception):
            raise answer
        return answer

    model.script.reply = reply
    model.script.structured = reply


def _modes(model: ScriptedOpenAI) -> list[str]:
    return [_mode(request.body) for request in model.requests]


async def _call(chat: TranslatedModel) -> list[str]:
    return (await call_structured(chat, Answer, "You list words.", "Two, please.", run_name="words")).words


def _error(status: int, text: str) -> Callable[[], HTTPException]:
    return lambda: HTTPException(status, text)


REJECTIONS = [
    _error(400, "This model does not support response formats of type json_schema"),
    _error(400, "'response_format.type' must be 'json_object'"),
    _error(400, "bad request"),
    _error(404, "No endpoints found that support the requested parameters"),
    _error(422, "extra inputs are not permitted: response_format"),
    _error(500, "failed to parse grammar"),
    _error(501, "json_schema is not implemented"),
]


async def test_a_server_that_enforces_schemas_gets_one_strict_call(
    chat: TranslatedModel, model: ScriptedOpenAI
) -> None:
    _script(model, {STRICT: GOOD})
    assert await _call(chat) == ["a", "b"]
    [request] = model.requests
    assert request.body["response_format"]["json_schema"]["strict"] is True
    assert [message["content"] for message in request.messages] == ["You list words.", "Two, please."]


async def test_the_responses_api_has_the_same_modes(model: ScriptedOpenAI) -> None:
    chat = _client(model, use_responses_api=True)
    rejection = HTTPException(400, "Invalid parameter: 'text.format' of type 'json_schema' is not supported")
    _script(model, {STRICT: GOOD})
    assert await _call(chat) == ["a", "b"]
    _script(model, {STRICT: rejection, JSON: rejection, TEXT: GOOD})
    assert [await _call(chat) for _ in range(2)] == [["a", "b"]] * 2
    assert _modes(model) == [STRICT, STRICT, JSON, TEXT, TEXT]
    assert {request.path for request in model.requests} == {"/v1/responses"}


@pytest.mark.parametrize("rejection", REJECTIONS)
async def test_after_a_rejection_the_next_mode_is_used_and_remembered(
    chat: TranslatedModel,
    model: ScriptedOpenAI,
    rejection: Callable[[], HTTPException],
    caplog: pytest.LogCaptureFixture,
) -> None:
    _script(model, {STRICT: rejection(), JSON: GOOD})
    assert [await _call(chat) for _ in range(3)] == [["a", "b"]] * 3
    assert _modes(model) == [STRICT, JSON, JSON, JSON]
    system, _ = model.requests[-1].messages
    assert system["content"].startswith(f"You list words.\n\n{SCHEMA_PROMPT}")
    assert '"words"' in system["content"]
    [record] = caplog.records
    assert record.getMessage() == "model scripted does not support strict schemas; using JSON mode from now on"


async def test_a_server_without_response_formats_is_asked_in_plain_text(
    chat: TranslatedModel, model: ScriptedOpenAI
) -> None:
    rejection = HTTPException(400, "response_format is not supported")
    _script(model, {STRICT: rejection, JSON: rejection, TEXT: f"Sure!\n```json\n{GOOD}\n```"})
    assert [await _call(chat) for _ in range(2)] == [["a", "b"]] * 2
    assert _modes(model) == [STRICT, JSON, TEXT, TEXT]


@pytest.mark.parametrize("ignored", [PROSE, "", '{"answer": 1}', "<think>Hm."])
async def test_after_an_unusable_answer_the_next_mode_is_used_and_remembered(
    chat: TranslatedModel, model: ScriptedOpenAI, ignored: str
) -> None:
    _script(model, {STRICT: ignored, JSON: ignored, TEXT: GOOD})
    assert [await _call(chat) for _ in range(2)] == [["a", "b"]] * 2
    assert _modes(model) == [STRICT, JSON, TEXT, TEXT]


async def test_an_answer_in_fences_needs_no_second_call(chat: TranslatedModel, model: ScriptedOpenAI) -> None:
    _script(model, {STRICT: f"```json\n{GOOD}\n```"})
    assert [await _call(chat) for _ in range(2)] == [["a", "b"]] * 2
    assert _modes(model) == [STRICT, STRICT]


async def test_a_server_that_did_not_enforce_the_schema_is_not_trusted_to(
    chat: TranslatedModel, model: ScriptedOpenAI
) -> None:
    _script(model, {STRICT: f"```json\n{GOOD}\n```", JSON: GOOD})
    await _call(chat)
    _script(model, {STRICT: PROSE, JSON: GOOD})
    assert await _call(chat) == ["a", "b"]
    assert _modes(model) == [STRICT, STRICT, JSON]


async def test_a_mode_that_works_is_the_only_one_tried_for_an_unusable_answer(
    chat: TranslatedModel, model: ScriptedOpenAI
) -> None:
    _script(model, {STRICT: GOOD})
    await _call(chat)
    _script(model, {STRICT: PROSE})
    with pytest.raises(UnusableOutputError):
        await _call(chat)
    assert _modes(model) == [STRICT, STRICT]


async def test_after_many_unusable_answers_all_modes_are_tried_again(
    chat: TranslatedModel, model: ScriptedOpenAI
) -> None:
    _script(model, {STRICT: GOOD})
    await _call(chat)
    _script(model, {STRICT: PROSE, JSON: GOOD})
    for _ in range(MAX_FAILURES):
        with pytest.raises(UnusableOutputError):
            await _call(chat)
    assert await _call(chat) == ["a", "b"]
    assert _modes(model)[-2:] == [STRICT, JSON]


async def test_a_mode_that_stops_working_is_replaced(chat: TranslatedModel, model: ScriptedOpenAI) -> None:
    rejection = HTTPException(400, "response_format is not supported")
    _script(model, {STRICT: rejection, JSON: GOOD})
    await _call(chat)
    _script(model, {STRICT: GOOD, JSON: rejection})
    assert [await _call(chat) for _ in range(2)] == [["a", "b"]] * 2
    assert _modes(model)[2:] == [JSON, STRICT, STRICT]


async def test_an_unusable_answer_in_every_mode_proves_nothing(chat: TranslatedModel, model: ScriptedOpenAI) -> None:
    _script(model, dict.fromkeys([STRICT, JSON, TEXT], PROSE))
    with pytest.raises(UnusableOutputError):
        await _call(chat)
    assert _modes(model) == [STRICT, JSON, TEXT]
    _script(model, {STRICT: GOOD})
    assert await _call(chat) == ["a", "b"]


@pytest.mark.parametrize(("reason", "modes"), [("length", [STRICT]), ("content_filter", [STRICT, JSON])])
async def test_what_arrived_of_an_incomplete_answer_is_used(
    chat: TranslatedModel, model: ScriptedOpenAI, reason: str, modes: list[str]
) -> None:
    def reply(_: list[Message], schema: object = None) -> str:
        del schema
        model.script.finish_reason = reason if len(model.requests) == 1 else "stop"
        return GOOD

    model.script.reply = model.script.structured = reply
    assert await _call(chat) == ["a", "b"]
    assert _modes(model) == modes


@pytest.mark.parametrize("schema", [ExtractedMemories, ExtractedNotes, Digest])
def test_schemas_are_strict(schema: type[BaseModel]) -> None:
    assert schema.model_json_schema() == to_strict_json_schema(schema)


async def test_each_model_has_its_own_mode(chat: TranslatedModel, model: ScriptedOpenAI) -> None:
    _script(model, {STRICT: HTTPException(400, "no json_schema"), JSON: GOOD})
    await _call(chat)
    await _call(_client(model))
    assert _modes(model) == [STRICT, JSON] * 2


@pytest.mark.parametrize(
    "error",
    [
        _error(401, "invalid key"),
        _error(404, "The model `scripted` does not exist"),
        _error(429, "Too many requests: limit of input tokens per minute exceeded"),
        _error(500, "Internal error, contact support"),
        _error(503, "overloaded"),
    ],
)
async def test_a_model_that_does_not_answer_is_unavailable_and_asked_once(
    chat: TranslatedModel, model: ScriptedOpenAI, error: Callable[[], HTTPException]
) -> None:
    _script(model, {STRICT: error(), JSON: GOOD, TEXT: GOOD})
    with pytest.raises(FormationFailedError) as raised:
        await _call(chat)
    assert not isinstance(raised.value, UnusableOutputError)
    assert _modes(model) == [STRICT]


async def test_a_server_that_cannot_be_reached_is_unavailable() -> None:
    chat = ChatOpenAI(model="scripted", api_key="x", base_url="http://127.0.0.1:9/v1", max_retries=0)
    with pytest.raises(FormationFailedError) as raised:
        await _call(TranslatedModel(chat))
    assert not isinstance(raised.value, UnusableOutputError)


async def test_a_server_that_is_too_slow_is_unavailable(model: ScriptedOpenAI) -> None:
    with model.script.structured_gate.closed(), pytest.raises(FormationFailedError) as raised:
        await _call(_client(model, timeout=0.2))
    assert not isinstance(raised.value, UnusableOutputError)


async def test_a_server_that_rejects_every_mode_is_unavailable_unless_it_worked_before(
    chat: TranslatedModel, model: ScriptedOpenAI
) -> None:
    everything = dict.fromkeys([STRICT, JSON, TEXT], HTTPException(400, "no model is loaded"))
    _script(model, everything)
    with pytest.raises(FormationFailedError) as raised:
        await _call(chat)
    assert not isinstance(raised.value, UnusableOutputError)
    _script(model, {STRICT: GOOD})
    await _call(chat)
    _script(model, everything)
    with pytest.raises(UnusableOutputError):
        await _call(chat)


@pytest.mark.parametrize(
    "error",
    [
        _error(400, "context_length_exceeded"),
        _error(400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."),
        _error(400, "the request exceeds the available context size"),
        _error(413, "payload"),
        _error(429, "Request too large for scripted on tokens per min (TPM): Limit 6000, Requested 9000"),
        _error(500, "context window exceeded"),
        _error(400, "The prompt triggered Azure OpenAI's content management policy."),
    ],
)
async def test_messages_that_are_too_long_or_refused_are_not_sent_again(
    chat: TranslatedModel, model: ScriptedOpenAI, error: Callable[[], HTTPException]
) -> None:
    _script(model, {STRICT: error(), JSON: GOOD, TEXT: GOOD})
    with pytest.raises(UnusableOutputError):
        await _call(chat)
    assert _modes(model) == [STRICT]
