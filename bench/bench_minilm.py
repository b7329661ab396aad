"""Measure the built-in embedding model: loading, short texts, long texts and batches.

Usage: python bench/bench_minilm.py
"""

import statistics
import time
from collections.abc import Callable

from agent.models.minilm import MiniLM

ROUNDS = 200

TEN_WORDS = "I moved to Paris in March after years in Oslo"
SENTENCES = [f"Fact number {n}: likes tea, " + "and walks by the river " * (n % 5) for n in range(200)]


def milliseconds(action: Callable[[], object]) -> float:
    """Duration of one call."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def report(label: str, action: Callable[[], object], rounds: int = ROUNDS) -> None:
    """Print p50 and p95 of several calls after a warm-up call."""
    action()
    times = [milliseconds(action) for _ in range(rounds)]
    p95 = statistics.quantiles(times, n=20)[-1]
    print(f"{label:<34} p50 {statistics.median(times):8.2f} ms   p95 {p95:8.2f} ms")


def main() -> None:
    """Measure in one thread and print the figures."""
    print(f"{'start':<34}     {milliseconds(MiniLM):8.2f} ms")
    model = MiniLM()
    report("10 words", lambda: model.embed_query(TEN_WORDS))
    report("50 words", lambda: model.embed_query(TEN_WORDS * 5))
    report("256 tokens", lambda: model.embed_query("word " * 1000), rounds=30)
    report("200 sentences in one call", lambda: model.embed_documents(SENTENCES), rounds=5)
    report("1 MB of text", lambda: model.embed_query("word " * 200_000), rounds=30)


if __name__ == "__main__":
    main()
