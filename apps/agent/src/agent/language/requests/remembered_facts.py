"""The facts in what the user asks to remember."""

from agent.language.facts.extraction import extract_from_user
from agent.language.parsing.clause_order import to_main_clause
from agent.language.requests.statement_matching import mentions
from agent.types import Category, Kind


def remembered_facts(text: str) -> list[tuple[Kind, Category, str]]:
    """The facts that the rules find, if they contain all of the text; otherwise the text as a main clause."""
    statement = to_main_clause(text)
    facts = extract_from_user(statement)
    if facts and mentions(". ".join(fact.text for fact in facts), statement):
        return [(fact.kind, fact.category, fact.text) for fact in facts]
    return [("user", "personal", statement[0].upper() + statement[1:])]
