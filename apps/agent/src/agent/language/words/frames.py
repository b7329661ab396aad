"""Reduce statements to frames: their significant words in order, without those that only say that it is new.

"No wait, my meeting is on Thursday now" has the frame of "My meeting is on Tuesday", except for one value; see
`alignment`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from agent.language.dates.notes import split_date_note
from agent.language.parsing.openers import Evidence, read_opener
from agent.language.parsing.sentences import NON_FACTUAL, Span, plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user
from agent.language.words.quantities import TOKEN, UNSPACED, is_quantity, quantity_kinds
from agent.language.words.synonyms import EVENTS

MAX_SENTENCE_CHARS = 300
MIN_PLURAL_CHARS = 4  # "his" and "bus" are no plurals
AT = "@"  # any preposition of place or time
BE = "be"

_PATTERNS = load_patterns("words/frames.toml")
_QUOTE = re.compile(r"[\"«»„]|: ")
_QUESTION_MARKS = "?\uff1f\u061f"
_CONTRACTION = re.compile(
    r"\bi(?:'m| am)\b|\bim(?= (?:not|now|no longer|an?|allergic)\b)|'re\b"
    r"|(?:(?<=\bit)|(?<=\bhe)|(?<=\bshe)|(?<=\bthat)|(?<=\bname))'s\b|(?<=\d) (?=[ap]m\b)| ?o'clock\b",
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
    evidence: Evidence
    """Whether it says that it is new, or corrects another statement."""
    is_replacing: bool
    """True if it says that it stands in place of another value."""
    is_partial: bool
    is_past: bool
    is_habit: bool
    """True if it is repeated, so that several days and times are possible."""
    has_subject: bool
    """True if it is about something else than the user ("My bus leaves at 8")."""
    excluded: tuple[Tokens, ...]
    """Values that do not hold instead ("not Tuesday")."""
    significant: frozenset[str]
    """The tokens that are not function words, quantities or pronouns. Frames that share none are unrelated."""
    quantities: Mapping[str, frozenset[str]]
    """The tokens that are quantities, and the kinds of each; see `quantities.toml`."""


def frames(text: str) -> Iterator[Frame]:
    """Yield the frames of the statements in a text in any language; none for a question, condition or quotation."""
    text, _ = split_date_note(text)
    plain_text, earlier = with_apostrophes(plain_punctuation(text)), Evidence.NONE
    for start, stop in sentences(plain_text):
        end, evidence = read_opener(plain_text, start, stop)
        evidence = max(evidence, earlier)
        sentence = without_report(" ".join(plain_text[end:stop].split()))
        is_statement = not any(one.search(sentence) for one in (NON_FACTUAL, _PATTERNS["hypothetical"], _QUOTE))
        if len(sentence) <= MAX_SENTENCE_CHARS and sentence[-1:] not in _QUESTION_MARKS and is_statement:
            yield from _frames(sentence, evidence)
        earlier = Evidence.NONE if any(map(str.isalnum, sentence)) else evidence  # "No wait. My …"


def without_report(sentence: str) -> str:
    """A sentence without the words before it for who confirms it ("The doctor says …")."""
    return _PATTERNS["report"].sub("", sentence)


def word_keys(text: str) -> set[str]:
    """Keys of all words of a text; forms of the same word have the same key, so texts without a common key share none.

    Much cheaper than frames, and therefore compared first.
    """
    return set(map(word_key, TOKEN.findall(text)))


def word_key(word: str) -> str:
    """A word without the letters of which its inflections consist: "cities" and "city" are "cit"."""
    folded = word.casefold()
    return EVENTS.get(folded) or folded.rstrip("eisy") or folded[:1]


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, verbatim."""
    return [sentence[start:stop].strip() for start, stop in _clause_spans(sentence)]


def separate_clauses(sentence: str) -> list[str]:
    """The clauses of a sentence with subjects of their own, verbatim, each with the fragments after it.

    A sentence that begins with a condition or the like is one clause.
    """
    if _PATTERNS["subordinate"].match(sentence.lstrip()):
        return [sentence.strip()]
    (_, first), *others = _clause_spans(sentence)
    starts, stops, previous = [0], [], first
    for start, stop in others:
        if has_named_subject(sentence[start:stop]):
            starts.append(start)
            stops.append(previous)
        previous = stop
    return [sentence[start:stop].strip() for start, stop in zip(starts, (*stops, len(sentence)), strict=True)]


def is_independent(clause: str) -> bool:
    """Check whether a clause states something by itself, and not only about what precedes it ("…, second year")."""
    return _PATTERNS["independent"].match(clause) is not None


def has_own_subject(clause: str) -> bool:
    """Check whether a clause begins with a pronoun for the user."""
    return _PATTERNS["own_subject"].match(clause) is not None


def has_named_subject(clause: str) -> bool:
    """Check whether a clause begins with a pronoun for the user, or with what belongs to the user."""
    return _PATTERNS["subject"].match(clause.lstrip()) is not None


@cache_per_user(maxsize=4096)
def value_tokens(text: str) -> Tokens:
    """The significant words of a value in order, folded; no prepositions and articles."""
    return plain(_tokens(text))


def is_content(token: str) -> bool:
    """Check whether a folded word is neither a quantity nor a function word."""
    return not (is_quantity(token) or _is_function_word(token) or any_token("function", [token]))


def is_unspaced(tokens: Sequence[str]) -> bool:
    """Check whether tokens begin with one of a script without spaces."""
    return bool(tokens) and re.match(UNSPACED, tokens[0]) is not None


