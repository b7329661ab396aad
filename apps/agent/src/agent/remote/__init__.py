"""The chat graph and the memories on a LangGraph server, instead of in this process (ADR 25)."""
