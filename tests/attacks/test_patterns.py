"""Patterns: no text stalls the service, because the analysis takes linear time and does not block the event loop."""

import asyncio
import json
import logging
import re
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import product

import httpx
import pytest

import agent
from agent.language.authorship.own_words import mask_quoted
from agent.language.facts.statements import mask_rejected, statement_spans
from agent.language.message_analysis import MessageAnalysis
from agent.language.references.antecedents import find_antecedent
from agent.language.revision.contradictions import contradicts
from agent.memory.formation.coverage import uncovered_statements
from agent.text_process import analyse
from conftest import make_settings, model_settings
from support.client import signed_in
from support.gateway import RunningGateway
from support.growth import growth
from support.patterns import collect_patterns, distinct_characters, repeats_without_bound
from support.scripted_openai import ScriptedOpenAI

logger = logging.getLogger(__name__)

SHORT_CHARS, LONG_CHARS = 4_000, 32_000
SUSPICIOUS_SECONDS = 0.003
SUSPICIOUS_GROWTH = 5.0
"""For four times the text; quadratic growth is 16, and linear growth 4."""
MAX_RATIO = 3.0
"""Of the growth of the time to that of the text; quadratic time would be 8."""

TAIL = "\0x"

SEEDS = (".", "\u00ab", "a", " ", "\n", ";i ", "0", ". ", "- ", "a\n", "A1", ", a", '"a', " I")
"""Repeated texts that were slow once."""
SLOW_ONCE = (
    "agent.chat.memory_tools._SHOWN",
    "agent.language.safety.credentials._IBAN_SHAPE",
    "agent.language.facts.extraction._FILLER",
    "agent.language.facts.extraction._NEXT_STATEMENT",
    "agent.language.authorship.nonliteral._REVOCATION",
    "agent.language.authorship.own_words._LIST_ITEM",
    "agent.language.revision.slots._ADVERBS",
    "agent.language.grounding.support._PATTERNS.affirmation",
    "agent.language.revision.attitudes._PATTERNS.speaker",
    "agent.language.revision.fragments._IDENTITY",
    "agent.language.revision.states._PATTERNS.shared_home_ends",
    "agent.language.grounding.subjects._CLAUSE_END",
    "agent.language.parsing.segments._SEGMENT_END",
)
ALPHABET = "aI0 \n.,;:?!-'\"()[]<>*_/@#\u00ab\u00bb\u201c\u2026\u4e2d\u306f\u0430\u00e9\t"
HOSTILE = (".", "\u00ab", "a", ";i ", "i'm ", "a\n", "my ", "; ", "1.", "\u7684", "- i'm a\n")

# The module of all lazy patterns would hide the names that others give them.
OMITTED = frozenset({"agent.platform", "agent.platform_embed", "agent.language.pattern_files"})
PATTERNS = collect_patterns(agent, without=OMITTED)
FUNCTIONS: dict[str, Callable[[str], object]] = {
    "message": lambda text: MessageAnalysis.of(text, ["I live in Leeds"] * 4),
    "formation": lambda text: list(statement_spans(mask_rejected(mask_quoted(text)))),
    "coverage": lambda text: uncovered_statements(text, ["Lives in Oslo"]),
    "follow-up": lambda text: find_antecedent(text[:200], [text[:1_000]], answers_question=False),
    "contradictions": lambda text: contradicts(text, text, stated_at="2031-05-03"),
}


def search_seconds(pattern: re.Pattern[str], text: str) -> float:
    started = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - started


def repeated(seed: str, chars: int) -> str:
    """A repeated text of a given length, and a tail, so that patterns with a condition after a repetition fail."""
    return (seed * chars)[:chars] + TAIL


def slow_patterns(patterns: dict[str, re.Pattern[str]], seeds: Sequence[str]) -> list[tuple[str, str, float]]:
    """The patterns whose time grows faster than the text, with the seed and the ratio."""
    slow = []
    for (name, pattern), seed in product(patterns.items(), seeds):
        if not _is_suspicious(pattern, seed):
            continue
        ratio = _ratio(pattern, seed)
        if ratio > MAX_RATIO:
            ratio = min(ratio, _ratio(pattern, seed))  # the first may have been disturbed
        if ratio > MAX_RATIO:
            slow.append((name, seed, ratio))
    return slow


