"""Recognise replies to a list that name what is meant ("I mean Dot, not Queenie"), in several languages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agent.language.grounding.support import is_about_user
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.requests.statement_matching import mentions

MAX_CHARS = 100

_PATTERNS = load_patterns("requests/named_choices.toml")


@dataclass(frozen=True, slots=True)
class NamedChoice:
    """What a reply names."""

    meant: str
    spared: str
    """What it excludes; may be empty."""
    is_explicit: bool
    """Whether it says that it names what was meant ("I mean …")."""

    @classmethod
    def read(cls, reply: str) -> Self | None:
        """Read a reply; None if it names nothing in this form."""
        text = plain_punctuation(reply).strip()
        matches = (one.fullmatch(text) for one in _PATTERNS.values()) if len(text) <= MAX_CHARS else ()
        if match := next(filter(None, matches), None):
            named = match.groupdict()
            return cls(named["meant"], named.get("spared") or "", named["lead"] is not None)
        return None

    def numbers(self, entries: Sequence[str]) -> list[int] | None:
        """The numbers, from 1, of the entries that the reply chooses; None if it may mean something else."""
        meant, spared = self._mentioning(entries, self.meant), self._mentioning(entries, self.spared)
        is_contrast = bool(spared) and not is_about_user(self.meant)
        if not meant or not (self.is_explicit or is_contrast):
            return None
        if not self.spared and len(meant) == len(entries) > 1:
            return None  # it distinguishes no entry
        return [number for number in meant if number not in spared]

    def names_another(self, entries: Sequence[str]) -> bool:
        """Check whether the reply says that not the entries, but something else was meant."""
        is_other = self.is_explicit and not self._mentioning(entries, self.meant)
        return is_other and bool(self._mentioning(entries, self.spared))

    @staticmethod
    def _mentioning(entries: Sequence[str], name: str) -> list[int]:
        return [number for number, one in enumerate(entries, 1) if name and mentions(one, name)]
