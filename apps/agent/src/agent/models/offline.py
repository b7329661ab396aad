"""The offline model: answers by quoting the user. It is used when no model server is configured.

It reads what the user said earlier in the thread, and the bullets of the system messages (see
`agent.memory.recall.tip`), drops superseded statements, and quotes those that match the question, best match first.
"""

import re
from collections.abc import AsyncIterator, Sequence
from typing import NoReturn, Self

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from agent.language.facts.extraction import contains_only_requests, extract_from_user, own_statements, plain_clauses
from agent.language.facts.personal_requests import is_reminder
from agent.language.parsing.sentences import compile_any, plain_punctuation
from agent.language.requests.memory_requests import (
    UNCERTAIN,
    MemoryRequest,
    memory_requests,
    remaining_text,
)
from agent.language.requests.questions import asks_about_user, is_personal
from agent.language.safety.credentials import contains_credentials
from agent.language.safety.prompt_injection import contains_injection
from agent.models.offline_statements import MARKUP, MAX_CHARS, Statement, bullets, current, plain, thread_statements
from agent.models.word_match import MIN_COVERAGE, match_scores, stems
from agent.settings import CHARS_PER_TOKEN
from agent.text_process import analyse

ABOUT_MODEL = (
    "I am Keepsake's offline model. I am not a language model: I only quote what you told me."
    " To use a language model, set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own."
)
QUOTED = "You told me:"
CLOSEST = "The offline model found no direct answer. The closest that you told me:"
NOTHING_KNOWN = "You have not told me anything about that yet."
NOTED = "Noted."
NOTHING_TO_NOTE = "All right."
DONE = "Done for the user just now (tell them; call no tool for it):"
"""The line of a system message that precedes the results of requests to remember or forget, which end the message."""
MEMORY_OFF = "Memory is off"
"""Part of the base prompt of a turn without memory."""
NOT_SAVED = "Memory is off, so this is not saved."
NOT_FORGOTTEN = "Memory is off, so nothing is forgotten."
CANNOT_ANSWER = "I cannot answer that."
CANNOT_REMIND = "Noted. I cannot remind you at a time, but you can ask me about it."
CREDENTIALS_REFUSED = (
    "That looks like a password, key or account number. I do not remember it, but this thread still contains it:"
    " to remove it, delete the thread."
)
INJECTION_REFUSED = "I only quote what you told me. Instructions cannot change that."

MAX_QUOTES = 5  # per question
NEAR_BEST = 0.8  # share of the best score that a statement must reach
_ASKS_ABOUT_MODEL = compile_any(
    r"\b(?:what|who)(?: are|'re) you\b|\bwhat can you do\b|\bwhat(?:'s| is) your name\b|\bhow do you work\b",
    r"\bare you (?:an? |the )?(?:real|ai|bot|human|person|llm|chatgpt|(?:language )?model)\b|\bwh(?:at|ich) model\b",
)
_GREETING = compile_any(r"\A\s*(?:hi|hello|hey|good (?:morning|evening|afternoon))\b")
_THANKS = compile_any(r"\A\s*(?:thanks?|thank you|cheers)\b")
_NAME = re.compile(r"(?<=\w )[A-Z\u00c0-\u00de][\w'-]+")  # not the first word


class OfflineChat(BaseChatModel):
    """A deterministic chat model without tools and structured output."""

    @property
    def _llm_type(self) -> str:
        return "keepsake-offline"

    def bind_tools(self, *_: object, **__: object) -> Self:
        """Ignore the tools."""
        return self

    def with_structured_output(self, *_: object, **__: object) -> NoReturn:
        """Raise NotImplementedError: without a language model, rules extract memories."""
        raise NotImplementedError("the offline model gives no structured output")

    def _generate(self, messages: list[BaseMessage], *_: object, **__: object) -> ChatResult:
        return _result(messages, answer(messages))

    async def _agenerate(self, messages: list[BaseMessage], *_: object, **__: object) -> ChatResult:
        return _result(messages, await _answer_async(messages))

    async def _astream(
        self, messages: list[BaseMessage], *_: object, **__: object
    ) -> AsyncIterator[ChatGenerationChunk]:
        text = await _answer_async(messages)
        for word in re.findall(r"\s*\S+", text):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        last = AIMessageChunk(content="", usage_metadata=_usage(messages, text), chunk_position="last")
        yield ChatGenerationChunk(message=last)


async def _answer_async(messages: list[BaseMessage]) -> str:
    return await analyse(
        answer, messages, chars=sum(len(message.text) for message in messages if message.type == "human")
    )


def _result(messages: Sequence[BaseMessage], text: str) -> ChatResult:
    return ChatResult(generations=[ChatGeneration(message=AIMessage(text, usage_metadata=_usage(messages, text)))])


