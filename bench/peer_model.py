"""The scripted model of all systems of `make bench`: `python -m bench.peer_model [--minilm]`; it prints its URL.

It answers with 20 words, and extracts the same facts for each system in the form that the system asks for.
"""

import argparse
import json
import re
import signal
import sys
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from agent.models.minilm import MiniLM
from support.scripted_openai import Message, ModelScript, ScriptedOpenAI, ToolCall

from .processes import DIMS, MODEL

STATEMENT = re.compile(r"\bMy \w+ is called \w+")
"""The facts of this benchmark's messages."""
TOKENS = 20
MEM0_PROMPT = "You are a Memory Extractor"
LANGMEM_PROMPT = "You are a memory subroutine"
MEM0_NEW_MESSAGES = "## New Messages"


def reply(messages: Sequence[Message]) -> str | Sequence[ToolCall]:
    """Answer a user's message, or extract facts for mem0 (JSON) and LangMem (tool calls)."""
    first, last = str(messages[0]["content"]), str(messages[-1]["content"])
    if MEM0_PROMPT in first:
        new = last.rpartition(MEM0_NEW_MESSAGES)[2]
        return json.dumps({"memory": [{"id": str(n), "text": fact} for n, fact in enumerate(facts(new))]})
    if LANGMEM_PROMPT in first:
        return [ToolCall("Memory", {"content": fact}) for fact in facts(last)] or "Nothing to remember."
    return "word " * TOKENS


def facts(text: str) -> list[str]:
    """The facts of a text, each once."""
    return list(dict.fromkeys(STATEMENT.findall(text)))


def minilm_embedding() -> Callable[[str, int], NDArray[np.float32]]:
    """Embed texts with MiniLM, each text once."""
    model = MiniLM()

    @cache
    def embed(text: str, dims: int) -> NDArray[np.float32]:
        assert dims == DIMS, dims
        return np.array(model.embed_query(text), dtype=np.float32)

    return embed


def make_script(*, minilm: bool) -> ModelScript:
    """Delays as in `make bench-turn`; with MiniLM, embeddings are not delayed in addition."""
    script = ModelScript(
        dims=DIMS,
        embedding_delay_seconds=0 if minilm else MODEL["embedding_delay"],
        first_token_delay_seconds=MODEL["first_token_delay"],
        token_delay_seconds=MODEL["token_delay"],
        structured_delay_seconds=MODEL["structured_delay"],
        reply=reply,
    )
    if minilm:
        script.embed = minilm_embedding()
    return script


def main() -> None:
    """Serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minilm", action="store_true", help="embed with MiniLM rather than with hashed words")
    stops = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    with ScriptedOpenAI(make_script(minilm=parser.parse_args().minilm)) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        signal.sigwait(stops)


if __name__ == "__main__":
    main()
