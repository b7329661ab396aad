"""Recognise messages that may change or extend the statement before them without naming what it is about.

"Full! We got the Wednesday class" and "Venue flooded, they're having it in Kinsale" may change the statement or only
extend it; "and the dog" extends it. They are kept together with it, so nothing is lost either way.
"""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.references.references import MAX_CONTINUATION_CHARS, Reference, names_subject
from agent.language.references.relations import states_change
from agent.language.words import frames
from agent.language.words.content import content_of
from agent.language.words.stems import without_function_words

MAX_BARE_WORDS = 3  # of a clause that names no topic
MAX_THINGS = 2  # named in a sentence that says that something changed

_PATTERNS = load_patterns("references/unnamed_changes.toml")


def may_change(reference: Reference) -> bool:
    """Check whether a message may change what the message before it says."""
    if not _is_brief(reference) or reference.is_reaction:
        return False
    return tells_change(reference) or _explains_value(reference) or concludes(reference)


def tells_change(reference: Reference) -> bool:
    """Check whether a message says that something changed without naming it ("Host cancelled on us")."""
    if not _is_brief(reference) or _is_said_to_assistant(reference) or reference.updates:
        return False
    first = ", ".join(reference.clauses_by_sentence[0])
    content = content_of(without_function_words(first))
    is_bare = len(content.things | content.persons) <= MAX_THINGS and not _names_topic(first)
    return is_bare and states_change(reference.text)


def adds(reference: Reference) -> bool:
    """Check whether a message adds to the one before it, and has no word for the user ("Mum's coming too")."""
    if not reference.clauses or len(reference.text) > MAX_CONTINUATION_CHARS or reference.is_reaction:
        return False
    first, *others = (", ".join(clauses) for clauses in reference.clauses_by_sentence)
    if not names_no_author(first) or any(map(names_subject, others)):
        return False
    is_added = _PATTERNS["adds"].search(reference.plain.strip()) is not None or adds_detail(reference.text)
    return is_added and not states_change(reference.text)


def adds_detail(text: str) -> bool:
    """Check whether a message is only a time, a place or a name of what was said before it ("at 8", "called Rex")."""
    return _PATTERNS["detail"].match(plain_punctuation(text).strip()) is not None


def names_no_author(text: str) -> bool:
    """Check whether a text contains no word for the user."""
    return not (names_subject(text) or _PATTERNS["author"].search(text))


def _explains_value(reference: Reference) -> bool:
    """Check whether a message begins with a few words without a topic, and explains them ("Full! We got Monday")."""
    first = reference.clauses[0]
    is_bare = len(first.split()) <= MAX_BARE_WORDS and f"{first}:" not in reference.plain
    goes_on = len(reference.clauses) > 1 and not _is_said_to_assistant(reference)
    is_read = _PATTERNS["unlisted"].search(reference.plain) is None
    return is_bare and goes_on and is_read and not _names_topic(first)


def concludes(reference: Reference) -> bool:
    """Check whether a message states the result of some circumstances ("so Nora then")."""
    return not names_subject(reference.clauses[0]) and _PATTERNS["concludes"].search(reference.plain) is not None


def _is_brief(reference: Reference) -> bool:
    return bool(reference.clauses) and len(reference.text) <= MAX_CONTINUATION_CHARS and not reference.is_addition


def _is_said_to_assistant(reference: Reference) -> bool:
    return reference.has_interjection or reference.is_reaction


def _names_topic(text: str) -> bool:
    return not names_no_author(text) or _PATTERNS["topic"].search(text) is not None or frames.is_unspaced(text)
