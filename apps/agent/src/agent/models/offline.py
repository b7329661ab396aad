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

from agent.language.facts.extraction import extract_from_user, own_statements
from agent.language.parsing.sentences import compile_any, plain_punctuation
from agent.language.requests.control_requests import control_request
from agent.language.requests.joints import asks_for_rest
from agent.language.requests.memory_requests import UNCERTAIN, MemoryRequest, memory_requests, remaining_text
from agent.language.requests.notifications import (
    asks_for_notification,
    asks_for_reminder,
    without_notifications,
)
from agent.language.requests.question_context import complete_question
from agent.language.requests.questions import asks_about_user
from agent.language.requests.statement_matching import is_same_statement
from agent.language.requests.value_requests import with_statements
from agent.language.safety.credentials import contains_credentials
from agent.language.safety.prompt_injection import contains_injection
from agent.models.exchanges import answering, exchanges
from agent.models.offline_agenda import answer_about_agenda, without_ended
from agent.models.offline_conversation import answer_about_conversation
from agent.models.offline_crisis import language_of_crisis
from agent.models.offline_follow_ups import corrected_statement, follows_statement
from agent.models.offline_former import answer_about_former
from agent.models.offline_language import Language, language_of_message
from agent.models.offline_parts import list_everything
from agent.models.offline_phrases import PHRASES, Phrases
from agent.models.offline_questions import concerns_user
from agent.models.offline_quotes import is_question, looks_up_word, quote
from agent.models.offline_said import answer_about_saying
from agent.models.offline_statements import (
    MARKUP,
    MAX_CHARS,
    bullets,
    current,
    plain,
    thread_statements,
    with_corrections,
)
from agent.models.offline_tasks import is_task
from agent.models.request_results import PARAGRAPHS, RESULTS, forgotten_texts, translate_results
from agent.settings import CHARS_PER_TOKEN
from agent.text_process import analyse

DONE = "Done for the user just now (tell them; call no tool for it):"
"""The line of a system message that precedes the results of requests to remember or forget, which end the message."""
MEMORY_OFF = "Memory is off"
"""Part of the base prompt of a turn without memory."""
NOT_SAVED = "Nothing of this conversation is saved"
"""Part of the base prompt of a private thread."""

_ASKS_ABOUT_MODEL = compile_any(
    r"\b(?:what|who)(?: are|'re) you\b|\bwhat can you do\b|\bwhat(?:'s| is) your name\b|\bhow do you work\b",
    r"\bare you (?:an? |the )?(?:real|ai|bot|human|person|llm|chatgpt|(?:language )?model)\b|\bwh(?:at|ich) model\b",
    r"\b(?:wer|was) bist du\b|\bwie heißt du\b|\bwas kannst du\b|\bqui[eé]n eres\b|\bqu[eé] eres\b"
    r"|\bcómo te llamas\b",
    r"\bqui es[- ]tu\b|\bcomment tu t'appelles\b|\bchi sei\b|\bcome ti chiami\b|\bquem (?:é você|és tu)\b"
    r"|\bwie ben (?:je|jij)\b|\bhoe heet je\b",
    r"你(?:是谁|叫什么|是什么模型|是机器人|是真人|会什么)",
)
_GREETING = compile_any(
    r"\A\W*(?:hi|hello|hey|good (?:morning|evening|afternoon)|hallo|moin|servus|guten (?:morgen|tag|abend)|hola"
    r"|buen[oa]s(?: (?:días|tardes|noches))?|bonjour|bonsoir|salut|coucou|ciao|buongiorno|buonasera|olá|oi|bom dia"
    r"|boa (?:tarde|noite)|hoi|goede(?:morgen|middag|navond))\b",
    r"\A\W*(?:你好|您好|嗨|哈[喽啰]|早上好|下午好|晚上好)",
)
_THANKS = compile_any(
    r"\A\W*(?:thanks?|thank you|cheers|danke|vielen dank|(?:muchas )?gracias|merci|grazie|obrigad[oa]|bedankt|dank"
    r" je)\b",
    r"\A\W*(?:谢谢|多谢|感谢)",
)


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
    language = language_of_message(message, earlier, (one.text for one in bullets(messages)))
    control = control_request(message)
    requests = [] if control else memory_requests(message)
    done = _done(messages, requests, language)
    if crisis_language := language_of_crisis(message, language):
        return PARAGRAPHS.join(filter(None, [PHRASES[crisis_language].crisis, done]))
    if not done and (told := answer_about_conversation(message, messages, language)):
        return told
    if not done:
        question = complete_question(message, exchanges(messages)[:-1])
        return _answer(question, earlier, messages, language)
    rest = control.rest if control else remaining_text(message, requests) if requests else ""
    forgotten = forgotten_texts(done, language)
    reply = _answer(rest, earlier, messages, language, forgotten=forgotten) if rest else ""
    return f"{done}{PARAGRAPHS}{reply}" if reply and not reply.startswith(_empty_replies(PHRASES[language])) else done


