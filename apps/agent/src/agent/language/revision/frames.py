"""Compare statements by their frames: the same words in the same order, except for one value.

"My meeting is on Thursday, not Tuesday" has the frame of "My meeting is on Tuesday". Words that only say that a
statement is new ("now", "jetzt", "ya no") are not part of a frame.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import NON_FACTUAL, plain_punctuation, sentences
from agent.language.pattern_files import load_patterns

MAX_SENTENCE_CHARS = 300
MAX_VALUE_TOKENS, MAX_UNSPACED_TOKENS, MAX_VERB_TOKENS = 3, 6, 3
MIN_PLURAL_CHARS = 4  # "his" and "bus" are no plurals
AT = "@"  # any preposition of place or time
BE = "be"

_PATTERNS = load_patterns("revision/frames.toml")
_CLASSES = {name: _PATTERNS[name] for name in ("weekday", "month", "time", "number")}
_UNSPACED = r"[\u3400-\u9fff]"
_TOKEN = re.compile(
    r"(?:星期|周|礼拜)[一二三四五六日天]|[一二两三四五六七八九十百]{1,4}|"
    rf"{_UNSPACED}|\d{{1,2}}[:.h]\d\d|\d{{1,9}}(?:st|nd|rd|th|[ap]m)?\b|(?:(?!{_UNSPACED})[^\W_])+"
)
_QUOTE = re.compile(r"[\"«»„]|: ")
_QUESTION_MARKS = "?\uff1f\u061f"
_CONTRACTION = re.compile(
    r"\bi(?:'m| am)\b|\bim(?= (?:not|now|no longer|an?|allergic)\b)|'re\b|(?<=\d) (?=[ap]m\b)| ?o'clock\b",
    re.IGNORECASE,
)
Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The significant words of a clause in order, folded."""

    tokens: Tokens
    names: frozenset[str]
    """Those that begin with a capital letter."""
    holds: bool
    is_new: bool
    """True if the clause says that it is new, or corrects another one."""
    is_replacing: bool
    """True if it says that it stands in place of another value."""
    is_partial: bool
    excluded: tuple[Tokens, ...]
    """Values that do not hold instead ("not Tuesday")."""
    significant: frozenset[str]
    """The tokens that are not function words, quantities or pronouns. Frames that share none are unrelated."""


