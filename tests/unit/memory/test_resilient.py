"""A batch without usable output is halved, until one message is left to the rules."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from agent.errors import FormationFailedError, UnusableOutputError
from agent.memory.formation.batch import MAX_CONTEXT_MESSAGES, TIMED_OUT, Batch, ContextMessage
from agent.memory.formation.extract import ExtractedMemories, ExtractedSentence, RulesExtractor
from agent.memory.formation.resilient import ResilientExtractor, halve, max_calls, merge
from agent.memory.formation.shortlist import KnownMemories
from support.formation import ScriptedExtractor, extraction, fact, inbox_item

POISON = "I play the tuba."


@dataclass
class PickyExtractor:
    """Extracts one fact per message and a sentence about the last one, but nothing usable from poisoned batches."""

    batches: list[Batch] = field(default_factory=list)

    async def extract(self, batch: Batch, known: KnownMemories) -> ExtractedMemories:
        del known
        self.batches.append(batch)
        texts = [item.text for item in batch.items]
        if POISON in texts:
            raise UnusableOutputError("no output")
        facts = [fact(f"Says: {text}", text) for text in texts]
        sentence = ExtractedSentence(text=texts[-1], message=len(texts))
        extracted = extraction(*facts, episode=f"User said {len(texts)}.")
        profile = extracted.profile.model_copy(update={"top_of_mind": sentence})
        return extracted.model_copy(update={"profile": profile})


def _batch(texts: Sequence[str], context: Sequence[ContextMessage] = ()) -> Batch:
    return Batch([inbox_item(text, minute=n, answer=f"{n}!") for n, text in enumerate(texts)], context)


def _texts(size: int, *poisoned: int) -> list[str]:
    return [POISON if n in poisoned else f"I own boat {n}." for n in range(size)]


async def _extract(batch: Batch) -> tuple[ExtractedMemories, PickyExtractor]:
    picky = PickyExtractor()
    return await ResilientExtractor(picky, RulesExtractor(), 30).extract(batch, KnownMemories()), picky


async def test_a_usable_batch_takes_one_call() -> None:
    extracted, picky = await _extract(_batch(_texts(8)))
    assert len(extracted.memories) == 8
    assert len(picky.batches) == 1


@pytest.mark.parametrize("size", [1, 2, 3, 8, 13, 50])
async def test_one_message_costs_a_logarithmic_number_of_calls_wherever_it_is(size: int) -> None:
    for poisoned in range(size):
        extracted, picky = await _extract(_batch(_texts(size, poisoned)))
        texts = [memory.text for memory in extracted.memories]
        assert texts == [f"Says: I own boat {n}." if n != poisoned else "Plays the tuba" for n in range(size)]
        assert len(picky.batches) <= max_calls(size) == 1 + 2 * math.ceil(math.log2(size))


async def test_several_messages_are_left_to_the_rules() -> None:
    extracted, _ = await _extract(_batch(_texts(4, 0, 3)))
    texts = [memory.text for memory in extracted.memories]
    assert texts == ["Plays the tuba", "Says: I own boat 1.", "Says: I own boat 2.", "Plays the tuba"]


async def test_a_profile_sentence_keeps_its_message_and_episodes_are_joined() -> None:
    extracted, _ = await _extract(_batch(_texts(4, 3)))
    assert extracted.profile.top_of_mind == ExtractedSentence(text="I own boat 2.", message=3)
    assert extracted.profile.work_context is None
    assert extracted.episode == "User said 2. User said 1."


def test_the_later_sentence_of_a_profile_field_is_kept_and_an_unknown_message_stays_unknown() -> None:
    first = extraction(work_context="Drives a bus.", personal_context="Has a dog.")
    second = extraction(work_context="Drives a tram.")
    merged = merge(first, second, offset=3)
    assert merged.profile.work_context == ExtractedSentence(text="Drives a tram.", message=0)
    assert merged.profile.personal_context == ExtractedSentence(text="Has a dog.", message=0)


def test_the_end_of_the_first_half_is_context_of_the_second() -> None:
    before = [ContextMessage("user", f"before {n}") for n in range(MAX_CONTEXT_MESSAGES)]
    first, second = halve(_batch(["a", "b", "c"], before))
    assert [item.text for item in first.items] == ["a"]
    assert first.context == before
    assert [item.text for item in second.items] == ["b", "c"]
    assert list(second.context) == [*before[2:], ContextMessage("user", "a"), ContextMessage("assistant", "0!")]


async def test_a_model_that_does_not_answer_is_not_replaced_by_the_rules() -> None:
    class Unavailable:
        async def extract(self, batch: Batch, known: KnownMemories) -> ExtractedMemories:
            raise FormationFailedError(f"{len(batch.items)} messages, {len(known.memories)} memories")

    with pytest.raises(FormationFailedError, match="2 messages"):
        await ResilientExtractor(Unavailable(), RulesExtractor(), 30).extract(_batch(["a", "b"]), KnownMemories())


async def test_an_extraction_that_takes_too_long_is_not_replaced_by_the_rules() -> None:
    slow = ScriptedExtractor(lambda *_: extraction())
    slow.may_finish.clear()
    with pytest.raises(FormationFailedError, match=TIMED_OUT):
        await ResilientExtractor(slow, RulesExtractor(), 0.01).extract(_batch(["a", "b"]), KnownMemories())
    assert len(slow.calls) == 1
