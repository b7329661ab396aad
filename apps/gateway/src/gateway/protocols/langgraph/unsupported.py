"""What of the LangGraph API is not implemented: such requests are rejected, never silently ignored."""

from collections.abc import Mapping
from typing import Any, NoReturn

from fastapi import APIRouter

from gateway.dependencies import SIGNED_IN
from gateway.errors import UnsupportedError
from gateway.protocols.langgraph.schemas import NewRun, NewThread, StateUpdate, ThreadFilter, ThreadUpdate

router = APIRouter(dependencies=[SIGNED_IN], include_in_schema=False)

ROUTES: Mapping[str, str] = {
    "POST /assistants": "There is one assistant, which clients cannot change.",
    "PATCH /assistants/{id}": "There is one assistant, which clients cannot change.",
    "DELETE /assistants/{id}": "There is one assistant, which clients cannot change.",
    "POST /assistants/{id}/latest": "There is one assistant, which clients cannot change.",
    "GET /assistants/{id}/graph": "The graph is not published.",
    "POST /threads/{id}/copy": "Threads are not copied: a message belongs to one thread, from which it is remembered.",
    "POST /threads/prune": "Delete threads one by one.",
    "GET /threads/{id}/stream": "Join a run: GET /threads/{thread_id}/runs/{run_id}/stream.",
    "POST /threads/{id}/stream/events": "The event protocol is not implemented; stream a run.",
    "POST /threads/{id}/commands": "The event protocol is not implemented; create a run.",
    "DELETE /threads/{id}/runs/{run}": "Runs are deleted ten minutes after they have ended.",
    "POST /runs/batch": "Create runs one by one.",
    "POST /runs/cancel": "Cancel runs one by one.",
    "POST /threads/{id}/runs/crons": "There are no scheduled runs.",
    "POST /runs/crons": "There are no scheduled runs.",
    "POST /runs/crons/search": "There are no scheduled runs.",
    "POST /runs/crons/count": "There are no scheduled runs.",
    "PATCH /runs/crons/{id}": "There are no scheduled runs.",
    "DELETE /runs/crons/{id}": "There are no scheduled runs.",
}
"""Reasons by route."""

_RUN_MEMBERS = (
    "command",
    "interrupt_before",
    "interrupt_after",
    "webhook",
    "after_seconds",
    "feedback_keys",
)
_STREAM_MODES = frozenset({"debug", "checkpoints", "tasks", "lifecycle"})


def reject_unsupported_run(run: NewRun) -> None:
    """Raise `UnsupportedError` for options of a run that would change its result."""
    reject_members(run, *_RUN_MEMBERS)
    if run.on_completion == "delete":
        raise UnsupportedError("on_completion: threads are kept; delete the thread")
    if run.multitask_strategy in {"enqueue", "rollback"}:
        raise UnsupportedError("multitask_strategy: only reject and interrupt are implemented")
    reject_modes(run.stream_mode)


def reject_modes(modes: list[Any]) -> None:
    """Raise `UnsupportedError` for modes of a stream that are not implemented."""
    if unsupported := _STREAM_MODES.intersection(modes):
        raise UnsupportedError(f"stream_mode: {', '.join(sorted(unsupported))}")


def reject_members(body: NewRun | NewThread | ThreadUpdate | ThreadFilter | StateUpdate, *names: str) -> None:
    """Raise `UnsupportedError` if members of a body have a value."""
    if given := [name for name in names if getattr(body, name)]:
        raise UnsupportedError(f"not implemented here: {', '.join(given)}")


def _add_route(route: str, reason: str) -> None:
    method, path = route.split()

    async def reject() -> NoReturn:
        raise UnsupportedError(reason)

    router.add_api_route(path, reject, methods=[method], response_model=None)


for _route, _reason in ROUTES.items():
    _add_route(_route, _reason)
