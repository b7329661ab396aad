"""Coverage: processing the inbox loses nothing that could be recalled from it, with every extractor."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.client import ApiClient, new_thread
from support.scripted_openai import Message, ScriptedOpenAI

CONCURRENCY = 4
THREADS = 4
MIN_ANSWERED = 0.7
"""Share of the questions that must be answered before the flush, so that a comparison means something."""


class Statement(NamedTuple):
    """A message, a question about it, and a string that what is recalled must contain."""

    message: str
    question: str
    needle: str


STATEMENTS = tuple(
    map(
        Statement._make,
        [
            (
                "badly allergic to sulphites, no wine for me",
                "What am I badly allergic to?",
                "sulphites",
            ),
            ("We're expecting our second kid in spring!", "When is our second kid due?", "spring"),
            ("My late aunt Rosalind left me her piano.", "Who left me a piano?", "rosalind"),
            ("the dog ate my passport so the trip to Crete is off", "Why is the trip off?", "passport"),
            ("I do my best thinking on the ferry.", "Where do I do my best thinking?", "ferry"),
            ("gave up the choir, no time since the twins", "What did I give up?", "choir"),
            ("um so basically I run the ghost tour on Fridays", "What do I run on Fridays?", "ghost"),
            ("I am obliged to use a magnifier for small print.", "What do I use for small print?", "magnifier"),
            ("i is working in the fish market since 5 years", "Where am I working?", "fish"),
            ("mortgage got approved today, 240k, I can't believe it", "Was my mortgage approved?", "240k"),
            ("Long story, but the upshot is that our shed is now a cinema.", "What is our shed now?", "cinema"),
            ("my bro n me dont talk anymore", "Do my bro and me talk?", "anymore"),
            ("no phone calls before noon please, I work late", "When should nobody make phone calls to me?", "noon"),
            ("We never fly; trains only, for the climate.", "How do we travel, do we fly?", "trains"),
            ("My physio says six more weeks of exercises.", "How long do I do the exercises of my physio?", "six"),
            ("Wir erwarten im Mai Zwillinge.", "Was erwarten wir im Mai?", "zwillinge"),
            ("Ich vertrage keine Tomaten.", "Was vertrage ich nicht?", "tomaten"),
            ("Mein Opa war Uhrmacher in Glashütte.", "Was war mein Opa?", "uhrmacher"),
            ("Mi perro Trufa cumple tres años.", "¿Cómo se llama mi perro?", "trufa"),
            ("soy intolerante a la fructosa", "¿A qué soy intolerante?", "fructosa"),
            ("Trabajo de noche en una panadería.", "¿En qué trabajo de noche?", "panadería"),
            ("Mon fils Gaspard est sourd.", "Comment s'appelle mon fils ?", "gaspard"),
            ("on emménage à Quimper en août", "Où est-ce qu'on emménage en août ?", "quimper"),
            ("Je suis menuisière depuis vingt ans.", "Que suis-je depuis vingt ans ?", "menuisière"),
            ("我在昆明开花店。", "我在昆明开什么店?", "花店"),
            ("我妈妈对芒果过敏。", "我妈妈对什么过敏?", "芒果"),
            ("أعمل معلمة في مدرسة ابتدائية.", "أين أعمل معلمة؟", "مدرسة"),
            ("ابني زيد يعاني من الربو.", "ماذا يعاني ابني زيد؟", "الربو"),
            ("Sono sarta e lavoro a Matera.", "Dove lavoro come sarta?", "matera"),
            ("Mieszkam w Toruniu z babcią.", "Gdzie mieszkam z babcią?", "toruniu"),
        ],
    )
)

Structured = Callable[[Sequence[Message], Mapping[str, Any]], Mapping[str, Any] | str]

NO_PROFILE = {"work_context": None, "personal_context": None, "top_of_mind": None}
NOTHING = {"memories": [], "profile": NO_PROFILE, "episode": ""}


def extract_nothing(_: Sequence[Message], __: Mapping[str, Any]) -> Mapping[str, Any]:
    return NOTHING


def answer_in_prose(_: Sequence[Message], __: Mapping[str, Any]) -> str:
    return "Nothing to report."


def extract_one_fact(messages: Sequence[Message], _: Mapping[str, Any]) -> Mapping[str, Any]:
    """One memory, of a part of one of the new messages, and an episode about another."""
    new = messages[-1]["content"].rpartition("New messages:")[2]
    said = [statement.message for statement in STATEMENTS if statement.message in new]
    if not said:
        return NOTHING
    fields = {"kind": "user", "category": "personal", "confidence": 0.9, "standing": False}
    links = {"until": None, "same_as": None, "replaces": None}
    memory = {"text": said[0], "quote": said[0], **fields, **links}
    return {"memories": [memory], "profile": NO_PROFILE, "episode": f"User said: {said[-1]}"}


async def _state(client: ApiClient, statements: Sequence[Statement]) -> None:
    """Say everything, in a few threads."""
    threads = [new_thread() for _ in range(THREADS)]

    async def say(n: int) -> None:
        for statement in statements[n::THREADS]:
            await client.send(statement.message, thread=threads[n])

    await asyncio.gather(*map(say, range(THREADS)))


async def _answered(client: ApiClient, statements: Sequence[Statement]) -> set[Statement]:
    """The statements that are recalled for their question in a new thread."""
    limit = asyncio.Semaphore(CONCURRENCY)

    async def ask(statement: Statement) -> bool:
        async with limit:
            recalled = (await client.send(statement.question)).recalled
        return any(statement.needle in text.lower() for text in recalled)

    known = await asyncio.gather(*map(ask, statements))
    return {statement for statement, is_known in zip(statements, known, strict=True) if is_known}


async def _check_that_nothing_is_lost(client: ApiClient, statements: Sequence[Statement]) -> None:
    await _state(client, statements)
    before = await _answered(client, statements)
    assert len(before) >= MIN_ANSWERED * len(statements)
    await client.flush()
    assert not before - await _answered(client, sorted(before))


async def test_rules_keep_what_could_be_recalled_from_the_inbox(ada: ApiClient) -> None:
    await _check_that_nothing_is_lost(ada, STATEMENTS)


@pytest.mark.parametrize("structured", [extract_nothing, answer_in_prose, extract_one_fact])
async def test_a_model_that_misses_facts_loses_nothing_that_could_be_recalled(
    client: ApiClient, model: ScriptedOpenAI, structured: Structured
) -> None:
    model.script.structured = structured
    model.script.reply = lambda _: "Nothing to report."
    await _check_that_nothing_is_lost(client, STATEMENTS[::4])


async def test_a_statement_that_is_repeated_word_for_word_is_kept_once(ada: ApiClient) -> None:
    messages = ("my bro n me dont talk anymore", "the dog ate my passport so the trip to Crete is off")
    for message in messages:
        await ada.send(message)
    await ada.flush()
    [first] = [memory for memory in await ada.memories() if memory["text"] == messages[0]]
    await ada.send(messages[0])
    await ada.send(messages[0])
    await ada.flush()
    memories = await ada.memories()
    assert sorted(memory["text"] for memory in memories) == sorted(messages)
    [kept] = [memory for memory in memories if memory["text"] == messages[0]]
    assert kept["ts"] > first["ts"]
    assert messages[0] in (await ada.send("Do my bro and me talk?")).recalled