def answer(messages: Sequence[BaseMessage]) -> str:
    """Answer the last user message; the first answer without a quotation also describes the model."""
    *earlier, message = [str(one.text) for one in messages if isinstance(one, HumanMessage)] or [""]
    message = plain_punctuation(message[:MAX_CHARS])
    requests = memory_requests(message)
    if not (done := _done(messages, requests)):
        return _answer(message, earlier, messages)
    rest = remaining_text(message, requests) if requests else ""
    reply = _answer(rest, earlier, messages) if rest else ""
    says_more = reply and not reply.startswith((NOTED, CANNOT_ANSWER, NOTHING_TO_NOTE, NOT_SAVED))
    return f"{done}\n{reply}" if says_more else done


def _done(messages: Sequence[BaseMessage], requests: Sequence[MemoryRequest]) -> str:
    """What was done for the last user message; empty if nothing was."""
    if (certain := [one for one in requests if one.scope not in UNCERTAIN]) and _is_memory_off(messages):
        return NOT_SAVED if certain[0].action == "remember" else NOT_FORGOTTEN
    texts = [one.text for one in messages if isinstance(one, SystemMessage) and DONE in one.text]
    return texts[-1].partition(DONE)[2].strip().translate(MARKUP) if texts else ""


def _answer(message: str, earlier: Sequence[str], messages: Sequence[BaseMessage]) -> str:
    if _ASKS_ABOUT_MODEL.search(message):
        return ABOUT_MODEL
    if contains_credentials(message):
        return CREDENTIALS_REFUSED
    if contains_injection(message):
        return INJECTION_REFUSED
    known = current(thread_statements(earlier) + bullets(messages))
    if asks_about_user(message):
        quoted = _listed(QUOTED, known)
    else:
        facts = "; ".join(fact.text for fact in extract_from_user(message))
        noted = NOT_SAVED if _is_memory_off(messages) else f"Noted: {plain(facts)}."
        quoted = "\n".join(filter(None, [facts and noted, _quote(message, known)]))
    if quoted:
        return quoted
    reply = _reply_without_quote(message)
    if reply in {NOTED, CANNOT_REMIND} and _is_memory_off(messages):
        reply = NOT_SAVED
    described = any(ABOUT_MODEL in one.text for one in messages if isinstance(one, AIMessage))
    return reply if described else f"{reply} {ABOUT_MODEL}"


def _is_memory_off(messages: Sequence[BaseMessage]) -> bool:
    return any(MEMORY_OFF in one.text for one in messages if isinstance(one, SystemMessage))


def _quote(message: str, known: Sequence[Statement]) -> str:
    requests = [clause for clause in plain_clauses(message) if contains_only_requests(clause)]
    requests = requests or ([message] if message.rstrip().endswith("?") else [])
    questions = [part for request in requests for part in request.split(" and ") if stems(part)]
    matches = [one for question in questions for one in _matches(question, known)]
    if matches:
        return _listed(QUOTED, matches)
    recalled = [one for one in known if one.index < 0]
    if not any(map(is_personal, questions)):
        names = {name for question in questions for name in _NAME.findall(question)}
        recalled = [one for one in recalled if any(name in one.text for name in names)]
    return _listed(CLOSEST, recalled[:MAX_QUOTES])


def _matches(question: str, known: Sequence[Statement]) -> list[Statement]:
    scores = dict(zip(known, match_scores(question, [one.text for one in known]), strict=True))
    required = NEAR_BEST * max(scores.values(), default=0.0)
    best = [one for one in known if scores[one] >= max(MIN_COVERAGE, required)]
    return sorted(best, key=lambda one: -scores[one])[:MAX_QUOTES]


def _listed(title: str, statements: Sequence[Statement]) -> str:
    texts = dict.fromkeys(one.text for one in statements if one.text)
    return "\n".join([title, *(f"- {text}" for text in texts)]) if texts else ""


def _reply_without_quote(message: str) -> str:
    if is_reminder(message):
        return CANNOT_REMIND
    if asks_about_user(message) or (contains_only_requests(message) and is_personal(message)):
        return NOTHING_KNOWN
    if _GREETING.match(message):
        return "Hello."
    if _THANKS.match(message):
        return "You are welcome."
    if contains_only_requests(message):
        return CANNOT_ANSWER
    return NOTED if own_statements(message) else NOTHING_TO_NOTE


def _usage(messages: Sequence[BaseMessage], text: str) -> UsageMetadata:
    read, written = sum(len(message.text) for message in messages) // CHARS_PER_TOKEN, len(text) // CHARS_PER_TOKEN
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
