"""Processes for measurements over HTTP: the scripted model and Keepsake."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

HERE = Path(__file__).parent
DIMS = 384
MODEL = {  # delays in seconds
    "embedding_delay": 0.05,
    "first_token_delay": 0.2,
    "token_delay": 0.01,
    "structured_delay": 0.3,
    "tokens": 20,
}

HIGH_LIMITS = {  # measurements send more than one user would
    f"KEEPSAKE_LIMIT_{name}": "1000000000"
    for name in ("RUNS", "MESSAGES_PER_MINUTE", "REQUESTS_PER_MINUTE", "TOKENS_PER_DAY", "EMBEDDED_BYTES_PER_DAY")
}


def process(*arguments: str, work_dir: Path, **env: str) -> AbstractContextManager[str]:
    """Run a Python module for the duration of the block; yields the URL that it prints."""
    return run_command([sys.executable, "-m", *arguments], work_dir, env)


@contextmanager
def run_command(
    command: Sequence[str], work_dir: Path, env: Mapping[str, str], *, log: Path | None = None, url: str = ""
) -> Iterator[str]:
    """Run a program for the duration of the block; yields its URL: `url`, or the first one that it prints.

    Environment variables that configure Keepsake or enable tracing are removed, and its limits per user are high.
    Errors of the program are written to `log`, if given.
    """
    foreign = ("KEEPSAKE_", "OPENAI_", "LANGSMITH_", "LANGCHAIN_", "LANGGRAPH_", "DATABASE_URL")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    env = {"KEEPSAKE_LOCAL_SIGN_IN": "open", **inherited, **HIGH_LIMITS, **env}
    with (
        log.open("w") if log else nullcontext() as errors,
        subprocess.Popen(command, cwd=work_dir, env=env, stdout=subprocess.PIPE, stderr=errors, text=True) as running,
    ):
        assert running.stdout is not None
        try:
            url = url or _printed_url(running.stdout)
            if not url:
                raise SystemExit(f"{command[2]} did not start")
            threading.Thread(target=running.stdout.read, daemon=True).start()  # a full pipe would block it
            yield url
        finally:
            running.send_signal(signal.SIGINT)


def _printed_url(lines: Iterable[str]) -> str:
    found = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in lines)
    return next((match[0] for match in found if match), "")


def scripted_model(**delays: float) -> AbstractContextManager[str]:
    """Run the scripted model; further delays are in seconds."""
    options = [part for key, value in (MODEL | delays).items() for part in (f"--{key.replace('_', '-')}", str(value))]
    return process("support.scripted_openai", "--dims", str(DIMS), *options, work_dir=HERE.parent / "tests")


def gateway(model: str, data: Path, **env: str) -> AbstractContextManager[str]:
    """Run Keepsake with formation postponed by an hour."""
    return process(
        *("gateway.cli", "serve", "--port", "0"),
        work_dir=data,
        OPENAI_API_KEY="x",
        OPENAI_BASE_URL=f"{model}/v1",
        KEEPSAKE_DATA_DIR=str(data),
        KEEPSAKE_EMBEDDING_DIMS=str(DIMS),
        KEEPSAKE_MODEL_TITLES="false",
        KEEPSAKE_DEBOUNCE_SECONDS="3600",
        KEEPSAKE_DEBOUNCE_MAX_WAIT_SECONDS="3600",
        **env,
    )
