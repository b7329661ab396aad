"""The model that answers when there is no key: it looks up what the user told it, and says so."""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from agent.memory.rules import clauses, extract_from_user, only_asks
from agent.models.second_person import second_person

WHAT_IT_IS = (
    "I am Keepsake's offline model: no language model, I only look up what you told me. "
    "For a real one, set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own."
)
KNOWS_NOTHING = "You have not told me anything about that yet."
LOOKS_UP = "As the offline model I can only look up what you told me; the nearest is:"
MOST_SHOWN = 12

_WORD = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"\s*\S+")
_PARTS = re.compile(r"[?;]|,? and (?=wh|how|do |is |are |my )|, (?=wh|how)", re.IGNORECASE)
_ABOUT_ITSELF = re.compile(
    r"\b(?:who|what) are you\b|\bare you (?:an? )?(?:real|ai|bot|human|chatgpt|language)", re.IGNORECASE
)
_EVERYTHING = re.compile(r"\bwhat (?:all )?do you (?:know|remember)(?: about me)?\s*\??$|\babout me\b", re.IGNORECASE)
_STOP = frozenset(
    (
        "a about am an and any are as at be been can could did do does for from had has have how i if in is it its kind "
        "me my of on or please s should tell that the them there this to up was we were what when where which who whom "
        "whose why will with would you your"
    ).split()
)
# Words by which people ask for what they told in other words.
_SAME = {
    "live": "home reside city town address based moved lives living apartment house",
    "work": "job profession occupation employer career works",
    "like": "love enjoy prefer favourite favorite fond loves likes prefers",
    "call": "called name named nickname",
    "allerg": "allergic allergy allergies",
    "play": "instrument plays playing",
    "eat": "food diet eats vegetarian vegan meal",
    "old": "age years born birthday",
}
_CANON = {word: canon for canon, words in _SAME.items() for word in (canon, *words.split())}


class OfflineChat(BaseChatModel):
    """Answers from memory and thread by picking what is most relevant; the same question has always the same answer.

    The memories are the lines that begin with `- ` in the system messages. Text comes out in words, as tokens do.
    """

    @property
    def _llm_type(self) -> str:
        return "keepsake-offline"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the interface's
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - the interface's
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> ChatResult:
        text = answer(messages)
        message = AIMessage(text, usage_metadata=_usage(messages, text))
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the interface's
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(messages):
            if run_manager is not None:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the interface's
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(messages):
            if run_manager is not None:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk


def answer(messages: Sequence[BaseMessage]) -> str:
    """Return the answer to the last message."""
    text = messages[-1].text
    known = [*_own_words(messages[:-1]), *_bullets(messages)]
    if _ABOUT_ITSELF.search(text):
        return WHAT_IT_IS
    if not only_asks(text):
        return _acknowledgement(text)
    if _EVERYTHING.search(text):
        return _listed(_said(known)[:MOST_SHOWN]) if known else f"{KNOWS_NOTHING} {WHAT_IT_IS}"
    found = _looked_up(text, known)
    if found:
        return _listed(found)
    nearest = _said(_bullets(messages))[:1]
    return f"{LOOKS_UP}\n{_listed(nearest)}" if nearest else f"{KNOWS_NOTHING} {WHAT_IT_IS}"


def _looked_up(question: str, known: Sequence[str]) -> list[str]:
    """Return what fits each part of a question best, each once."""
    said = _said(known)
    found: list[str] = []
    for part in _PARTS.split(question):
        asked = _stems(part)
        scores = [len(asked & _stems(text)) / (1 + len(_stems(text))) ** 0.5 for text in said]
        best = max(scores, default=0.0)
        if best > 0:
            found.append(said[scores.index(best)])
    return list(dict.fromkeys(found))


def _said(known: Sequence[str]) -> list[str]:
    """Split what is known into single statements, and say each to the user."""
    statements = [statement for text in known for statement in _statements(text)]
    return list(dict.fromkeys(filter(None, map(second_person, statements))))


def _statements(text: str) -> list[str]:
    facts = [fact.text for fact in extract_from_user(text)]
    return facts or clauses(text) or [text]


def _acknowledgement(text: str) -> str:
    facts = [second_person(fact.text) for fact in extract_from_user(text)]
    if not facts:
        return "I have read that. As the offline model I can only keep and look up what you tell me about yourself."
    noted = "; ".join([facts[0], *(fact[:1].lower() + fact[1:] for fact in facts[1:])])
    return f"Noted: {noted[:1].lower()}{noted[1:]}."


def _listed(found: Sequence[str]) -> str:
    return f"{found[0]}." if len(found) == 1 else "\n".join(f"- {text}" for text in found)


def _bullets(messages: Sequence[BaseMessage]) -> list[str]:
    return [
        line.removeprefix("- ")
        for message in messages
        if isinstance(message, SystemMessage)
        for line in message.text.splitlines()
        if line.startswith("- ")
    ]


def _own_words(messages: Sequence[BaseMessage]) -> list[str]:
    """Return what the user told in this thread, the latest first."""
    told = [message.text for message in messages if isinstance(message, HumanMessage)]
    return [text for text in reversed(told) if not only_asks(text)]


def _stems(text: str) -> frozenset[str]:
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(_CANON.get(word) or _stem(word) for word in words if word not in _STOP)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:  # noqa: PLR2004 - shorter ones are no stems
            word = word.removesuffix(ending)
            break
    return word.rstrip("yi") if word.endswith(("y", "i")) else word.rstrip("e")


def _chunks(messages: Sequence[BaseMessage]) -> Iterator[ChatGenerationChunk]:
    text = answer(messages)
    pieces = _PIECE.findall(text)
    for n, piece in enumerate(pieces, start=1):
        usage = _usage(messages, text) if n == len(pieces) else None
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece, usage_metadata=usage))


def _usage(messages: Sequence[BaseMessage], text: str) -> UsageMetadata:
    """Count words: it has no tokens."""
    read, written = sum(len(message.text.split()) for message in messages), len(text.split())
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
