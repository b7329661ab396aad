"""A LangGraph server that loads the project's graph (`langgraph dev`)."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

ROOT = Path(__file__).parents[2]


def configuration() -> dict[str, Any]:
    """The project's langgraph.json with absolute paths, so that the server can run in another directory."""
    text = (ROOT / "langgraph.json").read_text()
    config: dict[str, Any] = json.loads(text.replace("./apps", str(ROOT / "apps")))
    del config["env"]
    return config


@contextmanager
def langgraph_dev(model: ScriptedOpenAI, work_dir: Path, **environment: str) -> Iterator[str]:
    """Run the server for the duration of the block; yields its URL."""
    (work_dir / "langgraph.json").write_text(json.dumps(configuration()))
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    command = ["langgraph", "dev", "--no-browser", "--no-reload", "--port", str(port), "--host", "127.0.0.1"]
    command += ["--n-jobs-per-worker", "10"]
    variables = {
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "x",
        "KEEPSAKE_CHAT_MODELS": "scripted",
        "LANGGRAPH_DEV": "1",
        "LANGSMITH_TRACING": "false",
        **environment,
    }
    with Process(command, work_dir=work_dir, **variables) as server:
        server.wait_for("Application started up", timeout_seconds=50)
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(transport=httpx.HTTPTransport(retries=10)) as http:  # it listens shortly after that line
            assert http.get(f"{url}/ok").is_success
        yield url
