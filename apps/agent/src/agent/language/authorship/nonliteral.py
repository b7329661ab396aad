"""Recognise text in which users do not speak for themselves: role play, fiction, lyrics and sarcasm."""

from agent.language.parsing.sentences import Span, compile_any
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("authorship/nonliteral.toml")
_REVOCATION = compile_any(r"\s{0,20}(?:(?:not|just kidding|kidding|jk|lol no)\b\s{0,20}(?:[.!]|$))")


def literal_length(text: str) -> int:
    """The length of a message up to the first role, scene or song; the rest is not about the user."""
    scene = _PATTERNS["scene"].search(text)
    return scene.start() if scene else len(text)


def is_literal(text: str, sentence: Span) -> bool:
    """Check whether a sentence is meant as its words say: neither fiction nor sarcasm."""
    words = text[slice(*sentence)]
    is_meant = not (_PATTERNS["fiction"].search(words) or _PATTERNS["sarcasm"].search(words))
    return is_meant and not _REVOCATION.match(text, sentence[1])
