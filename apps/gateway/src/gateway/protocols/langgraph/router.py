"""All routes of the LangGraph API."""

from fastapi import APIRouter

from gateway.protocols.langgraph import unsupported
from gateway.protocols.langgraph.api_key import PREFIX
from gateway.protocols.langgraph.routes import assistants, runs, state, store, system, threads

router = APIRouter(prefix=PREFIX, tags=["langgraph"])
for _part in (system, assistants, state, threads, runs, store, unsupported):
    router.include_router(_part.router)
