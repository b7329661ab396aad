"""Recognise messages that name what they are about, and therefore do not refer to what was said before.

A message names it as the subject or object of its first clause ("The wedding is postponed"), by words for things beside
a word for a change ("alla fine abbiamo preso un gatto"), or before a colon ("Kinderarzt: Freitag 9:30").
"""

from itertools import dropwhile

from agent.language.pattern_files import load_patterns
from agent.language.references.references import Reference
from agent.language.references.relations import shared_things, states_change, without_changes
from agent.language.text_cache import cache_per_user
from agent.language.words.content import Stems, content_of
from agent.language.words.stems import without_function_words
from agent.language.words.values import quantities

MIN_TOPIC_WORDS = 2  # one may be the new value
MIN_PREFIX_CHARS = 4  # that the forms of a word share ("fryzjer", "fryzjera")

_PATTERNS = load_patterns("references/own_topics.toml")


def names_other_topic(reference: Reference, statement: str) -> bool:
    """Check whether a message names what it is about, and a statement names nothing of it."""
    if _names_subject(reference):
        corrects = reference.corrects and not reference.ends
        is_same = reference.shares_word(statement) if corrects else shares_thing(reference, statement)
        return not (is_same or reference.repeats_value(statement))
    if not (_has_label(reference) or _changes_topic(reference, statement)):
        return False
    known = topic_words(statement)
    return not any(_is_form(one, other) for one in topic_words(reference.text) for other in known)


def shares_thing(reference: Reference, statement: str) -> bool:
    """Check whether a message and a statement name the same thing."""
    return reference.shares_word(statement) and bool(shared_things(reference.text, statement))


def _names_subject(reference: Reference) -> bool:
    """Check whether a message begins with its subject or object and a verb rather than a pronoun.

    First clauses that only introduce a report are skipped ("Mum rang, …").
    """
    if any(_PATTERNS[name].match(reference.plain.strip()) for name in ("companions", "reported")):
        return True
    first = next(dropwhile(_PATTERNS["reports"].fullmatch, reference.clauses), "")
    return _PATTERNS["names"].match(first) is not None and _PATTERNS["refers"].search(first) is None


def _has_label(reference: Reference) -> bool:
    """Check whether a day or number follows a word for a thing and a colon ("Kinderarzt: Freitag 9:30")."""
    label = _PATTERNS["label"].match(reference.plain.strip())
    return label is not None and bool(topic_words(label["thing"])) and bool(quantities(reference.text))


def _changes_topic(reference: Reference, statement: str) -> bool:
    """Check whether a message begins with a change of things that it names, and not with another value.

    One word is enough beside a number of something else, or "not".
    """
    first = next(filter(_without_filler, reference.clauses), "")
    if _refers(reference, first) or not _begins_with_change(reference, first):
        return False
    if reference.replaces_value(statement) or reference.reports_value(statement):
        return False
    if reference.has_other_value(statement):
        return len(topic_words(first)) > MIN_TOPIC_WORDS
    is_bare = any(map(str.isdigit, first)) or _PATTERNS["excludes"].search(first)
    return len(topic_words(first)) >= (1 if is_bare else MIN_TOPIC_WORDS)


def _begins_with_change(reference: Reference, clause: str) -> bool:
    """Check whether a message says before the end of a clause that something changed."""
    head = Reference(reference.plain[: reference.plain.find(clause) + len(clause)])
    is_said = head.clauses and (head.updates or head.reports_change or states_change(head.text))
    return bool(is_said) or _PATTERNS["changes"].match(clause) is not None


def _refers(reference: Reference, clause: str) -> bool:
    """Check whether a message begins with a value, a denial, or a clause that refers to what was said before."""
    if reference.denies_last or _PATTERNS["depends"].search(clause):
        return True
    return any(map(_PATTERNS["refers"].search, (clause, *reference.clauses[:1])))


@cache_per_user(maxsize=2048)
def topic_words(text: str) -> Stems:
    """The stems of the words of a text that may name what it is about."""
    return content_of(_without_filler(text)).things


def _without_filler(text: str) -> str:
    """A text without function words, and words that say that something changed or is corrected."""
    return without_function_words(_PATTERNS["filler"].sub(" ", without_changes(text))).strip(" .,'")


def _is_form(stem: str, other: str) -> bool:
    """Check whether two stems are of the same word."""
    return stem == other or (
        min(len(stem), len(other)) >= MIN_PREFIX_CHARS and stem[:MIN_PREFIX_CHARS] == other[:MIN_PREFIX_CHARS]
    )
