"""Calibration: what the cosines of an embedding model mean."""

import logging
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from io import BytesIO

import numpy as np
import pytest

from agent.errors import EmbedderUnavailableError
from agent.memory.recall.calibration import (
    GENERAL_FLOOR,
    MANY_ROWS,
    NEIGHBOURS,
    PERSONAL_FLOOR,
    STANDING_MARGIN,
    UNCALIBRATED,
    Calibration,
    Calibrator,
    calibrate,
)
from agent.models.embeddings import CachedEmbeddings
from agent.models.minilm import MiniLM
from agent.settings import MINILM, MINILM_DIMS
from support.memory_stores import USER, recaller, unavailable
from support.minilm_calibration import calibrate_minilm

FLOAT16_ERROR = 0.001  # of a unit vector's components


class _KeptValues:
    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    async def find_installation_value(self, name: str) -> str | None:
        return self._values.get(name)

    async def installation_value(self, name: str, candidate: str) -> str:
        return self._values.setdefault(name, candidate)


@pytest.fixture(scope="module")
def minilm() -> Calibration:
    return Calibration.of_minilm()


def _calibration(standing: list[list[float]], other: list[list[float]], *, related: float = 1.0) -> Calibration:
    return Calibration(0.0, related, np.array(standing, np.float32), np.array(other, np.float32))


async def test_the_file_of_the_built_in_model_is_up_to_date(minilm: Calibration) -> None:
    """Run `make calibration` after a change of `calibration.toml`."""
    fresh = await calibrate_minilm()
    assert (minilm.unrelated, minilm.related) == pytest.approx((fresh.unrelated, fresh.related), abs=FLOAT16_ERROR)
    for stored, computed in ((minilm.standing, fresh.standing), (minilm.other, fresh.other)):
        assert stored.shape == computed.shape
        assert np.abs(stored.astype(np.float32) - computed.astype(np.float32)).max() <= FLOAT16_ERROR


def test_a_saved_calibration_is_read_unchanged(minilm: Calibration) -> None:
    minilm.save(buffer := BytesIO())
    buffer.seek(0)
    loaded = Calibration.load(buffer)
    assert (loaded.unrelated, loaded.related) == (minilm.unrelated, minilm.related)
    assert np.array_equal(loaded.standing, minilm.standing)
    assert np.array_equal(loaded.other, minilm.other)


async def test_an_installation_calibrates_a_model_once() -> None:
    kept, texts = _KeptValues(), list[str]()

    async def embed(batch: Sequence[str]) -> list[list[float]]:
        texts.extend(batch)
        return [[float(len(text)), 1.0] for text in batch]

    first = Calibrator(CachedEmbeddings(embed), "model", 2)
    await first.calibrate(kept)
    count = len(texts)
    second = Calibrator(CachedEmbeddings(embed), "model", 2)
    await second.calibrate(kept)
    assert count > 0
    assert len(texts) == count
    assert second.current.related == first.current.related
    assert np.array_equal(second.current.standing, first.current.standing)


def test_vectors_are_padded_to_the_dimensions_of_the_store(minilm: Calibration) -> None:
    padded = Calibration.of_minilm(MINILM_DIMS + 8)
    assert padded.standing.shape[1] == padded.other.shape[1] == MINILM_DIMS + 8
    assert np.array_equal(padded.standing[:, :MINILM_DIMS], minilm.standing)
    assert not padded.standing[:, MINILM_DIMS:].any()


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Bee stings close my throat within minutes.", True),
        ("I get around with a walking cane since the accident.", True),
        ("My little girls start school this autumn.", True),
        ("I watched a great documentary about whales yesterday.", False),
        ("My bike has a flat tyre again.", False),
        ("The concert last night was too loud.", False),
    ],
)
async def test_a_statement_in_other_words_is_recognised_by_its_vector(
    minilm: Calibration, statement: str, *, expected: bool
) -> None:
    [vector] = await MiniLM().aembed_documents([statement])
    assert minilm.is_standing(vector) is expected


async def test_the_examples_themselves_are_recognised(minilm: Calibration) -> None:
    assert np.mean([minilm.is_standing(vector.tolist()) for vector in minilm.standing]) > 0.9
    assert np.mean([minilm.is_standing(vector.tolist()) for vector in minilm.other]) < 0.1


