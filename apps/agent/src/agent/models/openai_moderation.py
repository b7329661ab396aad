"""The endpoint `/moderations` of the model server."""

import httpx2
import openai

from agent.models.openai_errors import translated_openai_errors
from agent.settings import AgentSettings
from agent.text import replace_unstorable

MODEL = "omni-moderation-latest"


class ModerationEndpoint:
    """Asks the endpoint whether it flags a text."""

    def __init__(self, settings: AgentSettings, http: httpx2.AsyncClient) -> None:
        key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
        self._client = openai.AsyncOpenAI(
            api_key=key, base_url=settings.openai_base_url, http_client=http, max_retries=1
        )

    async def flags(self, text: str) -> bool:
        """Ask about one text; characters that cannot be encoded are replaced, as they are for the model.

        Raises:
            ModelServerError: the endpoint cannot be reached, or answers with an error.
            TypeError, ValueError, AttributeError: the response is not a verdict.
        """
        with translated_openai_errors():
            response = await self._client.moderations.create(model=MODEL, input=replace_unstorable(text))
        [result] = response.results
        return result.flagged
