"""Serve a compared system over HTTP: `python -m bench.peers.server SYSTEM --model URL --database URI --folder PATH`."""

import argparse
import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from .peer import Item, OpenPeer, Peer, Settings

SYSTEMS = {
    "langgraph": "plain_langgraph:open_plain_langgraph",
    "langmem": "langmem_agent:open_langmem",
    "mem0": "mem0_agent:open_mem0",
}


class PeerServer:
    """The routes; formation runs in tasks of the server."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._forming: set[asyncio.Task[None]] = set()

    async def turn(self, request: Request) -> Response:
        """Answer a message: a stream with one event per token."""
        body = await request.json()
        return StreamingResponse(self._tokens(**body), media_type="text/event-stream")

    async def put(self, request: Request) -> Response:
        """Store memories."""
        body = await request.json()
        await self._peer.put(body["user"], [Item(**item) for item in body["items"]])
        return Response(status_code=201)

    async def search(self, request: Request) -> Response:
        """Search memories."""
        query = request.query_params
        found = await self._peer.search(query["user"], query["q"], int(query["limit"]))
        return JSONResponse({"items": [{"id": item.id, "text": item.text} for item in found]})

    async def flush(self, _: Request) -> Response:
        """Wait until all exchanges are processed."""
        await asyncio.gather(*self._forming)
        return Response(status_code=204)

    async def _tokens(self, user: str, thread: str, text: str) -> AsyncIterator[str]:
        answer = ""
        async for token in self._peer.reply(user, thread, text):
            answer += token
            yield f"data: {json.dumps({'token': token})}\n\n"
        forming = asyncio.create_task(self._peer.remember(user, thread, text, answer))
        self._forming.add(forming)
        forming.add_done_callback(self._forming.discard)
        yield "data: [DONE]\n\n"


def application(open_peer: OpenPeer, settings: Settings) -> Starlette:
    """The server's app."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with open_peer(settings) as peer:
            server = PeerServer(peer)
            app.routes.extend(
                [
                    Route("/turns", server.turn, methods=["POST"]),
                    Route("/memories", server.put, methods=["POST"]),
                    Route("/memories", server.search),
                    Route("/flush", server.flush, methods=["POST"]),
                ]
            )
            yield

    return Starlette(lifespan=lifespan)


def main() -> None:
    """Serve until SIGINT; the first line of output is the URL."""
    parser = argparse.ArgumentParser()
    parser.add_argument("system", choices=SYSTEMS)
    parser.add_argument("--model", required=True)
    parser.add_argument("--database", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--dims", type=int, required=True)
    options = parser.parse_args()
    settings = Settings(options.model, options.database, options.folder, options.dims)
    module, _, name = SYSTEMS[options.system].partition(":")
    open_peer: OpenPeer = getattr(import_module(f".{module}", __package__), name)
    # uvicorn disables Nagle's algorithm only if the socket names its protocol.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    config = uvicorn.Config(application(open_peer, settings), log_level="warning", loop="uvloop", access_log=False)
    server = uvicorn.Server(config)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)  # connections wait until it is ready
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
