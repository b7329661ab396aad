"""Corrections that name only the right value and the wrong one, and what they make of the statement that they correct.

"Hannah, not Anna" corrects "Sister's name is Anna" to "Sister's name is Hannah".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.language.parsing.openers import Evidence, read_opener
from agent.language.parsing.sentences import NON_FACTUAL, plain_punctuation, sentences
from agent.language.pattern_files import load_pattern_lists
from agent.language.text_cache import cache_per_user
from agent.language.words.frames import evidence_in

MAX_MESSAGE_CHARS = 2_000
MAX_FRAGMENT_CHARS = 100

_PATTERNS = load_pattern_lists("revision/fragments.toml")["contrast"]
_DENIALS = {"x_first", "x_error", "x_said"}
"""The patterns that deny the wrong value in words of their own."""
_IDENTITY = re.compile(r"\A(?!(?:is|are|has)\b)[\w' -]+ (?:is|are)(?: called| named)? ", re.IGNORECASE)
_NAME = re.compile(r"[A-ZÀ-Þ\d]|[^\W\d_a-zß-ÿ]")  # a name, a number, or a script without capital letters

_DAY = r"(?:\b\d{1,2}(?:st|nd|rd|th)?\.? (?:of |de )?)?"


@dataclass(frozen=True, slots=True)
class Contrast:
    """A right value and the wrong one in its place."""

    right: str
    wrong: str
    quote: str
    """The sentence that names them, verbatim, without its opener."""
    evidence: Evidence
    is_denial: bool
    """True if it denies the wrong value of something that it refers to with a pronoun ("he's not a beagle, he's …")."""

    def correct(self, statement: str) -> str | None:
        """The statement with the right value; None unless it ends with the wrong value and the sentence corrects it.

        Without a word for a correction, only names and numbers are corrected, and what something else than the user is:
        "tea, not coffee" is a preference, and "he's not allergic" is not about the user's allergy.
        """
        are_names = bool(_NAME.match(self.right) and _NAME.match(self.wrong))
        is_denied = self.is_denial and _IDENTITY.match(statement) is not None
        if not (self.evidence or are_names or is_denied) or re.search(_as_word(self.right), statement, re.IGNORECASE):
            return None
        day = _DAY if self.right[0].isdigit() and self.wrong[0].isalpha() else ""  # "10 June", not June but 10 July
        words = re.compile(rf"{day}{_as_word(self.wrong)}(?=[.!\u3002]?$)", re.IGNORECASE)
        corrected = words.sub(lambda _: self.right, statement)
        return corrected if corrected != statement else None


@cache_per_user(maxsize=4096)
def contrasts(text: str) -> tuple[Contrast, ...]:
    """The corrections in a text that consist of nothing but two values; mostly none."""
    return tuple(_contrasts(text[:MAX_MESSAGE_CHARS]))


def is_corrected(quote: str, old: str, new: str) -> bool:
    """Check whether a quote corrects an old statement to exactly the new one."""
    wanted = new.casefold().strip(" .")
    corrected = (contrast.correct(old) for contrast in contrasts(quote))
    return any(one is not None and one.casefold().strip(" .") == wanted for one in corrected)


def _contrasts(text: str) -> Iterator[Contrast]:
    plain = plain_punctuation(text)
    around = evidence_in(plain) if len(plain) <= MAX_FRAGMENT_CHARS else Evidence.NONE
    for start, stop in sentences(plain):
        first, evidence = read_opener(plain, start, stop)
        sentence = plain[first:stop].strip()
        evidence = max(evidence, evidence_in(sentence))
        if not sentence or len(sentence) > MAX_FRAGMENT_CHARS or sentence.endswith("?") or NON_FACTUAL.search(sentence):
            continue
        match = next(filter(None, (pattern.fullmatch(sentence) for pattern in _PATTERNS)), None)
        if match:
            groups = {name: value for name, value in match.groupdict().items() if value}
            values = {name[0]: value for name, value in groups.items()}
            is_denial = not _DENIALS.isdisjoint(groups)
            end = len(text) if around > evidence else stop
            yield Contrast(values["v"], values["x"], text[first:end].strip(), max(evidence, around), is_denial)


def _as_word(value: str) -> str:
    escaped = re.escape(value)
    return rf"(?<!\w){escaped}(?!\w)" if value[0] < "\u3040" else escaped
