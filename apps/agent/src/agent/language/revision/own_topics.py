"""Recognise messages that name a topic which a statement does not name ("alla fine abbiamo preso un gatto")."""

from agent.language.parsing.function_words import language_of
from agent.language.pattern_files import load_patterns
from agent.language.revision.content import Stems, content_of
from agent.language.revision.own_subjects import refers_to_other
from agent.language.revision.references import Reference
from agent.language.revision.relations import without_changes
from agent.language.revision.stems import without_function_words
from agent.language.revision.values import quantities
from agent.language.text_cache import cache_per_user

MIN_TOPIC_WORDS = 2  # one may be the new value
MIN_PREFIX_CHARS = 4  # that the forms of a word share ("fryzjer", "fryzjera")

_PATTERNS = load_patterns("revision/own_topics.toml")


def names_other_topic(reference: Reference, statement: str) -> bool:
    """Check whether a message has several words for things, and a statement has none of them.

    One is enough beside a day, time or number. Words for a correction or a change, and pronouns, do not count.
    English messages are left to `own_subjects`, which knows more forms of them.
    """
    if not _may_name_topic(reference):
        return False
    own, known = topic_words(reference.text), topic_words(statement)
    least = 1 if quantities(reference.text) else MIN_TOPIC_WORDS
    return len(own) >= least and not any(_is_form(one, other) for one in own for other in known)


def _may_name_topic(reference: Reference) -> bool:
    """Check whether a message is in a language that is read here, and does not begin with a value or a pronoun."""
    first = reference.clauses[0] if reference.clauses else ""
    is_read = _PATTERNS["unread"].search(reference.text) is None and language_of(reference.text) != "en"
    is_dependent = _PATTERNS["depends"].search(reference.plain) or refers_to_other(reference)
    return is_read and not (is_dependent or _PATTERNS["value"].match(first))


@cache_per_user(maxsize=2048)
def topic_words(text: str) -> Stems:
    """The stems of the words of a text that may name what it is about."""
    return content_of(without_function_words(_PATTERNS["filler"].sub(" ", without_changes(text)))).things


def _is_form(stem: str, other: str) -> bool:
    """Check whether two stems are of the same word."""
    return stem == other or (
        min(len(stem), len(other)) >= MIN_PREFIX_CHARS and stem[:MIN_PREFIX_CHARS] == other[:MIN_PREFIX_CHARS]
    )
