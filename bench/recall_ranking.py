"""The store's search formula in numpy, for baselines and other weights."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.language.parsing.sentences import question_share
from agent.memory.recall.relevance import QUESTION_PENALTY
from agent.store import search
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label

from .recall_sets import Account, Question

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LENGTH_CAP = 15
"""Words above which the length score stays 1."""
PRIOR = 10
"""Pseudo-count of the mean vector, as in `fused.sql`."""

# In the order in which an unfiltered search reads a user's rows; the mean vector is that of the first rows. The whole
# text of an item is before its passages.
_ROWS = """
SELECT key, field_name = 'text' AS is_whole, embedding::real[] AS vector, tsvector_to_array(words) AS words, sequence,
    value ->> 'text' AS text
FROM store_vectors JOIN store USING (prefix, key) WHERE prefix = %(prefix)s
ORDER BY sequence, moment, key, length(field_name), field_name
"""
_WORDS = "SELECT tsvector_to_array(to_tsvector('english', text)) AS words FROM unnest(%(texts)s::text[]) AS text"

ROWS_BEFORE, ROWS_AFTER = 2, 1  # as in fused.sql
MAX_WORDS = 12  # as in fused.sql

Embed = Callable[[list[str]], Sequence[Sequence[float]]]


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the parts of a score."""

    own: float = search.OWN_WORDS_WEIGHT
    around: float = search.NEARBY_WORDS_WEIGHT
    centring: float = search.CENTRING
    cosine: float = 1.0
    length: float = 0.0
    questions: float = QUESTION_PENALTY

    def __str__(self) -> str:
        """The weights that a sweep varies."""
        return f"own {self.own:g}, around {self.around:g}, length {self.length:g}"


SHIPPED = Weights()
COSINE = Weights(own=0, around=0, centring=0, questions=0)
WORDS = Weights(own=1, around=0, centring=0, cosine=0, questions=0)
WITHOUT_NEIGHBOURS = Weights(around=0)


@dataclass(frozen=True, slots=True)
class ScoredQuestion:
    """A question with the score parts of its account's N rows."""

    question: Question
    keys: tuple[str, ...]
    relevant: Flags
    cosine: Floats
    similarity_to_mean: Floats
    """[N] similarity of each row to the mean vector; as the cosine, of the whole text and its nearest passage."""
    own_words: Floats
    """[N] share of the question's words that each row contains."""
    neighbour_words: Floats
    """[N] share that each row contains together with its neighbours; 0 outside conversations."""
    length: Floats
    """[N] length of each row from 0 to 1; very short rows rarely answer a question."""
    question_share: Floats
    """[N] share of each row that only asks."""

    def scores(self, weights: Weights) -> Floats:
        """[N] scores; higher is better."""
        words = weights.own * self.own_words + weights.around * self.neighbour_words
        score = (
            weights.cosine * self.cosine
            - weights.centring * self.similarity_to_mean
            + words
            + weights.length * self.length
        )
        return score * (1 - weights.questions * self.question_share)

    def recall(self, weights: Weights, most: int) -> float:
        """Share of the relevant rows among the first `most`; equal scores rank later rows first."""
        best = np.argsort(-self.scores(weights)[::-1], kind="stable")[:most]
        return float(self.relevant[::-1][best].sum() / self.relevant.sum())

    def top_keys(self, weights: Weights, most: int) -> list[str]:
        """Keys of the first `most` rows, best first."""
        return [self.keys[n] for n in np.argsort(-self.scores(weights), kind="stable")[:most]]


