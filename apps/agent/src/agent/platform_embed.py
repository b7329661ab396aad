"""Where `langgraph.json` finds the embedder: a file that the platform runs by its path, beside the module of that name.

All state is in `agent.platform`, which both this file and the graph import, so that a text is embedded once.
"""

from agent.platform import embed

__all__ = ["embed"]
