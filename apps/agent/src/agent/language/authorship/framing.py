"""Find the sentence of a message that declares fiction, a role, a game or an assumption.

Whether its other sentences are true cannot be told from their form ("a song, please. My wife left me …"). They are kept
only together with the sentence that frames them, so that no memory states what may be invented, and nothing is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agent.language.parsing.sentences import Span, sentences
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("authorship/framing.toml")
_OWN = _PATTERNS.pop("own")


@dataclass(frozen=True, slots=True)
class Framing:
    """The sentences of a message with a cue of an invention."""

    cues: Sequence[Span]
    frame: Span | None
    """The first of them that is no statement of the user about themselves: it frames the whole message."""

    role: Span | None
    """The first of them that gives the assistant a role."""

    @classmethod
    def of(cls, masked: str) -> Self:
        """Find the cues in the user's own words."""
        cues = [span for span in sentences(masked) if any(one.search(masked, *span) for one in _PATTERNS.values())]
        frame = next((span for span in cues if not _is_own(masked, span)), None)
        return cls(cues, frame, next((span for span in cues if _PATTERNS["role"].search(masked, *span)), None))

    def find(self, span: Span) -> Span | None:
        """The sentence that frames a span; None if nothing suggests that the span is invented."""
        return self.frame or next((cue for cue in self.cues if cue[0] < span[1] and span[0] < cue[1]), None)


def _is_own(masked: str, sentence: Span) -> bool:
    """Check whether a sentence about the user only mentions an invention ("My daughter plays Annie in the musical")."""
    is_real = not any(_PATTERNS[name].search(masked, *sentence) for name in ("role", "assumption"))
    return is_real and _OWN.match(masked, *sentence) is not None
