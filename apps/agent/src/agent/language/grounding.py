"""The gate: what a candidate memory must pass, whoever proposed it."""

import re
from collections.abc import Iterable, Iterator, Set

from agent.language.credentials import contains_credentials
from agent.language.prompt_injection import contains_injection

# A kana, Han or hangul sign is as good as a word; other words are what stands between spaces and signs.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_BEGINNING = re.compile(r"(?:^|[.!?:])[\s\"'(\u00ab\u201c\u201e]*$")
_TELLING_CHARS = 4  # a shorter word of lower case tells nothing
_STEM_CHARS = 4  # "lives" and "living" are the same word
_OF_ANYBODY = re.compile(
    r"about|after|also|always|answer|answers|asked|asking|asks|assistant|because|been|before|called|chat"
    r"|conversation|does|from|have|likes|lives|made|message|more|named|never|other|prefer|prefers|said|talked|than"
    r"|that|their|them|then|there|these|they|this|told|user|users|uses|using|want|wanted|wants|were|what|when"
    r"|where|which|while|will|with|work|worked|working|works|would"
)
"""Words of any sentence about a user."""


def normalise(text: str) -> str:
    """Fold case and white space, and drop a full stop at the end: equal results mean the same memory."""
    return " ".join(text.casefold().split()).rstrip(".")


def rejection_reason(text: str) -> str | None:
    """Return why a text may never be remembered, None when it may."""
    if contains_credentials(text):
        return "credentials"
    if contains_injection(text):
        return "orders"
    return None


def is_quoted(quote: str, messages: Iterable[str]) -> bool:
    """Tell whether a quote stands in one of the user's messages, case and white space folded."""
    wanted = " ".join(quote.casefold().split())
    return bool(wanted) and any(_stands_in(wanted, " ".join(message.casefold().split())) for message in messages)


def is_grounded(sentence: str, *, said: Iterable[str], borrowed: Iterable[str]) -> bool:
    """Tell whether a sentence that quotes nothing says only what the user said.

    Its names and numbers must be the user's; and no word that tells something may come from elsewhere.

    Args:
        sentence: what a model wrote about the user.
        said: the user's own words.
        borrowed: what the model has also read: answers, and what was known before.
    """
    own, other = _stems(said), _stems(borrowed)
    return not any(_stem(word) not in own and (is_name or _stem(word) in other) for word, is_name in _telling(sentence))


def has_foreign_names(text: str, *, said: Iterable[str], borrowed: Iterable[str]) -> bool:
    """Tell whether a text has a name or a number from elsewhere that the user has not said: see `is_own`."""
    own, other = _stems(said), _stems(borrowed)
    return any(is_name and _stem(word) in other - own for word, is_name in _telling(text))


def _stands_in(wanted: str, message: str) -> bool:
    """Tell whether words stand in a message as words: "rome" does not in "romeo"."""
    start = message.find(wanted)
    while start >= 0:
        stop = start + len(wanted)
        if not (_goes_on(message, start) or _goes_on(message, stop)):
            return True
        start = message.find(wanted, start + 1)
    return False


def _goes_on(text: str, place: int) -> bool:
    """Tell whether a word goes on over a place; scripts without cases may have no spaces between words either."""
    around = text[max(0, place - 1) : place + 1]
    return 0 < place < len(text) and all(char.islower() or char.isdigit() for char in around)


def _telling(sentence: str) -> Iterator[tuple[str, bool]]:
    """Yield the words that tell something, case folded, and whether each is a name or a number."""
    for found in _WORD.finditer(sentence):
        word = found[0]
        begins = _BEGINNING.search(sentence, 0, found.start())
        is_name = word[0].isdigit() or (word[0].isupper() and not begins)
        tells = is_name or len(word) >= _TELLING_CHARS or not word.isascii()
        if tells and not _OF_ANYBODY.fullmatch(word.casefold()):
            yield word.casefold(), is_name


def _stems(texts: Iterable[str]) -> Set[str]:
    return {_stem(word) for text in texts for word in _WORD.findall(text.casefold())}


def _stem(word: str) -> str:
    return word if word[0].isdigit() else word.removesuffix("s")[:_STEM_CHARS]
