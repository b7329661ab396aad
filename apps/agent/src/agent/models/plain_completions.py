"""The chat completions API with plain dicts."""

from collections.abc import Mapping
from typing import Any

from openai import AsyncStream
from openai.resources.chat.completions import AsyncCompletions


class PlainCompletions(AsyncCompletions):
    """Completions that are sent and returned as decoded JSON.

    The client itself transforms each request by its type hints, and builds nested objects from each chunk of a stream,
    which LangChain converts back to dicts. That takes more CPU time than everything else that is done for a token.
    """

    async def create(  # type: ignore[override]
        self,
        *,
        stream: bool = False,
        timeout: Any = None,  # noqa: ANN401, ASYNC109 - as inherited
        extra_headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        **body: Any,  # noqa: ANN401 - as inherited
    ) -> Any:  # noqa: ANN401 - as inherited
        """Create a completion, or open its stream."""
        options: Any = {"security": {"bearer_auth": True}}
        if extra_headers:
            options["headers"] = extra_headers
        if timeout is not None:
            options["timeout"] = timeout
        return await self._client.post(
            "/chat/completions",
            body={"stream": stream, **body, **(extra_body or {})},
            options=options,
            cast_to=object,
            stream=stream,
            stream_cls=AsyncStream[object],
        )
