"""Recognise messages that name a topic which a statement does not name ("alla fine abbiamo preso un gatto")."""

from agent.language.parsing.function_words import language_of
from agent.language.pattern_files import load_patterns
from agent.language.references.own_subjects import refers_to_other
from agent.language.references.references import Reference
from agent.language.references.relations import without_changes
from agent.language.text_cache import cache_per_user
from agent.language.words.content import Stems, content_of
from agent.language.words.stems import without_function_words
from agent.language.words.values import quantities

MIN_TOPIC_WORDS = 2  # one may be the new value
MIN_PREFIX_CHARS = 4  # that the forms of a word share ("fryzjer", "fryzjera")

_PATTERNS = load_patterns("references/own_topics.toml")


def names_other_topic(reference: Reference, statement: str) -> bool:
    """Check whether a message begins with words for things, and a statement has none of its words for things.

    One is enough beside a day, time or number. Words for a correction or a change, and pronouns, do not count.
    English messages are left to `own_subjects`, which knows more forms of them.
    """
    if not _may_name_topic(reference):
        return False
    own, known = topic_words(reference.text), topic_words(statement)
    if any(_is_form(one, other) for one in own for other in known):
        return False
    is_value = reference.replaces_value(statement) or reference.reports_value(statement)
    return not (is_value or reference.respells([statement])) or _has_label(reference)


def _may_name_topic(reference: Reference) -> bool:
    """Check whether a message is in a language that is read here, and begins with more than a value or a pronoun."""
    if _PATTERNS["unread"].search(reference.text) or language_of(reference.text) == "en" or reference.denies_last:
        return False
    if _PATTERNS["depends"].search(reference.plain) or refers_to_other(reference):
        return False
    if _has_label(reference):
        return True
    first = next(filter(topic_words, reference.clauses), "")
    least = 1 if quantities(first) or _PATTERNS["excludes"].search(first) else MIN_TOPIC_WORDS
    return len(topic_words(first)) >= least and not _PATTERNS["value"].match(first)


def _has_label(reference: Reference) -> bool:
    """Check whether a day or number follows a word for a thing and a colon ("Kinderarzt: Freitag 9:30")."""
    label = _PATTERNS["label"].match(reference.plain.strip())
    return label is not None and bool(topic_words(label["thing"])) and bool(quantities(reference.text))


@cache_per_user(maxsize=2048)
def topic_words(text: str) -> Stems:
    """The stems of the words of a text that may name what it is about."""
    return content_of(without_function_words(_PATTERNS["filler"].sub(" ", without_changes(text)))).things


def _is_form(stem: str, other: str) -> bool:
    """Check whether two stems are of the same word."""
    return stem == other or (
        min(len(stem), len(other)) >= MIN_PREFIX_CHARS and stem[:MIN_PREFIX_CHARS] == other[:MIN_PREFIX_CHARS]
    )
