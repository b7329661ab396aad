"""Divide what a request names or states into several things ("my dog and my car", "that I smoke and that I drink")."""

import re
from collections.abc import Sequence

from agent.language.parsing.sentences import NON_FACTUAL
from agent.language.pattern_files import compile_lazily, load_pattern_lists, read
from agent.language.requests.clause_subjects import is_bare_noun

MAX_PARTS = 8

_FILE = "requests/content_parts.toml"
_COUNTS = load_pattern_lists(_FILE)
_PATTERNS = {
    name: compile_lazily("|".join(alternatives))
    for name, alternatives in read(_FILE).items()
    if name not in {"two", "three"}  # whose alternatives have groups of the same name
}
# Between statements to forget.
_AND = re.compile(
    r"\s(?:and|und|y|et)(?: also)?(?: that| dass| que)? (?=(?:i|i'\w{1,2}|my|we|our|ich|je|j')\b)", re.IGNORECASE
)
# Between the contents of "remember that …, that … and that …".
_THAT = r"(?:that|dass|que|qu'|che|dat)"
_AND_THAT = re.compile(
    rf"(?:,\s|(?P<last>,?\s(?:and|und|y|et|e|en)\s))(?:(?:also|auch|también|aussi|anche|também|ook)\s)?{_THAT}\s?"
    r"(?<=[\s'])(?!(?:of|one|which|who|is|was|the same|he|she|it|they"
    r"|er|sie|es|ella|él|ils?|elles?|lui|lei|ele|ela|hij|zij|ze|het)\b)",
    re.IGNORECASE,
)
_NESTED_THAT = re.compile(rf"\b{_THAT}(?=\s|(?<='))", re.IGNORECASE)


def statements_in(text: str) -> Sequence[str]:
    """The statements of "that …, that … and that …"; the text itself if it is one."""
    joints = list(_AND_THAT.finditer(text))
    first = text[: joints[0].start()] if joints else ""
    if not any(one["last"] for one in joints) or NON_FACTUAL.search(first) or _NESTED_THAT.search(first):
        return [text]  # "that my mother thinks that I smoke and that I drink"
    starts, ends = [0, *(one.end() for one in joints)], [*(one.start() for one in joints), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def forgotten_statements_in(text: str) -> Sequence[str]:
    """The statements that a request to forget joins with "and"."""
    parts = statements_in(text)
    return parts if len(parts) > 1 else _AND.split(text)


def questions_in(text: str) -> Sequence[str]:
    """The embedded questions that a text joins ("where I live and where I work")."""
    return _PATTERNS["before_question"].split(text, MAX_PARTS)


def things_in(text: str) -> Sequence[str]:
    """The things that a text lists, each with its own determiner ("my dog and my car"); the text itself if one."""
    parts = _PATTERNS["before_thing"].split(text, MAX_PARTS)
    return parts if len(parts) > 1 and all(map(_is_thing, parts)) else [text]


def _is_thing(part: str) -> bool:
    text = part.strip(" ,")
    is_named = is_bare_noun(text) or _PATTERNS["thing"].fullmatch(text) is not None
    return is_named and not _PATTERNS["clause_end"].search(text)


def topics_in(text: str) -> Sequence[str]:
    """The topics that a text joins, each with its own determiner or preposition ("my ex and about our flat")."""
    return _PATTERNS["before_topic"].split(text, MAX_PARTS)


def counted_things(text: str) -> tuple[str, int]:
    """The things without their number if that is two or three ("both my jobs": "my jobs", 2), and the number or 0."""
    for name, count in (("two", 2), ("three", 3)):
        for pattern in _COUNTS[name]:
            if match := pattern.match(text):
                return f"{match['owner']}{text[match.end() :]}", count
    return text, 0