def _empty_replies(phrases: Phrases) -> tuple[str, ...]:
    """Replies that add nothing to the results of requests."""
    return phrases.noted, phrases.cannot_answer, phrases.nothing_to_note, phrases.not_saved


def _done(messages: Sequence[BaseMessage], requests: Sequence[MemoryRequest], language: Language) -> str:
    """What was done for the last user message; empty if nothing was."""
    phrases = PHRASES[language]
    if (certain := [one for one in requests if one.scope not in UNCERTAIN]) and _is_memory_off(messages):
        return phrases.not_saved if certain[0].action == "remember" else phrases.not_forgotten
    texts = [one.text for one in messages if isinstance(one, SystemMessage) and DONE in one.text]
    done = texts[-1].partition(DONE)[2].strip() if texts else ""
    return translate_results(done, language).translate(MARKUP)


def _answer(
    message: str,
    earlier: Sequence[str],
    messages: Sequence[BaseMessage],
    language: Language,
    *,
    forgotten: Sequence[str] = (),
) -> str:
    phrases = PHRASES[language]
    if _ASKS_ABOUT_MODEL.search(message):
        return phrases.about_model
    if contains_credentials(message):
        return phrases.credentials_refused
    if contains_injection(message):
        return phrases.injection_refused
    if asks_for_notification(message):
        rest = without_notifications(message)
        reply = _answer(rest, earlier, messages, language, forgotten=forgotten) if rest else ""
        return _with_notice(reply, message, messages, language)
    known = current(with_corrections(thread_statements(earlier, answering(messages)), messages) + bullets(messages))
    known = [one for one in known if not any(is_same_statement(one.text, text) for text in forgotten)]
    about_saying = answer_about_former(message, messages, known, language)
    about_saying = about_saying or answer_about_saying(message, messages, known, language)
    if about_saying is None:
        about_saying = answer_about_agenda(message, messages, known, language)
    known = without_ended(message, known)
    if about_saying is None and (asks_about_user(message) or (forgotten and asks_for_rest(message))):
        quoted = list_everything(messages, known, language)
    else:
        facts = "; ".join(fact.text for fact in extract_from_user(with_statements(message)))
        facts = facts or corrected_statement([*earlier, message], answering(messages))
        noted = _refusal_to_save(messages, language) or f"{phrases.noted_facts} {plain(facts)}."
        quoted = PARAGRAPHS.join(filter(None, [facts and noted, about_saying or quote(message, known, language)]))
    if not quoted and follows_statement([*earlier, message], answering(messages)):
        return _described(_refusal_to_save(messages, language) or phrases.noted, messages, language)
    return quoted or _reply_without_quote(message, messages, language)


def _with_notice(reply: str, message: str, messages: Sequence[BaseMessage], language: Language) -> str:
    """Add to a reply that the user cannot be notified at a time."""
    phrases, refusal = PHRASES[language], _refusal_to_save(messages, language)
    if asks_for_reminder(message):
        notice = f"{refusal} {phrases.cannot_notify}" if refusal else phrases.cannot_remind
    else:
        notice = phrases.cannot_notify
    if reply and not reply.startswith(_empty_replies(phrases)):
        return f"{reply}{PARAGRAPHS}{notice}"
    return _described(notice, messages, language)


def _is_memory_off(messages: Sequence[BaseMessage]) -> bool:
    return any(MEMORY_OFF in one.text for one in messages if isinstance(one, SystemMessage))


def _refusal_to_save(messages: Sequence[BaseMessage], language: Language) -> str:
    """Why a statement is not saved; empty if it is."""
    if _is_memory_off(messages):
        return PHRASES[language].not_saved
    is_private = any(NOT_SAVED in one.text for one in messages if isinstance(one, SystemMessage))
    return RESULTS[language].incognito if is_private else ""


def _reply_without_quote(message: str, messages: Sequence[BaseMessage], language: Language) -> str:
    """A fixed reply, with the description of the model unless the thread contains it."""
    reply = _fixed_reply(message, PHRASES[language])
    if reply == PHRASES[language].noted:
        reply = _refusal_to_save(messages, language) or reply
    return _described(reply, messages, language)


def _described(reply: str, messages: Sequence[BaseMessage], language: Language) -> str:
    """A reply with the description of the model, unless the thread contains it."""
    replies = [one.text for one in messages if isinstance(one, AIMessage)]
    is_described = any(each.about_model in text for text in replies for each in PHRASES.values())
    return reply if is_described else f"{reply} {PHRASES[language].about_model}"


def _fixed_reply(message: str, phrases: Phrases) -> str:
    if asks_about_user(message) or (is_question(message) and concerns_user(message) and not is_task(message)):
        return phrases.nothing_known
    if _GREETING.match(message):
        return phrases.hello
    if _THANKS.match(message):
        return phrases.welcome
    if is_question(message):
        return phrases.cannot_answer
    return phrases.noted if own_statements(message) and not looks_up_word(message) else phrases.nothing_to_note


def _usage(messages: Sequence[BaseMessage], text: str) -> UsageMetadata:
    read, written = sum(len(message.text) for message in messages) // CHARS_PER_TOKEN, len(text) // CHARS_PER_TOKEN
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
