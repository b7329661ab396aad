"""Corrections of a name without its owner ("it's Mitzi, not Mitsi", "it's spelled Catherine")."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from agent.language.pattern_files import load_patterns
from agent.language.revision.fragments import Contrast, contrasts

MIN_SIMILARITY = 0.6  # of two spellings of a name

_PATTERNS = load_patterns("revision/fragments.toml")


@dataclass(frozen=True, slots=True)
class NameCorrection:
    """The right name, and the wrong one if a text names it."""

    right: str
    contrast: Contrast | None = None

    def concerns(self, statement: str) -> bool:
        """Check whether a statement says that a name is the wrong one, or another spelling of the right one."""
        named = _PATTERNS["named"].search(statement)
        if named is None:
            return False
        if self.contrast:
            return self.contrast.correct(statement.rstrip()) is not None
        return _are_spellings(named["name"].casefold(), self.right.casefold())


def name_corrections(text: str) -> Iterator[NameCorrection]:
    """Yield the corrections of names in a text; mostly none."""
    for contrast in contrasts(text):
        if contrast.right[0].isupper() and len(contrast.right.split()) == len(contrast.wrong.split()):
            yield NameCorrection(contrast.right, contrast)
    for match in _PATTERNS["spelled"].finditer(text):
        yield NameCorrection(match["name"])


def _are_spellings(name: str, other: str) -> bool:
    return name != other and SequenceMatcher(None, name, other).ratio() > MIN_SIMILARITY
