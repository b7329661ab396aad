"""What a message states, as formation would keep it."""

from agent.language.facts.statements import mask_unusable, statement_spans, without_masked


def stated(message: str) -> list[str]:
    """The user's own statements in a message, with "…" in place of what is not theirs."""
    masked = mask_unusable(message)
    return [without_masked(message, masked, span) for span in statement_spans(masked)]