def test_a_statement_must_be_nearer_to_several_standing_examples_by_a_margin() -> None:
    near, far = [0.8, 0.6], [0.8 - STANDING_MARGIN, 0.6]
    for offset, expected in ((0.01, False), (-0.01, True)):
        other = [[far[0] + offset, 0.6]] * NEIGHBOURS
        assert _calibration([near] * NEIGHBOURS, other).is_standing([2.0, 0.0]) is expected
    single = _calibration([[1.0, 0.0], *[[0.0, 1.0]] * NEIGHBOURS], [[0.5, 0.5]] * NEIGHBOURS)
    assert not single.is_standing([1.0, 0.0])
    assert _calibration([near] * 2, [far] * 2, related=0.9).is_standing([1.0, 0.0])
    assert not _calibration([near] * 2, [far] * 2, related=1.1).is_standing([1.0, 0.0])


def test_the_zero_vector_and_a_model_without_examples_show_nothing() -> None:
    assert not _calibration([[1.0, 0.0]], [[0.0, 1.0]]).is_standing([0.0, 0.0])
    assert not UNCALIBRATED.is_standing([1.0, 0.0])


def test_the_minimum_is_between_unrelated_and_related_texts() -> None:
    calibration = Calibration(0.7, 0.9, UNCALIBRATED.standing, UNCALIBRATED.other)
    for personal, (few, many) in ((True, PERSONAL_FLOOR), (False, GENERAL_FLOOR)):
        assert calibration.floor(personal=personal, rows=0, centring=0.0) == pytest.approx(0.7 + few * 0.2)
        assert calibration.floor(personal=personal, rows=MANY_ROWS, centring=0.0) == pytest.approx(0.7 + many * 0.2)
        assert calibration.floor(personal=personal, rows=9_999, centring=0.5) == pytest.approx(0.35 + many * 0.2)
        assert calibration.floor(personal=personal, rows=1, centring=0.0) < calibration.floor(
            personal=personal, rows=2, centring=0.0
        )
    assert Calibration(0.5, 0.4, UNCALIBRATED.standing, UNCALIBRATED.other).spread == 0.01


async def test_another_model_is_calibrated_from_its_own_cosines() -> None:
    async def embed(texts: Sequence[str]) -> list[list[float]]:
        """Vectors of length 2 that differ by the text's length only."""
        return [[2.0 * np.cos(len(text)), 2.0 * np.sin(len(text))] for text in texts]

    embeddings = CachedEmbeddings(embed)
    calibrator = Calibrator(embeddings, "a model", 2)
    assert (calibrator.current, calibrator.is_complete) == (UNCALIBRATED, False)
    await calibrator.calibrate()
    assert calibrator.is_complete
    assert -1 < calibrator.current.unrelated < 1
    lengths = np.linalg.norm(calibrator.current.standing.astype(np.float32), axis=1)
    assert lengths == pytest.approx(np.ones(len(lengths)), abs=FLOAT16_ERROR)


async def test_only_a_statement_and_its_own_question_are_related() -> None:
    pairs = tomllib.loads(files("agent.memory.recall").joinpath("calibration.toml").read_text(encoding="utf-8"))[
        "pairs"
    ]
    axes = {text: n for n, pair in enumerate(pairs) for text in pair}

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[float(axes.get(text) == n) for n in range(len(pairs))] for text in texts]

    calibration = await calibrate(CachedEmbeddings(embed))
    assert (calibration.related, calibration.unrelated) == (1.0, 0.0)
    assert len(axes) == 2 * len(pairs)


async def test_a_model_that_does_not_answer_keeps_typical_values(caplog: pytest.LogCaptureFixture) -> None:
    calibrator = Calibrator(CachedEmbeddings(unavailable), "a model", 2)
    with caplog.at_level(logging.WARNING):
        await calibrator.calibrate()
    assert calibrator.current is UNCALIBRATED
    assert "not calibrated" in caplog.text
    with pytest.raises(EmbedderUnavailableError):
        await calibrate(CachedEmbeddings(unavailable))


def test_the_built_in_model_needs_no_calibration() -> None:
    calibrator = Calibrator(CachedEmbeddings(unavailable), MINILM, MINILM_DIMS)
    assert calibrator.is_complete
    assert calibrator.current.related > calibrator.current.unrelated


async def test_recall_recognises_standing_statements_with_the_current_calibration() -> None:
    one = recaller()
    assert not await one.is_standing(USER, "a 1.0")
    one.calibrator.current = _calibration([[1.0, 0.0]] * 2, [[0.0, 1.0]] * 2)
    assert await one.is_standing(USER, "a 1.0")
    assert not await one.is_standing(USER, "a 0.0")