def _is_suspicious(pattern: re.Pattern[str], seed: str) -> bool:
    """Check the growth from a quarter of the short text, which takes a fraction of the time of the long one."""
    shorter, short = (repeated(seed, chars) for chars in (SHORT_CHARS // 4, SHORT_CHARS))
    quarter = search_seconds(pattern, shorter)
    if quarter < SUSPICIOUS_SECONDS / 64:  # even if it grew with the square of the length
        return False
    for _ in range(3):  # a single measurement may have been disturbed
        if search_seconds(pattern, short) <= max(SUSPICIOUS_SECONDS / 4, SUSPICIOUS_GROWTH * quarter):
            return False
        quarter = search_seconds(pattern, shorter)
    return True


def _ratio(pattern: re.Pattern[str], seed: str) -> float:
    short, long = (search_seconds(pattern, repeated(seed, chars)) for chars in (SHORT_CHARS, LONG_CHARS))
    return long / max(short, SUSPICIOUS_SECONDS / 4) / (LONG_CHARS / SHORT_CHARS)


def test_all_patterns_of_the_agent_are_collected() -> None:
    assert len(PATTERNS) > 600


@pytest.mark.parametrize("name", SLOW_ONCE)
def test_the_time_of_a_pattern_grows_linearly_with_the_text(name: str) -> None:
    patterns = {path: pattern for path, pattern in PATTERNS.items() if path.startswith(name)}
    assert patterns
    assert slow_patterns(patterns, SEEDS) == []


@pytest.mark.long
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_time_of_every_pattern_grows_linearly_with_the_text(seed: str) -> None:
    assert slow_patterns(PATTERNS, [seed]) == []


@pytest.mark.long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", [name for name, pattern in PATTERNS.items() if repeats_without_bound(pattern)])
def test_the_time_of_a_pattern_grows_linearly_for_every_seed(name: str) -> None:
    assert slow_patterns({name: PATTERNS[name]}, distinct_seeds(PATTERNS[name])) == []


def distinct_seeds(pattern: re.Pattern[str]) -> list[str]:
    """The seeds of up to three characters; one of those that a pattern does not tell apart."""
    chars = distinct_characters(pattern, ALPHABET)
    seeds = ["".join(seed) for length in (1, 2, 3) for seed in product(chars, repeat=length)]
    return [seed for seed in seeds if seed == min(seed[n:] + seed[:n] for n in range(len(seed)))]  # of its rotations


def test_a_pattern_that_takes_quadratic_time_is_found() -> None:
    pattern = re.compile(r"\s+$")
    assert [seed for _, seed, _ in slow_patterns({"spaces": pattern}, [" a", "a", " "])] == [" "]


def test_seeds_differ_where_a_pattern_tells_their_characters_apart() -> None:
    assert distinct_characters(re.compile(r"a+[0-9]\s"), "abc01 \n-") == "ab0 \n-"
    assert distinct_characters(re.compile(r"(?:x|[^-:]\b)+", re.IGNORECASE), "XxY-:;") == "XY-;"


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("seed", HOSTILE)
def test_the_time_of_an_analysis_grows_linearly_with_the_text(name: str, seed: str) -> None:
    assert growth(FUNCTIONS[name], seed) < 24


async def test_a_hostile_text_does_not_block_the_event_loop() -> None:
    text = "I a\n" * 4_000
    await analyse(MessageAnalysis.of, text, (), chars=len(text))  # starts the worker
    gaps = [0.0]

    async def beat() -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(0)
            gaps.append(time.perf_counter() - started)

    heartbeat = asyncio.create_task(beat())
    started = time.perf_counter()
    await analyse(MessageAnalysis.of, text, (), chars=len(text))
    seconds = time.perf_counter() - started
    heartbeat.cancel()
    logger.info("the analysis took %.0f ms and blocked for %.0f ms", seconds * 1000, max(gaps) * 1000)
    assert max(gaps) < seconds / 3


@asynccontextmanager
async def measured_stall(url: str, stalls: list[float]) -> AsyncIterator[None]:
    """Request /healthz all the time, and add the longest time of a request, in seconds."""

    async def measure() -> None:
        async with httpx.AsyncClient(base_url=url) as http:
            while True:
                started = time.perf_counter()
                (await http.get("/healthz")).raise_for_status()
                stalls.append(time.perf_counter() - started)

    task = asyncio.create_task(measure())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_hostile_messages_do_not_delay_other_requests(database: str, model: ScriptedOpenAI) -> None:
    stalls: list[float] = []
    with RunningGateway(make_settings(database, **model_settings(model))) as gateway:
        async with signed_in(gateway.url) as ada, measured_stall(gateway.url, stalls):
            texts = [(seed * 32_000)[:31_990] for seed in HOSTILE] * 2
            replies = await asyncio.gather(*(ada.send(text) for text in texts))
            assert {reply.names[-1] for reply in replies} == {"run.finished"}
    logger.info("the longest of %d requests took %.0f ms", len(stalls), max(stalls) * 1000)
    assert max(stalls) < 1.0  # the promise is 0.1 on an idle machine; it was 12.7


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_a_hostile_import_does_not_delay_other_requests(database: str, model: ScriptedOpenAI) -> None:
    stalls: list[float] = []
    message = {"place": "inbox", "source_thread": str(uuid.uuid4()), "ts": "2031-05-01T09:30:00Z"}
    lines = [message | {"id": str(uuid.uuid4()), "text": (seed * 32_000)[:31_990]} for seed in HOSTILE]
    too_long = {
        "kind": "user",
        "text": "Lives in Oslo",
        "sources": [{"thread": "", "message": "", "quote": "a" * 500_000}],
    }
    with RunningGateway(make_settings(database, **model_settings(model))) as gateway:
        async with signed_in(gateway.url) as ada, measured_stall(gateway.url, stalls):
            body = "\n".join(map(json.dumps, lines)).encode()
            response = await ada.http.post("/memories/import", content=body)
            assert response.status_code == 200, response.text
            rejected = await ada.http.post("/memories/import", content=json.dumps(too_long).encode())
            assert rejected.status_code == 422
    logger.info("the longest of %d requests took %.0f ms", len(stalls), max(stalls) * 1000)
    assert max(stalls) < 1.0
