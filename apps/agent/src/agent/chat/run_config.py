"""Trusted values of a run: read from its config, never from a message or a tool argument."""

from typing import NotRequired

from langchain_core.runnables import RunnableConfig
from typing_extensions import TypedDict

from agent.completions import CompletionRequest
from agent.database.row_security import validate_user_id
from agent.errors import InvalidIdError
from agent.types import ThreadId, UserId

_PRIVATE = "private"


class ChatContext(TypedDict):
    """The context of a run on a LangGraph server, which copies it to `configurable`."""

    user_id: str
    """The owner of all data that the run reads and writes: 1 to 64 of a-z, 0-9, _ and -."""
    model: NotRequired[str]
    time_zone: NotRequired[str]
    """The IANA name of the user's time zone."""
    memory: NotRequired[bool]
    """False: the turn neither reads nor writes memory."""
    web_search: NotRequired[bool]
    source_thread: NotRequired[str]
    """The gateway's id of the thread, if it follows the run: the server requires ids of its own."""


def user_and_thread(config: RunnableConfig) -> tuple[UserId, ThreadId]:
    """Read the ids; our `thread_id` is the checkpoint key `<user>/<thread>`, that of LangGraph Platform a UUID.

    Raises:
        ValueError: the user is missing or invalid; a LangGraph server reports the text of built-in errors only.
    """
    configurable = config["configurable"]
    try:
        user = validate_user_id(configurable.get("user_id"))
    except InvalidIdError as error:
        raise ValueError(f"user_id in the context of the run: {error}") from error
    thread = configurable.get("source_thread") or configurable.get("thread_id", "")
    return user, ThreadId(str(thread).rpartition("/")[2])


def follows_remotely(config: RunnableConfig) -> bool:
    """Check whether a gateway follows the run of this server."""
    return "source_thread" in config["configurable"]


def user_time_zone(config: RunnableConfig) -> str | None:
    """Read the IANA name of the user's time zone; None if it is unknown."""
    return config["configurable"].get("time_zone") or None


def completion(config: RunnableConfig) -> CompletionRequest | None:
    """Read the conversation that the client keeps; None in a thread."""
    request = config["configurable"].get("completion")
    return CompletionRequest.from_dict(request) if isinstance(request, dict) else request


def is_enqueued(config: RunnableConfig) -> bool:
    """Check whether the message is a repeated one that has been in the inbox, and so changes no memory again."""
    return bool(config["configurable"].get("is_enqueued"))


def without_saving(config: RunnableConfig) -> RunnableConfig:
    """The config of a run in a private thread: it reads the user's memory, but saves nothing of the thread."""
    return {**config, "configurable": {**config["configurable"], _PRIVATE: True}}


def is_private(config: RunnableConfig) -> bool:
    """Check whether nothing of the thread may be saved in the user's memory; see `without_saving`."""
    return bool(config["configurable"].get(_PRIVATE))


def saves_messages(config: RunnableConfig) -> bool:
    """Check whether the turn may save what is said in the user's memory."""
    return memory_enabled(config) and not is_private(config)


def memory_enabled(config: RunnableConfig) -> bool:
    """Check whether the turn may read and write the user's memory."""
    return bool(config["configurable"].get("memory", True))
