"""Creation of the configured former."""

from langchain_core.language_models import BaseChatModel

from agent.memory.formation.extract import make_extractor
from agent.memory.formation.former import ExtractorFormer, Former
from agent.memory.formation.langmem import make_langmem_former
from agent.settings import AgentSettings


def make_former(settings: AgentSettings, model: BaseChatModel) -> Former:
    """Create the former that the settings select.

    Raises:
        SetupError: it is not installed.
    """
    if settings.extractor == "langmem" and not settings.uses_rules:
        return make_langmem_former(model, settings.min_confidence, settings.max_facts)
    return ExtractorFormer(
        make_extractor(settings, model), min_confidence=settings.min_confidence, max_facts=settings.max_facts
    )
