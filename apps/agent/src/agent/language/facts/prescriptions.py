"""Recognise sentences that prescribe how others are answered ("Anyone who asks about loans is sent to Kestrel").

They need neither an imperative nor the word "you". They are recognised by their composition of classes of words: who
asks or what is asked for, and what these are told, given or spared. A clause about its speaker is none of them.
"""

import re
from collections.abc import Iterator

from agent.language.grounding.support import is_about_user
from agent.language.parsing.folding import load_folded_patterns, readings
from agent.language.parsing.function_words import language_of
from agent.language.parsing.sentences import clauses

MAX_CHARS = 300
"""A longer sentence tells more than a rule."""

_PATTERNS = load_folded_patterns("facts/prescriptions.toml")
_CONJUNCTION = re.compile(r"[,;]\s(?:and|but|so|und|aber|y|pero|et|mais|e|ma|mas|en|maar)\s", re.IGNORECASE)
_RULES = (
    ("askers", "asking", "handled"),
    ("topic", "placed"),
    ("affairs", "decided"),
    ("affairs", "passive"),
    ("askers", "passive"),
)
_ITALIAN_ARTICLE = re.compile(r"\bi\b(?!')", re.IGNORECASE)  # not the English pronoun
_ALONE = ("authority", "permission", "placement", "requester", "contents")


def prescribes(sentence: str) -> bool:
    """Check whether a sentence, or a clause of it, prescribes how others are answered."""
    if len(sentence) > MAX_CHARS:
        return False
    plain = sentence.strip()
    if language_of(plain) == "it":
        plain = _ITALIAN_ARTICLE.sub("gli", plain)
    return any(map(_is_prescription, _impersonal_parts(plain))) or any(
        _PATTERNS["wish"].match(one.lower()) and _PATTERNS["concealed"].search(one.lower()) for one in readings(plain)
    )


def _impersonal_parts(sentence: str) -> Iterator[str]:
    """Yield the sentence, or else its clauses, that are not about their speaker."""
    if not is_about_user(sentence):
        yield sentence
        return
    for start, stop in (span for span, _ in clauses(sentence, (0, len(sentence)))):
        parts = map(str.strip, _CONJUNCTION.split(sentence[start:stop]))
        yield from (part for part in parts if not is_about_user(part))


def _is_prescription(part: str) -> bool:
    texts = [one.lower() for one in readings(part)]
    return any(_is_composed(text) for text in texts)


def _is_composed(text: str) -> bool:
    if any(_PATTERNS[name].search(text) for name in _ALONE):
        return True
    if any(all(_PATTERNS[name].search(text) for name in rule) for rule in _RULES):
        return True
    return _PATTERNS["rule_lead"].search(text) is not None and any(
        _PATTERNS[name].search(text) for name in ("askers", "affairs", "placed", "handled")
    )
