"""Runs: Keepsake's, started with a message of the user."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import JSONResponse

import agent as api
from agent import Agent, Position, RunId, RunRecord, ThreadId, UserId
from gateway.dependencies import SIGNED_IN, CurrentAgent, CurrentPrincipal, CurrentUser, Streams, ThreadInPath
from gateway.errors import UnsupportedError
from gateway.protocols.langgraph.dependencies import RunInPath
from gateway.protocols.langgraph.documents import RUN_STATUSES, run_json
from gateway.protocols.langgraph.run_responses import result_response, stream_response, wait_for_end
from gateway.protocols.langgraph.run_start import StartedRun, join_run, start_run
from gateway.protocols.langgraph.schemas import CancelQuery, JoinQuery, NewRun, RunPage
from gateway.protocols.langgraph.unsupported import reject_modes

Json = dict[str, Any]
router = APIRouter(dependencies=[SIGNED_IN])

FROM_START = "-1"
"""The last event id of a client that has received nothing."""
MAX_RECORDED_RUNS = 10_000


@router.post("/threads/{thread_id}/runs/stream")
async def stream_run(
    body: NewRun, thread: ThreadInPath, principal: CurrentPrincipal, agent: CurrentAgent, streams: Streams
) -> Response:
    """Send a message and stream the run."""
    run = await start_run(agent, principal, thread, body)
    return stream_response(agent, streams, run, body.stream_mode, cancel_on_disconnect=body.on_disconnect == "cancel")


@router.post("/threads/{thread_id}/runs/wait")
async def wait_for_run(
    body: NewRun, thread: ThreadInPath, principal: CurrentPrincipal, agent: CurrentAgent
) -> Response:
    """Send a message and wait for the state after the run."""
    run = await start_run(agent, principal, thread, body)
    return result_response(agent, run, cancel_on_disconnect=body.on_disconnect == "cancel")


@router.post("/threads/{thread_id}/runs")
async def create_run(body: NewRun, thread: ThreadInPath, principal: CurrentPrincipal, agent: CurrentAgent) -> Response:
    """Send a message; the run continues in the background."""
    return await _created(agent, await start_run(agent, principal, thread, body))


@router.post("/runs/stream")
async def stream_run_in_new_thread(
    body: NewRun, principal: CurrentPrincipal, agent: CurrentAgent, streams: Streams
) -> Response:
    """Send a message to a new thread and stream the run."""
    run = await start_run(agent, principal, None, body)
    return stream_response(agent, streams, run, body.stream_mode, cancel_on_disconnect=body.on_disconnect == "cancel")


@router.post("/runs/wait")
async def wait_for_run_in_new_thread(body: NewRun, principal: CurrentPrincipal, agent: CurrentAgent) -> Response:
    """Send a message to a new thread and wait for its state after the run."""
    run = await start_run(agent, principal, None, body)
    return result_response(agent, run, cancel_on_disconnect=body.on_disconnect == "cancel")


@router.post("/runs")
async def create_run_in_new_thread(body: NewRun, principal: CurrentPrincipal, agent: CurrentAgent) -> Response:
    """Send a message to a new thread; the run continues in the background."""
    return await _created(agent, await start_run(agent, principal, None, body))


@router.get("/threads/{thread_id}/runs")
async def list_runs(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    query: Annotated[RunPage, Query()],
) -> list[Json]:
    """List the runs of a thread that are in progress or ended within the last ten minutes, the latest first."""
    await agent.threads.get(user, thread)
    if query.status is None:
        runs = await agent.threads.runs(user, thread, limit=query.limit, offset=query.offset)
    else:
        recorded = await agent.threads.runs(user, thread, limit=MAX_RECORDED_RUNS)
        matching = [run for run in recorded if RUN_STATUSES[run.status] == query.status]
        runs = matching[query.offset : query.offset + query.limit]
    return [run_json(thread, run) for run in runs]


@router.get("/threads/{thread_id}/runs/{run_id}")
async def get_run(run: RunInPath, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Json:
    """Get a run."""
    return run_json(thread, await _recorded(agent, user, thread, run))


@router.get("/threads/{thread_id}/runs/{run_id}/join")
async def join(run: RunInPath, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Response:
    """Wait for the state after a run."""
    return result_response(agent, await join_run(agent, user, thread, run))


@router.get("/threads/{thread_id}/runs/{run_id}/stream")
async def join_run_stream(  # noqa: PLR0913, PLR0917 - parameters of the path, the query and the headers
    run: RunInPath,
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    streams: Streams,
    query: Annotated[JoinQuery, Query()],
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Stream a run after the event in `Last-Event-ID`; without it, from its start."""
    reject_modes(query.stream_mode)
    after = Position.parse(last_event_id) if last_event_id not in {None, "", FROM_START} else None
    if after is not None and after.run != run:
        raise api.InvalidCursorError("the event id belongs to another run")
    started = await join_run(agent, user, thread, run)
    return stream_response(
        agent, streams, started, query.stream_mode, after=after, cancel_on_disconnect=query.cancel_on_disconnect
    )


@router.post("/threads/{thread_id}/runs/{run_id}/cancel")
async def cancel_langgraph_run(
    run: RunInPath,
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    query: Annotated[CancelQuery, Query()],
) -> Response:
    """Cancel a run; the thread keeps the text so far."""
    if query.action == "rollback":
        raise UnsupportedError("action: the thread keeps the text of a cancelled run")
    if (await _recorded(agent, user, thread, run)).status == "running":
        await agent.cancel(user, thread)
    if not query.wait:
        return Response(status_code=202)
    await wait_for_end(await join_run(agent, user, thread, run))
    return Response(status_code=204)


async def _created(agent: Agent, started: StartedRun) -> Response:
    recorded = await agent.threads.runs(started.user, started.thread, run=started.run)
    run = recorded[0] if recorded else started.replay_record()
    return JSONResponse(run_json(started.thread, run), headers={"Content-Location": started.path})


async def _recorded(agent: Agent, user: UserId, thread: ThreadId, run: RunId) -> RunRecord:
    await agent.threads.get(user, thread)
    if not (found := await agent.threads.runs(user, thread, run=run)):
        raise api.NotFoundError("the thread has no such run, or it ended more than ten minutes ago")
    return found[0]
