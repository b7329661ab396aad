"""Checks that a memory must pass: no credentials, no prompt injection, and only what the user said."""

import re
from collections.abc import Iterable, Iterator, Set

from agent.language.credentials import contains_credentials
from agent.language.prompt_injection import contains_injection

# A word; each kana, Han or Hangul character counts as one.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_SENTENCE_START = re.compile(r"(?:^|[.!?:])[\s\"'(\u00ab\u201c\u201e]*$")
MIN_SIGNIFICANT_CHARS = 4  # shorter lower-case ASCII words are not significant
STEM_CHARS = 4  # "lives" and "living" have the same stem
# Words that any sentence about a user may contain.
_COMMON_WORDS = re.compile(
    r"about|after|also|always|answer|answers|asked|asking|asks|assistant|because|been|before|called|chat"
    r"|conversation|does|from|have|likes|lives|made|message|more|named|never|other|prefer|prefers|said|talked|than"
    r"|that|their|them|then|there|these|they|this|told|user|users|uses|using|want|wanted|wants|were|what|when"
    r"|where|which|while|will|with|work|worked|working|works|would"
)


def normalise(text: str) -> str:
    """Fold case and white space and drop the final full stop; texts with equal results are the same memory."""
    return " ".join(text.casefold().split()).rstrip(".")


def rejection_reason(text: str) -> str | None:
    """The reason why a text must never be stored, "credentials" or "orders" (prompt injection), or None."""
    if contains_credentials(text):
        return "credentials"
    return "orders" if contains_injection(text) else None


def is_quoted(quote: str, messages: Iterable[str]) -> bool:
    """Check whether a quote occurs in one of the user's messages, ignoring case and white space."""
    quote = " ".join(quote.casefold().split())
    return bool(quote) and any(_contains_words(" ".join(each.casefold().split()), quote) for each in messages)


def is_grounded(sentence: str, *, user_texts: Iterable[str], other_texts: Iterable[str]) -> bool:
    """Check whether a model's sentence about the user, without a quote, contains only what the user said.

    Its names and numbers must occur in the user's texts, and none of its significant words may occur only in the
    other texts that the model has read: answers and existing memories.
    """
    own, other = _stems(user_texts), _stems(other_texts)
    significant = ((_stem(word), is_name) for word, is_name in _significant_words(sentence))
    return all(stem in own or not (is_name or stem in other) for stem, is_name in significant)


def has_foreign_names(text: str, *, user_texts: Iterable[str], other_texts: Iterable[str]) -> bool:
    """Check for a name or number that occurs only in the other texts; the arguments are those of `is_grounded`."""
    foreign = _stems(other_texts) - _stems(user_texts)
    return any(is_name and _stem(word) in foreign for word, is_name in _significant_words(text))


def significant_stems(text: str) -> set[str]:
    """The stems of the significant words of a text."""
    return {_stem(word) for word, _ in _significant_words(text)}


def _contains_words(text: str, words: str) -> bool:
    start = text.find(words)
    while start >= 0:
        if not (_is_inside_word(text, start) or _is_inside_word(text, start + len(words))):
            return True
        start = text.find(words, start + 1)
    return False


def _is_inside_word(text: str, offset: int) -> bool:
    """Check whether a word continues across an offset; never for caseless scripts, which may not separate words."""
    return 0 < offset < len(text) and all(char.islower() or char.isdigit() for char in text[offset - 1 : offset + 1])


def _significant_words(sentence: str) -> Iterator[tuple[str, bool]]:
    """Yield the significant words, case-folded, and whether each is a name or a number."""
    for match in _WORD.finditer(sentence):
        word = match[0]
        is_first = _SENTENCE_START.search(sentence, 0, match.start())
        is_name = word[0].isdigit() or (word[0].isupper() and not is_first)
        is_significant = is_name or len(word) >= MIN_SIGNIFICANT_CHARS or not word.isascii()
        if is_significant and not _COMMON_WORDS.fullmatch(word.casefold()):
            yield word.casefold(), is_name


def _stems(texts: Iterable[str]) -> Set[str]:
    return {_stem(word) for text in texts for word in _WORD.findall(text.casefold())}


def _stem(word: str) -> str:
    return word if word[0].isdigit() else word.removesuffix("s")[:STEM_CHARS]
