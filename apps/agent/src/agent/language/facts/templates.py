"""Patterns of clauses and the templates of the memories that they produce."""

import re
from dataclasses import dataclass

from agent.language.parsing.sentences import compile_any
from agent.types import Category


@dataclass(frozen=True, slots=True)
class FactPattern:
    """A pattern of a clause, and the template of the memory that it produces.

    In `template`, `{o}` is the object, `{vs}` the verb in the third person, and any other name the group of that name.
    """

    pattern: re.Pattern[str]
    template: str
    category: Category
    confidence: float

    @property
    def is_procedural(self) -> bool:
        """Whether the memory is an instruction for the assistant."""
        return self.template in (INSTRUCTION, PROHIBITION, CONDITIONAL)

    @property
    def is_event(self) -> bool:
        """Whether the memory tells of something that happened, perhaps today."""
        return self.template.startswith(EVENTS)


EVENTS = ("{o}", "Moved", "Relocated", "Graduated", "Changed", "Went", "Gave", "No longer")
INSTRUCTION = "Wants the assistant to {o}"
PROHIBITION = "Wants the assistant not to {o}"
CONDITIONAL = "Wants of the assistant: {o}"
POSSESSIVE = "{who} {be}{no} {o}"
# The contracted form: "my car's a Volvo".
CONTRACTED = "{who} is {o}"
# A fact only if it is about answers; other wishes ("I want a pizza") are short-lived.
WISH = "Wants {o}"
HABIT = "{often} {vs} {o}"
NO_OBJECT = "{vs}"
NAMED = "{who} is called {o}"


def rule(pattern: str, template: str, confidence: float = 0.9, category: Category = "personal") -> FactPattern:
    """Compile a pattern, ignoring case."""
    return FactPattern(compile_any(pattern), template, category, confidence)
