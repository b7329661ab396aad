"""What operators may ask, of a gateway or of a worker: nothing here is about a user."""

from fastapi import APIRouter, Response

from gateway.dependencies import CurrentAgent

router = APIRouter(tags=["health"])

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """Say that the process lives."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(agent: CurrentAgent) -> dict[str, str]:
    """Say that it can answer: the database does."""
    await agent.ping()
    return {"status": "ready"}


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(agent: CurrentAgent) -> Response:
    """Return what Prometheus reads: the counts of this process, and what waits in the whole installation."""
    return Response(await agent.metrics(), media_type=PROMETHEUS)