def frames(text: str) -> Iterator[Frame]:
    """Yield the frames of the statements in a text in any language; none for a question, condition or quotation."""
    text, _ = split_date_note(text)
    for start, stop in sentences(text):
        sentence = _PATTERNS["report"].sub("", " ".join(plain_punctuation(text[start:stop]).split()))
        is_statement = not any(one.search(sentence) for one in (NON_FACTUAL, _PATTERNS["hypothetical"], _QUOTE))
        if len(sentence) <= MAX_SENTENCE_CHARS and sentence[-1:] not in _QUESTION_MARKS and is_statement:
            yield from _frames(sentence)


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, verbatim."""
    ends = [match.span() for match in _PATTERNS["clause_end"].finditer(plain_punctuation(sentence))]
    starts = [0, *(stop for _, stop in ends)]
    stops = [*(start for start, _ in ends), len(sentence)]
    return [sentence[start:stop].strip() for start, stop in zip(starts, stops, strict=True)]


def is_outdated(old: Frame, new: Frame) -> bool:
    """Check whether a newer statement certainly makes an older one untrue, by their form."""
    if old.tokens[0] != new.tokens[0] and old.tokens[-1] != new.tokens[-1]:
        return False
    if old.significant.isdisjoint(new.significant):
        return False
    is_partial = old.is_partial or new.is_partial
    if not (old.holds and new.holds):
        is_same = _plain(old.tokens) == _plain(new.tokens)
        return is_same and old.holds != new.holds and not is_partial
    found = _difference(old, new)
    if found is None:
        return False
    value = set(_plain(found.before))
    if any(value <= set(other) and len(other) <= len(value) + 2 for other in new.excluded):
        return True
    return not is_partial and (found.is_single_quantity() or (new.is_new and found.is_replaced(new)))


@dataclass(frozen=True, slots=True)
class _Difference:
    """The values in which two frames differ, and the words that they share."""

    before: Tokens
    after: Tokens
    are_alike: bool
    """True if both are names, or none is."""
    prefix: Tokens
    suffix: Tokens

    def is_replaced(self, new: Frame) -> bool:
        """Check whether a statement that is new replaces the value: a quantity by another, or a phrase at the end."""
        if self.are_quantities():
            return True
        if not (self.are_alike and _is_phrase(self.before) and _is_phrase(self.after)):
            return False
        if not any(map(_is_significant, self.prefix)):
            return False
        if _any("indefinite", self.before[:1]) != _any("indefinite", self.after[:1]):
            return False
        return new.is_replacing or (self._is_at_end() and not self._has_several_values())

    def is_single_quantity(self) -> bool:
        """Check whether there is one quantity at a time: the time of an event, or the count of the same thing."""
        verbs = _plain(self.prefix)
        if not verbs or not self.are_quantities():
            return False
        if len(verbs) == 1 and _any("have", verbs):
            is_count = all(_PATTERNS["number"].fullmatch(token) for token in self.after)
            is_noun = 0 < len(self.suffix) <= (MAX_UNSPACED_TOKENS if _is_unspaced(self.suffix) else 1)
            return is_count and is_noun and not _any("passing", self.suffix)
        is_event = verbs[-1] == BE or _any("starts", verbs[-1:])
        is_one = not any((_any("indefinite", self.prefix[:1]), _any("pronoun", verbs[:1]), _any("identifier", verbs)))
        return is_event and is_one and len(verbs) > 1 and not self.suffix

    def are_quantities(self) -> bool:
        """Check whether both values are numbers, or both are days or times."""
        are_all = all(map(_is_quantity, self.before + self.after))
        return are_all and not _kinds(self.before).isdisjoint(_kinds(self.after))

    def _is_at_end(self) -> bool:
        is_verb = _is_unspaced(self.suffix) and len(self.suffix) <= MAX_VERB_TOKENS
        return not self.suffix or is_verb

    def _has_several_values(self) -> bool:
        return _any("additive", self.prefix) or (self.prefix[-1] == BE and _any("several", self.prefix))


def _difference(old: Frame, new: Frame) -> _Difference | None:
    """The only difference between two frames; None if there is none, or more than one."""
    start = _shared(old.tokens, new.tokens)
    tail = _shared(old.tokens[start:][::-1], new.tokens[start:][::-1])
    stop = len(new.tokens) - tail
    before, after = _value(old.tokens[start : len(old.tokens) - tail]), _value(new.tokens[start:stop])
    prefix, suffix = new.tokens[:start], new.tokens[stop:]
    if not before or not after or set(before) & set(after) or new.significant.isdisjoint(prefix + suffix):
        return None
    return _Difference(before, after, (before[0] in old.names) == (after[0] in new.names), prefix, suffix)


def _shared(one: Tokens, other: Tokens) -> int:
    """The number of equal tokens at the beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _is_phrase(value: Tokens) -> bool:
    limit = MAX_UNSPACED_TOKENS if _is_unspaced(value) else MAX_VALUE_TOKENS
    return len(value) <= limit and not _any("function", value) and not any(map(_is_quantity, value))


def _kinds(value: Tokens) -> set[str]:
    return {name for token in value for name, pattern in _CLASSES.items() if pattern.fullmatch(token)}


def quantity_kind(token: str) -> str | None:
    """The kind of a quantity, also in the plural: "weekday", "month", "time" or "number"; None for other words."""
    forms = (token, token.removesuffix("s"))
    return next((name for name, one in _CLASSES.items() if any(map(one.fullmatch, forms))), None)


def _is_quantity(token: str) -> bool:
    return any(pattern.fullmatch(token) for pattern in _CLASSES.values())


