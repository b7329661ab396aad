"""Whose turn it is, as the run says: no message and no tool can say otherwise."""

from langchain_core.runnables import RunnableConfig

from agent.memory.records.namespaces import validate_user_id
from agent.types import ThreadId, UserId


def user_and_thread(config: RunnableConfig) -> tuple[UserId, ThreadId]:
    """Return the user and thread of a turn; our checkpoint key is `<user>/<thread>`, the platform's the thread's UUID.

    Raises:
        InvalidIdError: there is no user id that could be one.
    """
    configurable = config["configurable"]
    user = validate_user_id(configurable.get("user_id"))
    return user, ThreadId(str(configurable.get("thread_id", "")).rpartition("/")[2])


def memory_enabled(config: RunnableConfig) -> bool:
    """Tell whether the turn may read and write the user's memory."""
    return bool(config["configurable"].get("memory", True))
