"""Export of a thread as Markdown."""

from collections.abc import Iterable

from agent.types import Message, Thread

ROLES = {"user": "You", "assistant": "Keepsake"}
RATINGS = {"up": "Rated up", "down": "Rated down"}


def to_markdown(thread: Thread, messages: Iterable[Message]) -> str:
    """Write a thread with all its messages, each under a heading with its role and time."""
    parts = [f"# {thread.title or 'Conversation'}", *map(_section, messages)]
    return "\n\n".join(parts) + "\n"


def _section(message: Message) -> str:
    lines = [f"## {ROLES[message.role]} · {message.ts:%Y-%m-%d %H:%M} UTC", message.text]
    if message.status != "completed" or message.finish_reason != "stop":
        lines.append("*(incomplete)*")
    if message.feedback:
        reason = " ".join((message.feedback.reason or "").split())
        lines.append(f"*{RATINGS[message.feedback.rating]}{': ' + reason if reason else ''}*")
    return "\n\n".join(lines)
