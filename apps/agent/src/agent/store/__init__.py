"""The LangGraph store that holds the memories."""

from agent.store.postgres import ExactPostgresStore

__all__ = ["ExactPostgresStore"]
