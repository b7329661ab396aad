"""Find the statements that an answer of the assistant shows."""

from collections.abc import Sequence

from agent.language.grounding.checks import normalise
from agent.language.requests.statement_matching import mentions, share_of_words
from agent.memory.editing.selection import Statement

MIN_SHARE = 0.67
"""Share of the significant words of a statement that an answer in other words contains."""
MAX_ANSWER_CHARS = 4_000


def shown_statements(answer: str, statements: Sequence[Statement]) -> list[Statement]:
    """The statements that an answer quotes; if there are none, those of which it has all words, or most of them.

    Of statements with the same words, the latest.
    """
    answer = answer[:MAX_ANSWER_CHARS]
    lines = {normalise(line.strip(" -*\u2022")) for line in answer.splitlines()}
    quoted = [one for one in statements if normalise(one.text) in lines]
    found = quoted or [one for one in statements if mentions(answer, one.text)]
    if not found:
        shares = {one: share_of_words(answer, one.text) for one in statements}
        best = max(shares.values(), default=0.0)
        found = [one for one, share in shares.items() if share == best >= MIN_SHARE]
    return list({normalise(one.text): one for one in reversed(found)}.values())[::-1]
