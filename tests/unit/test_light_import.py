"""`import agent` loads no library that takes long to import."""

import subprocess
import sys

import pytest

import agent
from support.missing_package import hide_package

HEAVY = {
    "fastapi", "gateway", "httpx", "httpx2", "ijson", "langchain", "langchain_core", "langchain_openai", "langgraph",
    "langmem", "langsmith", "numpy", "openai", "psycopg", "pydantic", "pydantic_settings", "safetensors", "tiktoken",
    "tokenizers",
}  # fmt: skip


def imported_after(statement: str) -> set[str]:
    code = f"{statement}; import sys; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.splitlines()}


def test_the_package_is_imported_without_its_libraries() -> None:
    assert imported_after("import agent") & HEAVY == set()


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_package(monkeypatch, "langchain")
    monkeypatch.delitem(sys.modules, "agent.middleware", raising=False)
    with pytest.raises(agent.SetupError, match=r"keepsake-agent\[langchain\]"):
        _ = agent.MemoryMiddleware
