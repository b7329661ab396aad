"""Trusted values of a run: read from its config, never from a message or a tool argument."""

from langchain_core.runnables import RunnableConfig

from agent.memory.records.namespaces import validate_user_id
from agent.types import ThreadId, UserId


def user_and_thread(config: RunnableConfig) -> tuple[UserId, ThreadId]:
    """Read the ids; our `thread_id` is the checkpoint key `<user>/<thread>`, that of LangGraph Platform a UUID."""
    configurable = config["configurable"]
    user = validate_user_id(configurable.get("user_id"))
    return user, ThreadId(str(configurable.get("thread_id", "")).rpartition("/")[2])


def user_time_zone(config: RunnableConfig) -> str | None:
    """Read the IANA name of the user's time zone; None if it is unknown."""
    return config["configurable"].get("time_zone") or None


def memory_enabled(config: RunnableConfig) -> bool:
    """Check whether the turn may read and write the user's memory."""
    return bool(config["configurable"].get("memory", True))
