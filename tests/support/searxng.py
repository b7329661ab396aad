"""A local SearXNG server with scripted results."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from support.asgi_server import AsgiServer
from support.model_script import Gate
from support.recording import Recording


class Searx(AsgiServer):
    """Returns `response` to each search; `gate` holds searches."""

    def __init__(self) -> None:
        self.gate = Gate()
        self.response: object = {"results": []}
        self.queries: Recording[str] = Recording()
        super().__init__(Starlette(routes=[Route("/search", self._search)]))

    async def _search(self, request: Request) -> Response:
        assert request.query_params["format"] == "json"
        self.queries.add(request.query_params["q"])
        await self.gate.wait()
        return JSONResponse(self.response)
