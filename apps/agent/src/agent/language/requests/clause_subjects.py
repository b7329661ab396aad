"""Recognise what a clause is about: whether it states something by itself, and whether a name in it is its subject."""

import re

from agent.language.grounding.pronouns import refers_back
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.requests.significant_words import name_spans, words_of

MAX_CHARS = 400  # the rest of a clause is not examined

_PATTERNS = load_patterns("requests/clause_subjects.toml")
_QUANTITY = re.compile(r"\d+\w{0,4}")
_EDGES = " \t\r\n.,;:!?…'\"()"


def is_complete(clause: str) -> bool:
    """Check whether a clause begins with a subject and its verb, so that it is understood by itself."""
    return _PATTERNS["complete"].match(_plain(clause)) is not None


def is_subordinate(sentence: str) -> bool:
    """Check for a sentence that begins with a condition, a reason or the like, so that its clauses belong together."""
    return _PATTERNS["subordinate"].match(_plain(sentence)) is not None


def is_bare_noun(clause: str) -> bool:
    """Check for a person or thing without a verb, such as the first one of several subjects."""
    return _PATTERNS["bare_noun"].match(_plain(clause)) is not None and not is_complete(clause)


def continues_subject(clause: str) -> bool:
    """Check whether a clause begins with a verb or a pronoun, and so is about the subject before it."""
    return _PATTERNS["continued"].match(_plain(clause)) is not None


def refers_to_antecedent(clause: str) -> bool:
    """Check whether a clause begins with a pronoun of the third person, or says what the user does with one."""
    plain = _plain(clause)
    if _PATTERNS["impersonal"].match(plain):
        return False
    is_subject = refers_back(clause) or _PATTERNS["omitted_subject"].match(plain) is not None
    return is_subject or _PATTERNS["object_pronoun"].match(plain) is not None


def is_antecedent(clause: str, topic: str) -> bool:
    """Check whether pronouns after a clause refer to a topic: it is the subject, or the only object of the user."""
    plain = _plain(clause)
    return is_led_by(clause, topic) or any(
        _PATTERNS["user_before_object"].fullmatch(plain[:start]) and not _PATTERNS["person_after"].search(plain[stop:])
        for start, stop in name_spans(plain, topic)
    )


def names_antecedent(clause: str) -> bool:
    """Check whether a clause has a person or thing as its subject, or as the object of the user."""
    plain = _plain(clause)
    return any(_PATTERNS[name].match(plain) for name in ("named_subject", "user_before_object"))


def has_other_subject(clause: str) -> bool:
    """Check whether a clause may have a subject of its own, and does not begin with a verb or personal pronoun."""
    plain = _plain(clause)
    if _PATTERNS["impersonal"].match(plain):
        return True
    return not continues_subject(clause) and _PATTERNS["other_subject"].search(plain) is not None


def is_led_by(clause: str, topic: str) -> bool:
    """Check whether a topic is the only subject of a clause, or what its subject is ("My tutor is Ann")."""
    plain = _plain(clause)
    return any(_is_led(plain[:start], plain[stop:]) for start, stop in name_spans(plain, topic))


def states_more(clause: str, topic: str) -> bool:
    """Check whether a clause also states something that is not about a topic ("I run a bakery with Suki")."""
    plain = _plain(clause)
    spans = name_spans(plain, topic)
    return bool(spans) and not any(_is_only_about(plain[:start], plain[stop:]) for start, stop in spans)


def is_of_another(statement: str, text: str) -> bool:
    """Check whether a statement is about a thing of another person, while a request names the user's own."""
    plain = plain_punctuation(statement[:MAX_CHARS])
    for owned in _PATTERNS["owned"].finditer(plain_punctuation(text[:MAX_CHARS])):
        spans = name_spans(plain, owned["thing"])
        if spans and all(_has_other_owner(plain[:start], plain[stop:]) for start, stop in spans):
            return True
    return False


def _has_other_owner(before: str, after: str) -> bool:
    is_before = _PATTERNS["owner_before"].search(before) is not None
    return is_before or _PATTERNS["owner_after"].match(after) is not None


def _is_only_about(before: str, after: str) -> bool:
    if _is_led(before, after):
        return True
    if _is_joined(before, after) or _PATTERNS["own_clause"].search(after):
        return False
    adjunct = _PATTERNS["adjunct"].search(before)
    if adjunct is None:
        return True
    objects = words_of(before[: adjunct.start()])
    has_object = len(objects.strong) > bool(objects.first)  # the first word is the verb
    others = words_of(_QUANTITY.sub(" ", after)).strong
    return not has_object and not others


def _is_led(before: str, after: str) -> bool:
    if _is_joined(before, after) or _PATTERNS["own_clause"].search(after):
        return False
    is_subject = _PATTERNS["lead"].fullmatch(before) is not None and not _PATTERNS["adjunct"].search(before)
    return is_subject or _PATTERNS["copula"].search(before) is not None


def _is_joined(before: str, after: str) -> bool:
    """Check for another thing next to it in a list; a word for "and" that begins the clause joins nothing."""
    return _PATTERNS["joined_before"].search(before, 1) is not None or bool(_PATTERNS["joined_after"].match(after))


def _plain(clause: str) -> str:
    return plain_punctuation(clause[:MAX_CHARS]).strip(_EDGES)
