"""Recognise text in which users do not speak for themselves: role play, fiction, lyrics and sarcasm."""

from bisect import bisect_left
from collections.abc import Iterator

from agent.language.parsing.sentences import Span, compile_any, sentences
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("authorship/nonliteral.toml")
_REVOCATION = compile_any(r"\s{0,20}(?:(?:not|just kidding|kidding|jk|lol no)\b\s{0,20}(?:[.!]|$))")

_JOKE = compile_any(
    r"(?:^|[\s,.!(])(?<!\bwas\s)(?<!\bi'm\s)(?<!\bam\s)"
    r"(?:just kidding|(?:only|just) joking|jk|j/k|nur spaß|(?:war )?nur (?:ein )?(?:spaß|scherz)"
    r"|(?:es|era) broma|je (?:rigole|plaisante|déconne)|sto scherzando|(?:tô |estou )?brincando|żartuję)\W{0,6}(?=$|\n)"
    r"|(?:开玩笑的?|逗你的?)\W{0,4}(?=$|\n)"
)


def revoked(text: str) -> Iterator[Span]:
    """The sentences that their author calls a joke: with the words at their end, or after them."""
    spans = list(sentences(text))
    starts = [start for start, _ in spans]
    for joke in _JOKE.finditer(text):
        end = bisect_left(starts, joke.end())
        said = [start for start in starts[max(0, end - 2) : end] if _says(text[start : joke.start()])]
        if said:
            yield said[-1], joke.end()


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))


def literal_length(text: str) -> int:
    """The length of a message up to the first role, scene or song; the rest is not about the user."""
    scene = _PATTERNS["scene"].search(text)
    return scene.start() if scene else len(text)


def is_literal(text: str, sentence: Span) -> bool:
    """Check whether a sentence is meant as its words say: neither fiction nor sarcasm."""
    words = text[slice(*sentence)]
    is_meant = not (_PATTERNS["fiction"].search(words) or _PATTERNS["sarcasm"].search(words))
    return is_meant and not _REVOCATION.match(text, sentence[1])


def mocking(text: str) -> Iterator[Span]:
    """The sentences that certainly mean the opposite, or nothing ("Yeah right", "I'm married to my sofa")."""
    names = ("mockery", "figurative")
    return (span for span in sentences(text) if any(_PATTERNS[name].match(text, *span) for name in names))
