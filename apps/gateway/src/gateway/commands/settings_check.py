"""Messages about settings: errors by the name of the setting, and warnings about unknown names."""

import difflib
import logging
from collections.abc import Iterator

from pydantic import ValidationError
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource

from agent import AgentSettings
from gateway.settings import GatewaySettings

logger = logging.getLogger(__name__)

PREFIX = "KEEPSAKE_"
CLIENT_VARIABLES = ("KEEPSAKE_KEY", "KEEPSAKE_URL")
"""Read by `keepsake chat`."""


def describe_errors(error: ValidationError) -> str:
    """Describe invalid settings in one line, without their values, which may be secret."""
    return "; ".join(_describe(fault["loc"], fault["msg"].removeprefix("Value error, ")) for fault in error.errors())


def unknown_settings() -> Iterator[str]:
    """Describe the names in the environment and in `.env` that start with `KEEPSAKE_` and are not settings."""
    known = {name.removeprefix(PREFIX): name for name in (*_names().values(), *CLIENT_VARIABLES)}
    for source, place in ((EnvSettingsSource, "the environment"), (DotEnvSettingsSource, ".env")):
        for name in source(AgentSettings).env_vars:
            upper = name.upper()
            if upper.startswith(PREFIX) and upper not in known.values():
                nearest = difflib.get_close_matches(upper.removeprefix(PREFIX), known, n=1)
                advice = f"did you mean {known[nearest[0]]}?" if nearest else "see .env.example"
                yield f"unknown setting {upper} in {place}: {advice}"


def warn_about_unknown_settings() -> None:
    """Log a warning about each unknown setting: a misspelt one would have no effect."""
    for message in unknown_settings():
        logger.warning("%s", message)


def _describe(location: tuple[int | str, ...], message: str) -> str:
    if not location:  # of several settings, which the message names
        return message
    name = str(location[0])
    return f"{_names().get(name, name.upper())}: {message}"


def _names() -> dict[str, str]:
    """The name of each setting in the environment, by its field."""
    return {
        field: _name(settings, field)
        for settings in (AgentSettings, GatewaySettings)
        for field in settings.model_fields
    }


def _name(settings: type[BaseSettings], field: str) -> str:
    return str(settings.model_fields[field].validation_alias or f"{settings.model_config['env_prefix']}{field}".upper())
