"""The request and the user that log records belong to. Tasks inherit them from the task that started them."""

from contextvars import ContextVar

from agent.types import UserId

_request_id: ContextVar[str] = ContextVar("request id", default="")
_user: ContextVar[str] = ContextVar("user label", default="")


def bind_request(request_id: str) -> None:
    """Add the id of a request to the log records of this task, which belong to no user yet."""
    _request_id.set(request_id)
    _user.set("")


def bind_user(user: UserId) -> None:
    """Add the opaque label of a user to the log records of this task."""
    _user.set(user)


def current_user() -> str:
    """The label of the current task's user; empty if it belongs to none."""
    return _user.get()


def log_context() -> dict[str, str]:
    """The fields of the current task, without those that are unknown."""
    fields = {"request_id": _request_id.get(), "user": _user.get()}
    return {name: value for name, value in fields.items() if value}
