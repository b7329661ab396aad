"""The facts in what the user asks to remember."""

from agent.language.facts.extraction import extract_from_user
from agent.language.parsing.clause_order import to_main_clause
from agent.language.requests.denials import split_denial
from agent.language.requests.statement_matching import mentions
from agent.types import Category, Kind


def remembered_facts(text: str) -> list[tuple[Kind, Category, str]]:
    """The facts that the rules find, if they contain all of the text; otherwise the text as a main clause.

    What the text denies at its end follows the only fact ("Lives in York, not in Leeds").
    """
    denial = split_denial(text)
    statement = to_main_clause(denial.affirmed)
    facts = extract_from_user(statement)
    if facts and mentions(". ".join(fact.text for fact in facts), statement) and (len(facts) == 1 or not denial.words):
        return [(fact.kind, fact.category, f"{fact.text}{denial.words}") for fact in facts]
    return [("user", "personal", f"{statement[0].upper()}{statement[1:]}{denial.words}")]
