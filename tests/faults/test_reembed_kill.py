"""A conversion that is killed or stopped repeats at most one page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from agent.store.conversion import PAGE_SIZE
from integration.jobs.conversions import TEXTS, ClosesAfter, fill
from support.processes import Process
from support.scripted_openai import EMBEDDINGS, ScriptedOpenAI

ALL = [f"Knows number {n}" for n in range(1, TEXTS + 1)]


def _reembed(work_dir: Path, database: str, model: ScriptedOpenAI) -> Process:
    settings = {"DATABASE_URL": database, "OPENAI_BASE_URL": model.base_url, "KEEPSAKE_EMBEDDING_DIMS": "768"}
    return Process(["python", "-m", "gateway.cli", "reembed"], work_dir=work_dir, **settings)


@contextmanager
def _during_second_page(work_dir: Path, database: str, model: ScriptedOpenAI) -> Iterator[Process]:
    """Start the command, and pause it while it embeds the second page."""
    model.script.embeddings_gate = ClosesAfter(1)
    with _reembed(work_dir, database, model) as command:
        model.block_until_request(EMBEDDINGS, 2, timeout_seconds=30)
        yield command


def _resume(work_dir: Path, database: str, model: ScriptedOpenAI) -> str:
    """Run the command to its end, check the vectors, and return its output."""
    repeated = model.embedded_texts()[PAGE_SIZE:]
    model.script.embeddings_gate.open()
    with _reembed(work_dir, database, model) as second:
        assert second.process.wait(30) == 0
    assert sorted(model.embedded_texts()) == sorted([*ALL, *repeated])
    with psycopg.connect(database) as connection:
        vectors = connection.execute("SELECT count(*) FROM store_vectors WHERE vector_dims(embedding) = 768").fetchone()
    assert vectors == (TEXTS,)
    return "".join(second.output)


def test_a_killed_conversion_resumes(work_dir: Path, database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    with _during_second_page(work_dir, database, model) as first:
        first.kill()
    output = _resume(work_dir, database, model)
    assert f"{PAGE_SIZE} of {TEXTS} texts are already converted" in output
    assert "Restart Keepsake" in output


def test_ctrl_c_prints_how_to_resume(work_dir: Path, database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    with _during_second_page(work_dir, database, model) as first:
        assert first.stop() == 130
    assert "Stopped. Converted texts are kept" in "".join(first.output)
    assert "Traceback" not in "".join(first.output)
    _resume(work_dir, database, model)
