"""The tool calls with which a model inserts, updates and deletes memories for LangMem."""

from support.scripted_openai import ToolCall


def semantic_call(text: str, quote: str, **other: object) -> ToolCall:
    arguments = {"text": text, "quote": quote, "category": "personal", "confidence": 0.9, **other}
    return ToolCall("SemanticMemory", arguments)


def update_call(known: str, **changed: str) -> ToolCall:
    patches = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in changed.items()]
    return ToolCall("PatchDoc", {"json_doc_id": known, "planned_edits": "", "patches": patches})


def delete_call(known: str) -> ToolCall:
    return ToolCall("RemoveDoc", {"json_doc_id": known})
