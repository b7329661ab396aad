"""Creation of the configured former."""

from langchain_core.language_models import BaseChatModel

from agent.memory.formation.batch import ContextReader, read_no_context
from agent.memory.formation.extract import RulesExtractor, StrictExtractor
from agent.memory.formation.former import ExtractorFormer, Former
from agent.memory.formation.langmem import make_langmem_former
from agent.memory.formation.resilient import ResilientExtractor
from agent.settings import AgentSettings


def make_former(settings: AgentSettings, model: BaseChatModel, read_context: ContextReader = read_no_context) -> Former:
    """Create the former that the settings select; raise `SetupError` if it is not installed."""
    if settings.extractor == "langmem" and not settings.uses_rules:
        return make_langmem_former(
            model, min_confidence=settings.min_confidence, max_facts=settings.max_facts, read_context=read_context
        )
    rules, deadline = RulesExtractor(), settings.formation_deadline_seconds
    extractor = rules if settings.uses_rules else ResilientExtractor(StrictExtractor(model), rules, deadline)
    return ExtractorFormer(
        extractor,
        min_confidence=settings.min_confidence,
        max_facts=settings.max_facts,
        read_context=read_context,
    )
