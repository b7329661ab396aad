"""State what a correction corrects with the corrected value, instead of the statement beside its correction."""

from dataclasses import replace

from agent.language.dates.notes import date_note, split_date_note
from agent.language.references.antecedents import without_antecedent
from agent.language.references.corrected_values import names_day, with_corrected_value
from agent.memory.formation.item_words import local_day
from agent.memory.records.inbox import InboxItem
from agent.types import Memory


def correct_value(memory: Memory, item: InboxItem) -> Memory:
    """A memory "statement → correction" as one statement with the corrected value; the same if that is not certain.

    Its last source quotes both.

    Args:
        memory: a memory in the user's own words.
        item: the message that states the correction.
    """
    text = with_corrected_value(memory.text)
    if text == memory.text:
        return memory
    note = date_note(text, local_day(item)) if names_day(without_antecedent(memory.text)) else ""
    *earlier, last = memory.sources
    return replace(memory, text=text + note, sources=(*earlier, replace(last, quote=split_date_note(memory.text)[0])))