def any_token(name: str, tokens: Sequence[str]) -> bool:
    """Check whether a token matches one of the patterns of `frames.toml` completely."""
    return any(_PATTERNS[name].fullmatch(token) for token in tokens)


def plain(tokens: Tokens) -> Tokens:
    """Tokens without prepositions and articles."""
    return tuple(token for token in tokens if token != AT and not _PATTERNS["indefinite"].fullmatch(token))


def _frames(sentence: str, evidence: Evidence) -> Iterator[Frame]:
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
    text = _PATTERNS["change_nl"].sub(" is tegenwoordig ", text)
    text = _PATTERNS["change_zh"].sub("现在", text)
    text = _PATTERNS["change_ar"].sub(" الآن ", text)
    evidence = max(evidence, evidence_in(sentence))
    previous: Frame | None = None
    for clause in _PATTERNS["clause_end"].split(text):
        frame = _frame(clause, tuple(excluded), evidence) if clause and clause.strip(" .!") else None
        if frame and frame.tokens:
            yield _with_subject(frame, previous)
            previous = frame
        elif frame:
            evidence = max(evidence, frame.evidence)  # "Actually, …"


@cache_per_user(maxsize=1024)
def evidence_in(sentence: str) -> Evidence:
    """What the words of a whole sentence say about its relation to earlier ones ("…, I mixed that up")."""
    if _PATTERNS["corrects"].search(sentence):
        return Evidence.CORRECTION
    return Evidence.UPDATE if _PATTERNS["updates"].search(sentence) else Evidence.NONE


def _with_subject(frame: Frame, previous: Frame | None) -> Frame:
    """Replace a pronoun by what the previous clause ends with: "We renamed the project, it's called Osprey"."""
    nouns = [token for token in previous.tokens if token in previous.significant] if previous else []
    if not nouns or not any_token("anaphor", frame.tokens[:1]):
        return frame
    tokens = (nouns[-1], *frame.tokens[1:])
    return replace(frame, tokens=tokens, significant=frame.significant | {nouns[-1]}, has_subject=True)


def _frame(clause: str, excluded: tuple[Tokens, ...], evidence: Evidence) -> Frame:
    text, ended = _PATTERNS["ended"].subn(_kept, clause)
    text, negated = _PATTERNS["negated"].subn(_kept, text) if not ended else (text, 0)
    text, replacing = _PATTERNS["replacing"].subn(" ", text)
    text, now = _PATTERNS["now"].subn(" ", text)
    tokens = _tokens(text)
    quantities = {token: quantity_kinds(token) for token in tokens if is_quantity(token)}
    significant = frozenset(token for token in tokens if token not in quantities and not _is_function_word(token))
    return Frame(
        tokens=tokens,
        names=frozenset(_fold(word) for word in TOKEN.findall(text) if word[0].isupper()),
        holds=not (ended or negated),
        evidence=max(evidence, Evidence.UPDATE if ended or replacing or now else Evidence.NONE),
        is_replacing=bool(replacing) or evidence is Evidence.CORRECTION,
        is_partial=_PATTERNS["partial"].search(clause) is not None,
        is_past=_PATTERNS["past"].search(clause) is not None,
        is_habit=_PATTERNS["habit"].search(clause) is not None,
        has_subject=_has_subject(clause, tokens, significant),
        excluded=excluded,
        significant=significant,
        quantities=quantities,
    )


def _has_subject(clause: str, tokens: Tokens, significant: Set[str]) -> bool:
    if _PATTERNS["determiner"].match(clause.strip()):
        return True
    return BE in tokens and not significant.isdisjoint(tokens[: tokens.index(BE)])


@cache_per_user(maxsize=1024)
def _clause_spans(sentence: str) -> tuple[Span, ...]:
    ends = [match.span() for match in _PATTERNS["clause_end"].finditer(plain_punctuation(sentence))]
    starts = [0, *(stop for _, stop in ends)]
    stops = [*(start for start, _ in ends), len(sentence)]
    return tuple(zip(starts, stops, strict=True))


def _is_function_word(token: str) -> bool:
    return token in {AT, BE} or any_token("indefinite", [token]) or any_token("pronoun", [token])


def _kept(match: re.Match[str]) -> str:
    kept = [value for name, value in match.groupdict().items() if value and name.startswith("keep")]
    return f" {' '.join(kept)} "


def _tokens(text: str) -> Tokens:
    words = (word.casefold() for word in TOKEN.findall(text))
    return tuple(_fold(word) for word in words if not _PATTERNS["dropped"].fullmatch(word))


def _fold(word: str) -> str:
    """A common form of the inflections that statements in the first and third person have."""
    word = word.casefold()
    if is_quantity(word):
        return word
    if _PATTERNS["be"].fullmatch(word):
        return BE
    if _PATTERNS["preposition"].fullmatch(word) and word != "a":
        return AT
    if word in {"has", "goes", "does"}:
        return {"has": "have", "goes": "go", "does": "do"}[word]
    word = re.sub(r"(?<=ch|sh|ss)es$|(?<=[xz])es$", "", word)
    is_plural = len(word) >= MIN_PLURAL_CHARS and word.endswith("s") and not word.endswith("ss")
    return re.sub("ies$", "y", word)[: -1 if is_plural and not word.endswith("ies") else None]


def _expand(match: re.Match[str]) -> str:
    return " is" if match[0].strip() and "clock" not in match[0] else ""
