"""The tool calls with which a model inserts, updates and deletes memories for LangMem."""

import re
from collections.abc import Callable, Sequence

from support.scripted_openai import Message, ScriptedOpenAI, ToolCall

LangMemScript = Callable[[dict[str, str]], Sequence[ToolCall] | str]
"""Returns the model's response, given the ids that LangMem assigns to known memories, by text."""


def semantic_call(text: str, quote: str, **other: object) -> ToolCall:
    arguments = {"text": text, "quote": quote, "category": "personal", "confidence": 0.9, **other}
    return ToolCall("SemanticMemory", arguments)


def update_call(known: str, **changed: str) -> ToolCall:
    patches = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in changed.items()]
    return ToolCall("PatchDoc", {"json_doc_id": known, "planned_edits": "", "patches": patches})


def delete_call(known: str) -> ToolCall:
    return ToolCall("RemoveDoc", {"json_doc_id": known})


def script_model(model: ScriptedOpenAI, script: LangMemScript) -> None:
    """Make the model respond as the script says."""

    def reply(messages: list[Message]) -> Sequence[ToolCall] | str:
        instances = re.findall(
            r"<instance id=(\w+) schema_type=\"\w+\">\n.*?'text': '(.*?)'", str(messages[0]["content"])
        )
        return script({text: memory for memory, text in instances})

    model.script.reply = reply
