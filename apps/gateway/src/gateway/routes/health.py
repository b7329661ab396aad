"""Health checks and metrics of a gateway or a worker. They contain no user data."""

from fastapi import APIRouter, Response

from agent import StoreUnavailableError
from gateway.dependencies import CurrentAgent, GroupMetrics
from gateway.problems import problem_responses
from gateway.schemas.installation import Health

router = APIRouter(tags=["installation"])

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
METRICS = {"schema": {"type": "string"}, "example": "keepsake_formation_pending_users 0.0\n"}


@router.get("/healthz", response_model_exclude_none=True)
async def check_health() -> Health:
    """Check that the process responds."""
    return Health(status="ok")


@router.get("/readyz", response_model_exclude_none=True, responses=problem_responses(StoreUnavailableError))
async def check_readiness(agent: CurrentAgent) -> Health:
    """Check that the process and its database respond, and that the database can write."""
    await agent.check_health()
    if agent.unconverted_to:
        detail = f"MiniLM is used instead of {agent.unconverted_to}: run `keepsake reembed`, then restart Keepsake."
        return Health(status="ready", detail=detail)
    return Health(status="ready")


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "Prometheus text format.", "content": {"text/plain": METRICS}}},
)
async def get_metrics(agent: CurrentAgent, group: GroupMetrics) -> Response:
    """Get metrics for Prometheus: those of this process, and the formation backlog of the installation.

    With several processes on one port, each sample has the label `process`.
    """
    own = await agent.metrics_text()
    return Response(await group.merged(own) if group else own, media_type=PROMETHEUS)
