"""The user's own words for what a memory states."""

from agent.language.references.antecedents import antecedent_in, contains_statement
from agent.memory.formation.supersession import stated_text
from agent.types import Memory


def as_said(memory: Memory) -> str:
    """The text of a memory; of one with a corrected value, the statement and its correction as the user said them."""
    quote = memory.sources[-1].quote
    return quote if antecedent_in(quote) else stated_text(memory)


def own_words(memory: Memory) -> str:
    """The user's words for a fact, or the text of an episode, which may begin with what it concerns."""
    return spoken(memory) if memory.kind == "user" else stated_text(memory)


def spoken(memory: Memory) -> str:
    """What the user said, with what introduces it ("Correction: …"); the text, if it has more of the user's words."""
    stated, quote = stated_text(memory), memory.sources[-1].quote
    return stated if contains_statement(stated, quote) else quote
