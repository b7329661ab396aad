"""The model that answers when there is no key. It looks up what the user told it, and says that it does no more."""

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, NoReturn

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

from agent.language.facts import contains_credentials, contains_injection
from agent.models.offline_statements import (
    Question,
    Statement,
    find,
    from_memory,
    from_message,
    plain,
    questions,
)

WHAT_IT_IS = (
    "I am Keepsake's offline model: no language model, I only look up what you told me."
    " For a real one, set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own."
)
KNOWS_NOTHING = "You have not told me anything about that yet."
LOOKS_UP = "As the offline model I can only look up what you told me; the nearest is:"
NOT_REPEATED = "That looks like a secret. Memory does not keep it, and I do not repeat it."
ORDER = "I only look up what I was told, and nothing that is said to me changes how I work."

_IN_THREAD = "~"  # how `when` begins for what was said in this thread, which is after all that memory holds
_SINGLE = re.compile(r"You (?:live in|moved to|are \d+ years|go by)\b|Your [\w' -]{1,60}? (?:is|are)\b")
_CHARS_A_TOKEN = 4  # about what tokenizers make of English
_MOST_LISTED = 50

_ABOUT_IT = re.compile(
    r"\b(?:what|who)(?: are|['\u2019]?re) you\b|\bwhat can you do\b"
    r"|\bwhat(?:['\u2019]s| is) your name\b|\bhow do you work\b"
    r"|\bare you (?:an? |the )?(?:ai|bot|robot|human|person|real|llm|chatgpt|gpt|claude|(?:language )?model)\b"
    r"|\b(?:what|which) (?:language |ai )?model (?:are|is this|do you)\b",
    re.IGNORECASE,
)
_ABOUT_ALL = re.compile(
    r"\bwhat (?:else |all )?(?:do|did|can) you (?:know|remember|recall)(?: (?:about|of) me)?\W*$"
    r"|\b(?:everything|all|what) (?:that )?you (?:know|remember) about me\b|\btell me about (?:me|myself)\b"
    r"|\bwho am i\b"
    r"|\b(?:list|show)(?: me)? (?:all )?(?:my|your) memor(?:y|ies)\b|\bwhat have i told you\b",
    re.IGNORECASE,
)
_GREETING = re.compile(r"\s*(?:hi|hello|hey|good (?:morning|evening|afternoon))\b", re.IGNORECASE)
_THANKS = re.compile(r"\s*(?:thanks?|thank you|cheers)\b", re.IGNORECASE)
_BULLET = re.compile(
    r"- (?:\[[^\]]{0,30}\] )?(?P<text>.*?)"
    r"(?: *\((?:[^()]{0,40}?(?P<when>\d{4}-\d{2}-\d{2})[^()]{0,40}|(?:said|noted|learned|since|from)\b[^()]{0,80})\))?"
)


