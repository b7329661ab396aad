"""Information about the server, which needs no token."""

from importlib.metadata import version
from typing import Any

from fastapi import APIRouter

router = APIRouter()


@router.get("/ok")
async def langgraph_ok() -> dict[str, bool]:
    """Report that the process answers."""
    return {"ok": True}


@router.get("/info")
async def langgraph_info() -> dict[str, Any]:
    """Describe the server."""
    return {
        "version": version("keepsake-gateway"),
        "flags": {"assistants": True, "crons": False, "langsmith": False},
        "host": {"kind": "keepsake"},
    }
