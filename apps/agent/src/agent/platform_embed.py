"""The embedder for `langgraph.json`, which loads this file by its path.

The platform executes the file a second time under another module name, so it contains no state: `agent.platform` holds
the embeddings that it shares with the graph.
"""

from agent.platform import embed

__all__ = ["embed"]
