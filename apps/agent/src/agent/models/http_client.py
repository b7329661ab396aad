"""The HTTP client of the model servers and of the web search."""

from typing import Any

import httpx2

from agent.settings import AgentSettings


def make_http_client(settings: AgentSettings, **options: Any) -> httpx2.AsyncClient:  # noqa: ANN401 - as in httpx2
    """Create the client with these options of `httpx2.AsyncClient`; the caller closes it.

    With a model server, it has the transport and the limits of OpenAI's client.
    """
    if settings.offline:
        return httpx2.AsyncClient(**options)
    from openai import DefaultAioHttpClient  # noqa: PLC0415 - see `make_chat_models`

    return DefaultAioHttpClient(**options)
