"""Streams of the chat completions API as plain dicts."""

from typing import Any

from openai import AsyncStream
from openai.resources.chat.completions import AsyncCompletions


class PlainCompletions(AsyncCompletions):
    """Completions whose streams yield the decoded JSON of each chunk.

    The client's own streams build nested objects from each chunk, which LangChain converts back to dicts. That takes
    more CPU time than everything else that is done for a token.
    """

    async def create(self, *, stream: bool = False, timeout: Any = None, **body: Any) -> Any:  # type: ignore[override] # noqa: ANN401, ASYNC109 - as inherited
        """Create a completion. Only calls without options of the client are streamed as dicts."""
        if timeout is not None:
            body |= {"timeout": timeout}
        if not stream or any(name in body for name in ("timeout", "extra_headers", "extra_query", "extra_body")):
            return await super().create(stream=stream, **body)
        return await self._client.post(
            "/chat/completions",
            body={"stream": True, **body},
            options={"security": {"bearer_auth": True}},
            cast_to=object,
            stream=True,
            stream_cls=AsyncStream[object],
        )
