"""Embedders with a few dimensions and readable vectors."""

import asyncio
import re
from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings

WORDS = ("apple", "car", "house", "violin", "red", "green", "скрипка", "家")
DIMS = len(WORDS)
A_LITTLE = 0.01  # on every axis, so that a text without any of the words also has a direction

POISON = "poison"
MISSHAPEN = "misshapen"


def vector(text: str) -> list[float]:
    """Count each of the words in a text: [DIMS]."""
    words = re.findall(r"\w+", text.lower())
    return [A_LITTLE + words.count(word) for word in WORDS]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine similarity of two vectors [D]."""
    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


class WordEmbedder(Embeddings):
    """Counts words, so that texts with common words are near; records the texts.

    A text with "poison" raises an error, and one with "misshapen" gets a vector of other dimensions.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.texts += texts
        if any(POISON in text for text in texts):
            raise RuntimeError("the embedder failed")
        return [[1.0, 1.0, 1.0] if MISSHAPEN in text else vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.embed_documents(texts)

    async def aembed_query(self, text: str) -> list[float]:
        return (await self.aembed_documents([text]))[0]


class WaitingEmbedder(WordEmbedder):
    """Blocks until it has received a number of texts, or until `may_answer` is set."""

    def __init__(self, texts: int) -> None:
        super().__init__()
        self.entered = asyncio.Event()
        self.may_answer = asyncio.Event()
        self._awaited = texts

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors = self.embed_documents(texts)
        self.entered.set()
        if len(self.texts) >= self._awaited:
            self.may_answer.set()
        await self.may_answer.wait()
        return vectors