class OfflineChat(BaseChatModel):
    """Answers from the tip and the thread, in the user's own words; always the same to the same messages.

    It calls no tools, and gives no structured output.
    """

    @property
    def _llm_type(self) -> str:
        return "keepsake-offline"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],  # noqa: ARG002 - it uses none
        *,
        tool_choice: str | None = None,  # noqa: ARG002 - it uses none
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return itself."""
        return self

    def with_structured_output(self, *args: Any, **kwargs: Any) -> NoReturn:  # noqa: ANN401 - the interface's
        """Refuse: rules extract where there is no language model."""
        raise NotImplementedError("the offline model gives no structured output")

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - its answers are short
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - whoever calls tells the callbacks
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> ChatResult:
        text = answer(messages)
        message = AIMessage(text, usage_metadata=_usage(messages, text))
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - its answers are short
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002 - whoever calls tells the callbacks
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> ChatResult:
        return self._generate(messages)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - its answers are short
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - whoever calls tells the callbacks
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> Iterator[ChatGenerationChunk]:
        text = answer(messages)
        for word in re.findall(r"\s*\S+", text):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        last = AIMessageChunk(content="", usage_metadata=_usage(messages, text), chunk_position="last")
        yield ChatGenerationChunk(message=last)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - its answers are short
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002 - whoever calls tells the callbacks
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._stream(messages):
            yield chunk


def answer(messages: Sequence[BaseMessage]) -> str:
    """Answer the last of the user's messages from the tip and from what the user said before in the thread.

    What the model is, is added to the first answer that has nothing to tell.
    """
    *earlier, asked = [str(message.text) for message in messages if isinstance(message, HumanMessage)] or [""]
    tip = _tip(messages)
    known = _current([*_thread(earlier), *tip])
    if _ABOUT_IT.search(asked):
        return WHAT_IT_IS
    told = (
        _listed([one.text for one in known[:_MOST_LISTED]]) if _ABOUT_ALL.search(asked) else _reply(asked, known, tip)
    )
    if told:
        return told
    explained = any(WHAT_IT_IS in message.text for message in messages if isinstance(message, AIMessage))
    return _empty_handed(asked) if explained else f"{_empty_handed(asked)} {WHAT_IT_IS}"


def _tip(messages: Sequence[BaseMessage]) -> list[Statement]:
    """Return what memory tells, best first: the lines of the system messages that begin with `- `."""
    lines = [line for one in messages if isinstance(one, SystemMessage) for line in one.text.splitlines()]
    bullets = [found for line in lines if (found := _BULLET.fullmatch(line.rstrip()))]
    return [one for found in bullets for one in from_memory(found["text"], found["when"] or "")]


def _thread(earlier: Sequence[str]) -> list[Statement]:
    """Return what the user said before in this thread, the latest first."""
    said = [one for n, text in enumerate(earlier) for one in from_message(text, f"{_IN_THREAD}{n:06}")]
    return said[::-1]


def _current(known: Sequence[Statement]) -> list[Statement]:
    """Drop what was said twice, and what a later statement replaces, as far as the times tell."""
    newest: dict[str, str] = {}
    for one in known:
        newest[_about(one)] = max(newest.get(_about(one), ""), one.when)
    once = {one.text.casefold(): one for one in reversed(known)}
    return [one for one in reversed(once.values()) if not _is_replaced(one, newest[_about(one)])]


def _is_replaced(one: Statement, newest: str) -> bool:
    return one.when < newest if one.when else newest.startswith(_IN_THREAD)


def _about(one: Statement) -> str:
    """Return what only one thing can be said of at a time, "You live in"; else the whole statement."""
    single = _SINGLE.match(one.text)
    return single[0].replace("moved to", "live in") if single else one.text


def _reply(asked: str, known: Sequence[Statement], tip: Sequence[Statement]) -> str:
    """Return what there is to tell, or nothing."""
    if contains_credentials(asked):
        return NOT_REPEATED
    if contains_injection(asked):
        return ORDER
    noted = [one.text for one in from_message(asked)]
    acknowledged = f"Noted: {'; '.join(text[:1].lower() + text[1:] for text in noted)}." if noted else ""
    return "\n".join(filter(None, (acknowledged, _looked_up(questions(asked), known, tip))))


def _looked_up(asked: Sequence[Question], known: Sequence[Statement], tip: Sequence[Statement]) -> str:
    """Answer each of the things asked, in one list; nothing when there is nothing near them either."""
    found = [(question, find(question, known)) for question in asked]
    exact = list(dict.fromkeys(one.text for _, each in found if each.exactly for one in each.statements))
    if exact:
        missing = [f"Nothing yet about \u201c{plain(one.text)}\u201d" for one, each in found if not each.statements]
        return _listed([*exact, *missing])
    near = list(dict.fromkeys(one.text for _, each in found for one in each.statements))
    if not near and any(question.is_own for question in asked):
        near = [one.text for one in tip[:1]]  # memory found it to be about this, if loosely
    return f"{LOOKS_UP}\n{_listed(near)}" if near else ""


def _listed(texts: Sequence[str]) -> str:
    return f"{texts[0]}." if len(texts) == 1 else "\n".join(f"- {text}" for text in texts)


def _empty_handed(asked: str) -> str:
    if questions(asked) or _ABOUT_ALL.search(asked):
        return KNOWS_NOTHING
    if _GREETING.match(asked):
        return "Hello."
    return "You are welcome." if _THANKS.match(asked) else "Noted."


def _usage(messages: Sequence[BaseMessage], text: str) -> UsageMetadata:
    """Estimate the tokens."""
    read = sum(len(message.text) for message in messages) // _CHARS_A_TOKEN
    written = len(text) // _CHARS_A_TOKEN
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