async def score_questions(connection: AsyncConnection[DictRow], account: Account, embed: Embed) -> list[ScoredQuestion]:
    """Compute the score parts of an account's questions."""
    prefix = f"users.{user_label(LOCAL_ISSUER, account.name)}.memories.{account.kind}"
    rows = await (await connection.execute(_ROWS, {"prefix": prefix})).fetchall()
    texts = [question.text for question in account.questions]
    words = await (await connection.execute(_WORDS, {"texts": texts})).fetchall()
    vectors = _normalise(np.array([row["vector"] for row in rows]))
    starts = np.array([n for n, row in enumerate(rows) if row["is_whole"]])
    sampled = next((int(start) for start in starts if start >= search.MEAN_SAMPLE_ROWS), len(rows))
    mean = vectors @ (vectors[:sampled].mean(axis=0) * sampled / (sampled + PRIOR))
    rows = [row for row in rows if row["is_whole"]]
    keys = tuple(row["key"] for row in rows)
    having = _WordIndex.of(rows)
    length = np.array([min(len(row["words"]), LENGTH_CAP) / LENGTH_CAP for row in rows])
    shares = np.array([question_share(row["text"]) for row in rows])
    found = []
    queries = _normalise(np.array(embed(texts)))
    for question, query, said in zip(account.questions, queries, words, strict=True):
        own, near = having.coverage(said["words"])
        cosine = vectors @ query
        nearest = _nearest(cosine - search.CENTRING * mean, starts)
        found.append(
            ScoredQuestion(
                question=question,
                keys=keys,
                relevant=np.array([key in question.targets for key in keys]),
                cosine=(cosine[nearest] + cosine[starts]) / 2,
                similarity_to_mean=(mean[nearest] + mean[starts]) / 2,
                own_words=own,
                neighbour_words=near,
                length=length,
                question_share=shares,
            )
        )
    return found


def _nearest(similarity: Floats, starts: NDArray[np.intp]) -> NDArray[np.intp]:
    """[N] the vector with the highest of the similarities [V] of each item, whose vectors begin at `starts` [N]."""
    ends = np.append(starts[1:], len(similarity))
    return np.array([start + similarity[start:end].argmax() for start, end in zip(starts, ends, strict=True)])


def _normalise(vectors: Floats) -> Floats:
    length: Floats = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / length


@dataclass(frozen=True, slots=True)
class _WordIndex:
    """The words of each row of an account and of its neighbours."""

    total: int
    rows_by_word: Mapping[str, list[int]]
    neighbours: Sequence[NDArray[np.intp]]
    """[window] arrays [N]: the neighbour at each distance in the same conversation, or the row itself."""
    is_standalone: Flags
    """[N] True for rows outside conversations."""

    @classmethod
    def of(cls, rows: Sequence[DictRow]) -> "_WordIndex":
        having: dict[str, list[int]] = {}
        for n, row in enumerate(rows):
            for word in row["words"]:
                having.setdefault(word, []).append(n)
        places, sequences = np.arange(len(rows)), [row["sequence"] for row in rows]
        around = []
        for step in range(-ROWS_BEFORE, ROWS_AFTER + 1):
            there = np.clip(places + step, 0, len(rows) - 1)
            same = [sequences[at] == sequences[n] for n, at in enumerate(there)]
            around.append(np.where(same, there, places))
        return cls(len(rows), having, around, np.array([sequence is None for sequence in sequences]))

    def coverage(self, query: Sequence[str]) -> tuple[Floats, Floats]:
        """The shares [N] and [N] of the query's words that each row contains, alone and with its neighbours."""
        longest = sorted(query, key=lambda word: (-len(word), word))[:MAX_WORDS]
        if not longest:
            return np.zeros(self.total), np.zeros(self.total)
        has = np.zeros((self.total, len(longest)), bool)
        for n, word in enumerate(longest):
            has[self.rows_by_word.get(word, []), n] = True
        count = has.sum(axis=0)
        weights = np.log(1 + (self.total - count + 0.5) / (count + 0.5)) ** 2
        near = np.logical_or.reduce([has[places] for places in self.neighbours])
        return has @ weights / weights.sum(), np.where(self.is_standalone, 0, near @ weights / weights.sum())


def recall_of(questions: Sequence[ScoredQuestion], weights: Weights, most: int) -> Floats:
    """[questions] recall values."""
    return np.array([question.recall(weights, most) for question in questions])


def agreement(questions: Sequence[ScoredQuestion], answers: Sequence[Sequence[str]]) -> Iterator[bool]:
    """Yield, per question, whether the service returned the rows that the formula ranks first."""
    for question, answer in zip(questions, answers, strict=True):
        yield set(question.top_keys(SHIPPED, len(answer))) == set(answer)
