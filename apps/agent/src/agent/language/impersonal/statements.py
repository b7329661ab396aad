"""Recognise sentences that state something, but nothing about their author.

They are about general knowledge, a work of fiction, the assistant's answer, or the program or text that is worked on.
What mentions the author, people around them or the days of their life is never among them.
"""

from collections.abc import Sequence

from agent.language.grounding.support import is_about_user
from agent.language.parsing.sentences import is_request, plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user

MAX_CHARS = 200

_PERSONAL = load_patterns("impersonal/personal.toml")
_KNOWLEDGE = load_patterns("impersonal/knowledge.toml")
_WORKS = load_patterns("impersonal/works.toml")
_ANSWERS = load_patterns("impersonal/answers.toml")
_REMARKS = [pattern for name, pattern in _ANSWERS.items() if name != "verdict"]
_PROGRAMS = load_patterns("impersonal/programs.toml")


def is_impersonal(sentence: str, stated: Sequence[str] = ()) -> bool:
    """Check whether a sentence is certainly not about its author's life.

    Args:
        sentence: the sentence.
        stated: the statements of its message. If another one is about the author, "the script" and "the second
            version" may be things of theirs.
    """
    if len(sentence) > MAX_CHARS:
        return False
    if _is_general(sentence):
        return True
    return _is_about_work(sentence) and not any(is_about_user(one) for one in stated if one != sentence)


@cache_per_user(maxsize=1024)
def _is_general(sentence: str) -> bool:
    """Check for general knowledge, news, exercises and retellings."""
    plain, start = split_content(sentence)
    is_known = any(pattern.match(plain, start) for pattern in (*_KNOWLEDGE.values(), *_WORKS.values()))
    if not is_known or _mentions_author(plain):
        return False
    is_retold = any(pattern.match(plain, start) for pattern in _WORKS.values())
    return is_retold or not _is_from_life(plain)


@cache_per_user(maxsize=1024)
def _is_about_work(sentence: str) -> bool:
    """Check for a remark about an answer, a text, a program or its data."""
    plain, start = split_content(sentence)
    if _is_verdict(plain, start):
        return True
    is_remark = any(pattern.match(plain, start) for pattern in (*_REMARKS, *_PROGRAMS.values()))
    return is_remark and is_free_of_life(plain)


def _is_verdict(plain: str, start: int) -> bool:
    """Check for a verdict on what was shown or said, alone or before a request ("That's outdated, tell me a joke")."""
    verdict = _ANSWERS["verdict"].match(plain, start)
    rest = plain[verdict.end() :].strip(" ,;.!-") if verdict else ""
    return verdict is not None and (not rest or is_request(rest, (0, len(rest))) is True)


def split_content(sentence: str) -> tuple[str, int]:
    """The sentence without comments like "I think", and where its content begins."""
    plain = " ".join(_PERSONAL["comment"].sub(" ", plain_punctuation(sentence)).replace("\0", " ").split())
    lead = _PERSONAL["lead"].match(plain)
    return plain, lead.end() if lead else 0


def is_free_of_life(plain: str) -> bool:
    """Check that a text mentions neither its author, nor a day or time, nor people and places of everyday life."""
    return not (_mentions_author(plain) or _is_from_life(plain))


def _mentions_author(plain: str) -> bool:
    return is_about_user(_PERSONAL["no_pronoun"].sub(" ", plain))


def _is_from_life(plain: str) -> bool:
    """Check for a day or time, or people and places of everyday life."""
    return any(_PERSONAL[name].search(plain) for name in ("calendar", "surroundings"))
