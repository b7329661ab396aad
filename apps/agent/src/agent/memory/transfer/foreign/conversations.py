"""Exports with conversations: those of ChatGPT and of Claude.

References:
    `conversations.json` of ChatGPT: whychose.com/seo/chatgpt-conversations-json-format,
    portable-ai-memory.org/providers/openai. It has no specification by OpenAI.
    `conversations.json` of Claude: whychose.com/seo/how-to-export-claude-conversations, without one by Anthropic.
"""

import re
from collections.abc import Iterator

from agent.memory.transfer.foreign.entries import (
    Entries,
    ForeignMemory,
    ForeignMessage,
    Record,
    list_of,
    record_of,
    text_of,
    to_utc,
)

_MARKUP = re.compile(r"^(?:[-*•]\s+|\d+[.)]\s+)|\*\*|__")


def is_chatgpt(record: Record) -> bool:
    """Check whether a record is a conversation of ChatGPT."""
    return isinstance(record.get("mapping"), dict)


def is_claude(record: Record) -> bool:
    """Check whether a record is a conversation or the memory of Claude."""
    return "chat_messages" in record or "conversations_memory" in record


def read_chatgpt(record: Record) -> Entries:
    """Read the user's messages in the branch that is shown, and what ChatGPT saved to its memory.

    It saves with a message to the tool `bio`. Saved memories in a list of their own have `content`.
    """
    if not is_chatgpt(record):
        if content := text_of(record.get("content")):
            yield ForeignMemory(content, to_utc(record.get("updated_at") or record.get("created_at")))
        return
    messages = list(_branch(record))
    conversation = text_of(record.get("conversation_id")) or text_of(record.get("id"))
    for n, message in enumerate(messages):
        ts = to_utc(message.get("create_time")) or to_utc(record.get("create_time"))
        role, text = record_of(message.get("author")).get("role"), _chatgpt_text(message)
        if role == "assistant" and message.get("recipient") == "bio":
            yield ForeignMemory(text, ts)
        elif role == "user" and text and ts and not _is_hidden(message):
            replies = (_chatgpt_text(one) for one in messages[n + 1 : n + 2] if one.get("recipient", "all") == "all")
            yield ForeignMessage(text_of(message.get("id")), conversation, text, ts, next(replies, ""))


def read_claude(record: Record) -> Entries:
    """Read the user's messages of a conversation, or the lines of what Claude remembers."""
    memories = [record.get("conversations_memory"), *record_of(record.get("project_memories")).values()]
    for line in (line for memory in memories for line in text_of(memory).splitlines()):
        text = _MARKUP.sub("", line.strip()).strip()
        if text and not line.lstrip().startswith("#") and not _is_heading(line):
            yield ForeignMemory(text)
    messages = [record_of(one) for one in list_of(record.get("chat_messages"))]
    for n, message in enumerate(messages):
        ts = to_utc(message.get("created_at")) or to_utc(record.get("created_at"))
        text = _claude_text(message)
        if message.get("sender") == "human" and text and ts:
            replies = (_claude_text(one) for one in messages[n + 1 : n + 2] if one.get("sender") == "assistant")
            yield ForeignMessage(text_of(message.get("uuid")), text_of(record.get("uuid")), text, ts, next(replies, ""))


def _branch(record: Record) -> Iterator[Record]:
    """The messages from the root to the current node, oldest first; without a current node, all of them by time."""
    nodes, key = record_of(record.get("mapping")), record.get("current_node")
    if not isinstance(key, str) or key not in nodes:
        found = [record_of(record_of(node).get("message")) for node in nodes.values()]
        yield from sorted(found, key=lambda message: to_utc(message.get("create_time")) or "")
        return
    path, seen = [], set()
    while isinstance(key, str) and key in nodes and key not in seen:
        seen.add(key)
        node = record_of(nodes[key])
        path.append(record_of(node.get("message")))
        key = node.get("parent")
    yield from reversed([message for message in path if message])


def _chatgpt_text(message: Record) -> str:
    content = record_of(message.get("content"))
    if text_of(content.get("content_type", "text")) not in {"text", "multimodal_text"}:
        return ""
    return "\n".join(filter(None, map(text_of, list_of(content.get("parts"))))).strip()


def _is_hidden(message: Record) -> bool:
    """Check whether the application wrote a message in the name of the user, such as their custom instructions."""
    metadata = record_of(message.get("metadata"))
    return bool(metadata.get("is_visually_hidden_from_conversation") or metadata.get("is_user_system_message"))


def _claude_text(message: Record) -> str:
    blocks = (record_of(block) for block in list_of(message.get("content")))
    texts = [text_of(block.get("text")) for block in blocks if block.get("type") == "text"]
    return (text_of(message.get("text")) or "\n".join(filter(None, texts))).strip()


def _is_heading(line: str) -> bool:
    return line.strip().startswith("**") and line.strip().rstrip(":").endswith("**")