def _is_unspaced(tokens: Sequence[str]) -> bool:
    return bool(tokens) and re.match(_UNSPACED, tokens[0]) is not None


def _is_significant(token: str) -> bool:
    is_function_word = token in {AT, BE} or _any("indefinite", [token]) or _any("pronoun", [token])
    return not is_function_word and not _is_quantity(token)


def _any(name: str, tokens: Sequence[str]) -> bool:
    return any(_PATTERNS[name].fullmatch(token) for token in tokens)


def _plain(tokens: Tokens) -> Tokens:
    """Tokens without prepositions and articles."""
    return tuple(token for token in tokens if token != AT and not _PATTERNS["indefinite"].fullmatch(token))


def _value(tokens: Tokens) -> Tokens:
    """A value without its preposition."""
    return tokens[1:] if tokens[:1] == (AT,) else tokens


def _frames(sentence: str) -> Iterator[Frame]:
    excluded: list[Tokens] = []

    def exclude(match: re.Match[str]) -> str:
        excluded.extend(_tokens(value) for name, value in match.groupdict().items() if value and name[0] == "x")
        return " "

    def change(match: re.Match[str]) -> str:
        exclude(match)
        return f" is now {match.groupdict().get('keep_de') or ''} "

    text = _CONTRACTION.sub(_expand, sentence)
    text = _PATTERNS["contrast"].sub(exclude, text)
    text = _PATTERNS["change"].sub(change, text)
    text = _PATTERNS["change_zh"].sub("现在", text)
    text = _PATTERNS["change_ar"].sub(" الآن ", text)
    clauses = [clause for clause in _PATTERNS["clause_end"].split(text) if clause and clause.strip(" .!")]
    is_new = False
    for clause in clauses:
        frame = _frame(clause, tuple(excluded), is_new=is_new)
        is_new = not frame.tokens and frame.is_new  # "Actually, …"
        if frame.tokens:
            yield frame


def _frame(clause: str, excluded: tuple[Tokens, ...], *, is_new: bool) -> Frame:
    text, ended = _PATTERNS["ended"].subn(_kept, clause)
    text, negated = _PATTERNS["negated"].subn(_kept, text) if not ended else (text, 0)
    text, replacing = _PATTERNS["replacing"].subn(" ", text)
    text, now = _PATTERNS["now"].subn(" ", text)
    tokens = _tokens(text)
    return Frame(
        tokens=tokens,
        names=frozenset(_fold(word) for word in _TOKEN.findall(text) if word[0].isupper()),
        holds=not (ended or negated),
        is_new=bool(ended or replacing or now) or is_new,
        is_replacing=bool(replacing),
        is_partial=_PATTERNS["partial"].search(clause) is not None,
        excluded=excluded,
        significant=frozenset(filter(_is_significant, tokens)),
    )


def _kept(match: re.Match[str]) -> str:
    kept = [value for name, value in match.groupdict().items() if value and name.startswith("keep")]
    return f" {' '.join(kept)} "


def _tokens(text: str) -> Tokens:
    words = (word.casefold() for word in _TOKEN.findall(text))
    return tuple(_fold(word) for word in words if not _PATTERNS["dropped"].fullmatch(word))


def _fold(word: str) -> str:
    """A common form of the inflections that statements in the first and third person have."""
    word = word.casefold()
    if _is_quantity(word):
        return word
    if _PATTERNS["be"].fullmatch(word):
        return BE
    if _PATTERNS["preposition"].fullmatch(word) and word != "a":
        return AT
    if word in {"has", "goes", "does"}:
        return {"has": "have", "goes": "go", "does": "do"}[word]
    is_plural = len(word) >= MIN_PLURAL_CHARS and word.endswith("s") and not word.endswith("ss")
    return re.sub("ies$", "y", word)[: -1 if is_plural and not word.endswith("ies") else None]


def _expand(match: re.Match[str]) -> str:
    return " is" if match[0].strip() and "clock" not in match[0] else ""
