"""The extraction rules: facts from messages, tool results and answers, without a model and without I/O.

`agent.chat.note_extraction.extract_with_llm` extracts the same facts with a model; it belongs to the chat layer.
"""

from agent.language.facts.extraction import UserFact, extract_from_user
from agent.language.facts.tool_results import (
    Fact,
    extract_from_response,
    extract_from_tool_result,
    qualifies_for_llm_extraction,
)

__all__ = [
    "Fact",
    "UserFact",
    "extract_from_response",
    "extract_from_tool_result",
    "extract_from_user",
    "qualifies_for_llm_extraction",
]
