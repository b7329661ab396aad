"""Structured calls: a model's answer as an instance of a schema, also from models that do not support schemas.

    strict      the server enforces the schema (`json_schema`)
    JSON mode   the server enforces JSON (`json_object`); the prompt contains the schema
    text        the prompt contains the schema

A mode that the server rejects, or whose answer is unusable, is followed by the next. Answers are parsed tolerantly in
every mode. The mode that works is remembered for each model.
"""

import asyncio
import json
import logging
import re
import weakref
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeVar

import httpx2
from langchain_core.exceptions import ContextOverflowError, OutputParserException
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, ValidationError

from agent.errors import FormationFailedError, ModelUnavailableError, UnusableOutputError
from agent.models.failures import (
    CALL_ERRORS,
    REJECTED,
    IncompleteAnswerError,
    ModelServerError,
    classify,
    is_too_long,
    may_be_unsupported,
    status_of,
)
from agent.models.output_parser import parse_exact, parse_tolerant

logger = logging.getLogger(__name__)

MODEL_ERRORS = (
    ModelServerError,
    IncompleteAnswerError,
    httpx2.HTTPError,
    ModelUnavailableError,
    OutputParserException,
    ValidationError,
    ValueError,  # incomplete JSON
    TypeError,  # a response without choices
)
"""Errors of a model call that has no usable response."""

MAX_FAILURES = 8
"""After this number of unusable answers in succession, all modes are tried again: more than a batch of 50 is halved."""

SCHEMA_PROMPT = "Answer with one JSON object that matches this JSON schema, and with nothing else:\n"

_UNSUPPORTED = re.compile(
    r"response_format|json_schema|json_object|schema|grammar|structured|(?:un|not |n't |that )support", re.IGNORECASE
)
_FILTERED = re.compile(r"content.{0,20}(?:filter|policy|management)|moderation", re.IGNORECASE)

Schema = TypeVar("Schema", bound=BaseModel)


class StructuredModel(Protocol):
    """A chat model whose errors are among `MODEL_ERRORS`."""

    async def ainvoke(
        self,
        input: list[BaseMessage],  # noqa: A002 - LangChain's name
        config: RunnableConfig | None = None,
        **kwargs: Any,  # noqa: ANN401 - as in LangChain
    ) -> AIMessage:
        """Call the model."""
        ...


class Mode(Enum):
    """A way to ask for structured output."""

    STRICT = "strict schemas"
    JSON = "JSON mode"
    TEXT = "plain text"


@dataclass(slots=True)
class _ModeRecord:
    mode: Mode | None = None
    """The mode that works with the model; None: unknown."""
    failures: int = 0
    """Unusable answers in this mode in succession."""

    def count_failure(self) -> None:
        self.failures += 1
        if self.failures == MAX_FAILURES:
            self.mode, self.failures = None, 0


# By the id of the model, because models are not hashable. An entry is removed with its model.
_records: dict[int, _ModeRecord] = {}


class _RejectedError(Exception):
    """The server rejects the request, possibly because of its mode."""


async def call_structured(
    model: StructuredModel, schema: type[Schema], prompt: str, request: str, *, run_name: str
) -> Schema:
    """Call a model in the mode that is known to work, or else in each mode until an answer is usable.

    Args:
        model: one of ours, or a `TranslatedModel`.
        schema: forbids other properties and has no defaults, as strict schemas must.
        prompt: the system message.
        request: the user's message.
        run_name: the name of the call in traces.

    Raises:
        UnusableOutputError: the model answered, but not usably, or the messages are too long for it.
        FormationFailedError: the model did not answer.
    """
    record = _record_of(model)
    known = record.mode
    has_answered, rejection = known is not None, None
    for mode in sorted(Mode, key=lambda mode: mode is not known):
        try:
            messages = _messages(mode, schema, prompt, request)
            text = await _call(model, messages, _response_format(mode, schema), run_name)
        except _RejectedError as error:
            rejection = error
            continue
        has_answered = True
        exact = parse_exact(text, schema)
        output = exact or await asyncio.to_thread(parse_tolerant, text, schema)
        if output is not None:
            # A server that ignores the schema may do worse next time; then, the next modes are tried.
            if exact or mode is not Mode.STRICT:
                _remember(model, record, mode)
            return output
        if mode is known:
            break
    record.count_failure()
    if not has_answered:
        raise FormationFailedError("the model's server rejects the request") from rejection
    raise UnusableOutputError("the model gave no usable output") from rejection


def _record_of(model: StructuredModel) -> _ModeRecord:
    if id(model) not in _records:
        _records[id(model)] = _ModeRecord()
        weakref.finalize(model, _records.pop, id(model), None)
    return _records[id(model)]


def _remember(model: StructuredModel, record: _ModeRecord, mode: Mode) -> None:
    if mode is not record.mode and mode is not Mode.STRICT:
        name = getattr(model, "model_name", type(model).__name__)
        logger.warning("model %s does not support strict schemas; using %s from now on", name, mode.value)
    record.mode, record.failures = mode, 0


async def _call(
    model: StructuredModel, messages: list[BaseMessage], response_format: dict[str, Any] | None, run_name: str
) -> str:
    kwargs: dict[str, Any] = {"response_format": response_format} if response_format else {}
    try:
        answer = await model.ainvoke(messages, {"tags": ["nostream"], "run_name": run_name}, **kwargs)
    except IncompleteAnswerError as error:
        return str(error)
    except MODEL_ERRORS as error:
        raise _classify(error) from None
    return answer.text


def _response_format(mode: Mode, schema: type[BaseModel]) -> dict[str, Any] | None:
    if mode is Mode.STRICT:
        json_schema = {"name": schema.__name__, "schema": schema.model_json_schema(), "strict": True}
        return {"type": "json_schema", "json_schema": json_schema}
    return {"type": "json_object"} if mode is Mode.JSON else None


def _messages(mode: Mode, schema: type[BaseModel], prompt: str, request: str) -> list[BaseMessage]:
    if mode is not Mode.STRICT:
        prompt = f"{prompt}\n\n{SCHEMA_PROMPT}{json.dumps(schema.model_json_schema(), separators=(',', ':'))}"
    return [SystemMessage(prompt), HumanMessage(request)]


def _classify(error: Exception) -> Exception:
    """Decide whether a mode was rejected, the messages were, or the model is unavailable.

    The result does not contain the server's text, which can quote the messages.
    """
    status = status_of(error)
    text = str(error)
    if isinstance(error, ContextOverflowError) or is_too_long(status, text):
        return UnusableOutputError("the messages are too long for the model")
    if status in REJECTED:
        filtered = _FILTERED.search(text)
        return UnusableOutputError("the model's server refuses the messages") if filtered else _RejectedError()
    if may_be_unsupported(error) and _UNSUPPORTED.search(text):
        return _RejectedError()
    failure = classify(error) if isinstance(error, CALL_ERRORS) else ModelUnavailableError()
    return FormationFailedError(f"{failure.title[:1].lower()}{failure.title[1:-1]}")
