"""The function that `langgraph.json` names as `agent.platform_embed.py:embed`."""

from agent.platform import embed

__all__ = ["embed"]
