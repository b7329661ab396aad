"""Detect verbs whose subject is not the speaker, and relatives whose gender differs from what the speaker said."""

import re
from collections.abc import Sequence

from agent.language.grounding.checks import Word, significant_stems, stem, stems, words
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("grounding/subjects.toml")
_MARKS = r"[.,;:!?\n\u3002\uff0c\uff01\uff1f\u060c]"
_CLAUSE_END = re.compile(rf"(?<!{_MARKS}){_MARKS}+(?=\s|[^\x00-\x7f]|$)")


def is_predicate_of_other(spoken: str, text: str) -> bool:
    """Check whether a text without a subject ("Works as a pilot") repeats what a sentence says about another subject.

    Args:
        spoken: the user's sentence.
        text: the text, which begins with its verb.
    """
    written = words(text)
    if not written:
        return False
    verb, *others = written
    if not any(_PATTERNS[name].fullmatch(verb.text) for name in ("third_person", "any_person")):
        return False
    content = next((word for word in others if word.is_content), None)
    clauses = _CLAUSE_END.split(spoken)
    return any(_has_other_subject(clause, verb, content) for clause in clauses)


def _has_other_subject(clause: str, verb: Word, content: Word | None) -> bool:
    spoken = words(clause)
    index = next((index for index, word in enumerate(spoken) if word.stem == verb.stem), None)
    if not index or _PATTERNS["own_property"].search(clause):
        return False
    if content and content.stem not in {word.stem for word in spoken[index + 1 :]}:
        return False
    if spoken[index].text == verb.text and _PATTERNS["third_person"].fullmatch(verb.text):
        return True
    before = " ".join(word.text for word in spoken[:index])
    own = _PATTERNS["own_subject"].search(before)
    is_name = own is not None and own.end() < len(before) and spoken[index - 1].is_name
    return own is None or is_name or _PATTERNS["other_subject"].search(before, own.end()) is not None


def is_of_second_subject(spoken: str, text: str, persons: Sequence[re.Match[str]]) -> bool:
    """Check whether a text says what only a second subject has ("I have two cats, and my neighbour three dogs").

    Args:
        spoken: the user's sentence.
        text: the text.
        persons: where the sentence mentions other persons, in order.
    """
    second = _PATTERNS["second_subject"].search(spoken)
    person = next((one for one in persons if second and one.start() >= second.end()), None)
    if not second or not person or stem(person[0]) in stems(text):
        return False
    own, stated = significant_stems(spoken[: second.start()]), significant_stems(text)
    return not (stated & significant_stems(spoken[second.end() :])) <= own


def names_other_gender(spoken: str, text: str) -> bool:
    """Check whether a text says "hijo" where the speaker says "hija"; in Romance languages both have the same stem."""
    said = {word.text.removesuffix("s") for word in words(spoken)}
    named = {word.text.removesuffix("s") for word in words(text)} - said
    return any(_PATTERNS["relative"].fullmatch(one) and not said.isdisjoint(_other_gender(one)) for one in named)


def _other_gender(relative: str) -> set[str]:
    return {relative[:-1] + vowel for vowel in "ao"} - {relative}
