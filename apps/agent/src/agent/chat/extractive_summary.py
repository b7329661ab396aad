"""Summaries of a user's messages without a model, by extraction of their statements."""

from collections.abc import Iterable, Sequence

from agent.language.facts.extraction import contains_only_requests, extract_from_user
from agent.language.facts.standing import SAFETY_TOPICS, standing_topics
from agent.language.grounding.checks import rejection_reason
from agent.prompt_text import neutralise

SUMMARY_CHARS = 2_400
EPISODE_CHARS = 400
LINE_CHARS = 200  # per statement


def extract_summary(summary: str, texts: Sequence[str]) -> str:
    """Add the statements of messages to a summary: standing ones, safety first, then facts, then the newest."""
    lines = list(dict.fromkeys([*summary.splitlines(), *(f"- {line}" for line in _statements(texts))]))
    ranking = sorted(range(len(lines)), key=lambda n: (*_importance(lines[n][2:]), n), reverse=True)
    return "\n".join(line for _, line in sorted(select_lines((n, lines[n]) for n in ranking)))


def quotes_episode(texts: Sequence[str]) -> str:
    """One sentence that quotes the facts in messages; empty if there are none."""
    quotes = [fact.quote for text in texts for fact in extract_from_user(text)]
    return shorten(f"User said: {'; '.join(dict.fromkeys(quotes))}") if quotes else ""


def select_lines(lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """The numbered lines, best first, that fit into a summary, without credentials and instructions."""
    selected: list[tuple[int, str]] = []
    chars_left = SUMMARY_CHARS
    for n, line in lines:
        if not line.strip() or rejection_reason(line):
            continue
        if len(line) < chars_left or not selected:
            selected.append((n, line[:chars_left]))
            chars_left -= len(line) + 1
    return selected


def shorten(text: str) -> str:
    """Shorten a text to one line of an episode."""
    line = " ".join(text.split())
    return line if len(line) <= EPISODE_CHARS else f"{line[: EPISODE_CHARS - 1]}…"


def _importance(line: str) -> tuple[bool, bool, bool]:
    topics = standing_topics(line)
    return bool(topics & SAFETY_TOPICS), bool(topics), bool(extract_from_user(line))


def _statements(texts: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for text in texts:
        quotes = [fact.quote for fact in extract_from_user(text)]
        whole = [] if contains_only_requests(text) else [text]
        lines += [neutralise(line)[:LINE_CHARS] for line in quotes or whole]
    return lines
