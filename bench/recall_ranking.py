"""What the store's search computes, in numpy: for what it is compared with, and for other weights than those it has."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.store import search
from gateway.auth.local import LOCAL_ISSUER, label

from .recall_sets import Account, Question

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LONG = 15
"""Words beyond which a row is not the longer."""
PRIOR = 10
"""Of `fused.sql`: rows as which a mean of no rows counts."""

# In the order in which a search without a filter reads a user's rows, the first of which make their mean.
_ROWS = """
SELECT key, embedding::real[] AS vector, tsvector_to_array(words) AS words, sequence
FROM store_vectors WHERE prefix = %(prefix)s ORDER BY sequence, moment, key
"""
_WORDS = "SELECT tsvector_to_array(to_tsvector('english', text)) AS words FROM unnest(%(texts)s::text[]) AS text"

Embed = Callable[[list[str]], Sequence[Sequence[float]]]


@dataclass(frozen=True, slots=True)
class Weights:
    """How the parts of a score count."""

    own: float = search.OWN
    around: float = search.AROUND
    centring: float = search.CENTRING
    cosine: float = 1.0
    length: float = 0.0

    def __str__(self) -> str:
        """Name what a sweep varies."""
        return f"own {self.own:g}, around {self.around:g}, length {self.length:g}"


SHIPPED = Weights()
COSINE = Weights(own=0, around=0, centring=0)
WORDS = Weights(own=1, around=0, centring=0, cosine=0)
WITHOUT_WINDOW = Weights(around=0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question before its account's N rows: the parts of each row's score, and which rows are wanted."""

    question: Question
    keys: tuple[str, ...]
    wanted: Flags
    cosine: Floats
    mean: Floats
    """[N] what a row shares with the mean of all."""
    own: Floats
    """[N] the share of the question's words that the row has."""
    near: Floats
    """[N] the share that it has together with the rows around it; 0 for a row in no conversation."""
    length: Floats
    """[N] how long the row is, up to 1: "Yes, thanks!" answers little, whatever its words."""

    def scores(self, weights: Weights) -> Floats:
        """Return [N] scores; the best row has the highest."""
        words = weights.own * self.own + weights.around * self.near
        return weights.cosine * self.cosine - weights.centring * self.mean + words + weights.length * self.length

    def recall(self, weights: Weights, most: int) -> float:
        """Return the share of the wanted rows among the first; of equal ones the later are first."""
        best = np.argsort(-self.scores(weights)[::-1], kind="stable")[:most]
        return float(self.wanted[::-1][best].sum() / self.wanted.sum())

    def first(self, weights: Weights, most: int) -> list[str]:
        """Return the keys of the first rows, the best first."""
        return [self.keys[n] for n in np.argsort(-self.scores(weights), kind="stable")[:most]]


async def asked(connection: AsyncConnection[DictRow], account: Account, embed: Embed) -> list[Asked]:
    """Return an account's questions, before the rows that its search compares."""
    prefix = f"users.{label(LOCAL_ISSUER, account.name)}.memories.{account.kind}"
    rows = await (await connection.execute(_ROWS, {"prefix": prefix})).fetchall()
    texts = [question.text for question in account.questions]
    words = await (await connection.execute(_WORDS, {"texts": texts})).fetchall()
    vectors = _unit(np.array([row["vector"] for row in rows]))
    sample = vectors[: search.SAMPLE]
    mean = vectors @ (sample.mean(axis=0) * len(sample) / (len(sample) + PRIOR))
    keys = tuple(row["key"] for row in rows)
    having = _Words.of(rows)
    length = np.array([min(len(row["words"]), LONG) / LONG for row in rows])
    found = []
    queries = _unit(np.array(embed(texts)))
    for question, query, said in zip(account.questions, queries, words, strict=True):
        own, near = having.covered(said["words"])
        found.append(
            Asked(
                question=question,
                keys=keys,
                wanted=np.array([key in question.targets for key in keys]),
                cosine=vectors @ query,
                mean=mean,
                own=own,
                near=near,
                length=length,
            )
        )
    return found


def _unit(vectors: Floats) -> Floats:
    length: Floats = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / length


@dataclass(frozen=True, slots=True)
class _Words:
    """Which words the rows of an account have, by themselves and with those around them."""

    total: int
    having: Mapping[str, list[int]]
    around: Sequence[NDArray[np.intp]]
    """[window] lists [N] of the row that stands so far from each in its conversation, itself if there is none."""
    alone: Flags
    """[N] whether the row is in no conversation."""

    @classmethod
    def of(cls, rows: Sequence[DictRow]) -> "_Words":
        having: dict[str, list[int]] = {}
        for n, row in enumerate(rows):
            for word in row["words"]:
                having.setdefault(word, []).append(n)
        places, sequences = np.arange(len(rows)), [row["sequence"] for row in rows]
        around = []
        for step in range(-search.BEFORE, search.AFTER + 1):
            there = np.clip(places + step, 0, len(rows) - 1)
            same = [sequences[at] == sequences[n] for n, at in enumerate(there)]
            around.append(np.where(same, there, places))
        return cls(len(rows), having, around, np.array([sequence is None for sequence in sequences]))

    def covered(self, query: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the share of a query's words that each row has by itself, and with those around it: [N] and [N]."""
        longest = sorted(query, key=lambda word: (-len(word), word))[: search.SLOTS]
        if not longest:
            return np.zeros(self.total), np.zeros(self.total)
        has = np.zeros((self.total, len(longest)), bool)
        for n, word in enumerate(longest):
            has[self.having.get(word, []), n] = True
        count = has.sum(axis=0)
        weights = np.log(1 + (self.total - count + 0.5) / (count + 0.5)) ** 2
        near = np.logical_or.reduce([has[places] for places in self.around])
        return has @ weights / weights.sum(), np.where(self.alone, 0, near @ weights / weights.sum())


def recalls(questions: Sequence[Asked], weights: Weights, most: int) -> Floats:
    """Return [questions] recalls."""
    return np.array([question.recall(weights, most) for question in questions])


def agreeing(questions: Sequence[Asked], answers: Sequence[Sequence[str]]) -> Iterator[bool]:
    """Tell of each question whether the service answered with the rows that are first here."""
    for question, answer in zip(questions, answers, strict=True):
        yield set(question.first(SHIPPED, len(answer))) == set(answer)
