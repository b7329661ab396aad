"""The parts of sentences, which are separated by commas and conjunctions."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from agent.language.facts.standing import SAFETY_TOPICS, standing_topic
from agent.language.grounding.clarification import split_clarification
from agent.language.parsing.sentences import Span, plain_punctuation, sentences
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user
from agent.language.words.frames import is_independent
from agent.language.words.quantities import FRENCH_MON, quantity_kind
from agent.language.words.stems import WORD, Stems

MIN_KEPT_END = 12  # characters

_PATTERNS = load_patterns("words/parts.toml")
_SEPARATOR = _PATTERNS["separators"]
_FREQUENCY = load_patterns("revision/change_patterns")["frequency"]
_I_ARE = re.compile(r"^I are\b")  # of "My husband and I are moving"
_AMOUNT = re.compile(r" \d[\d.,]*\s?\w{0,12} (?:of|von|de|di|van)$")
_WIDE_END_MARKS = "\u3002\uff01\uff1f"
_END_MARKS = ".!?\u2026" + _WIDE_END_MARKS
_DANGLING = re.compile(r"^\s*[\u2192\u2026]\s+|\s+[\u2192\u2026]\s*$")
"""The separator of two statements of which one was removed."""
_SUBJECT = "User"  # with which the sentences of models begin


def remove_parts(text: str, is_removed: Callable[[str], bool]) -> str:
    """The text without some of its parts; empty if the others say nothing.

    The question that the text answers remains, and the note with its dates if its end remains.
    """
    asked, text, note = split_clarification(text)
    rest = _DANGLING.sub("", _remove_parts(text, is_removed))
    is_end_kept = rest[-MIN_KEPT_END:] == text[-MIN_KEPT_END:]
    return f"{asked}{rest}{note if is_end_kept else ''}" if rest else ""


@cache_per_user(maxsize=4096)
def split_parts(text: str) -> tuple[str, ...]:
    """The parts of the sentences of a text, verbatim."""
    plain = plain_punctuation(text)
    return tuple(text[slice(*span)] for sentence in sentences(plain) for span in _parts(plain, sentence))


def has_other_subject(part: str) -> bool:
    """Check whether a part begins with a person or a pet as its subject, which others after it may share."""
    return bool(other_subject(part))


def other_subject(part: str) -> str:
    """The person, pet or thing of the user that is the subject of a part; empty if there is none."""
    match = _PATTERNS["other_subject"].match(part)
    return match[0] if match else ""


def begins_with_pronoun(clause: str) -> bool:
    """Check whether a clause begins with a personal pronoun."""
    return _PATTERNS["pronoun"].match(clause) is not None


def begins_with_third_person(clause: str) -> bool:
    """Check whether a clause begins with a subject pronoun of the third person, except for "il", also an article."""
    return _PATTERNS["third_person"].match(clause) is not None


def subject_of(clause: str) -> str:
    """The person, pet, thing or name that is the subject of a clause; empty if there is none, or it is the user."""
    match = _PATTERNS["named_subject"].match(clause)
    return other_subject(clause) or (match[0] if match else "")


def given_name(statement: str) -> str:
    """The name that a statement gives to its subject ("My son is 4 and is called Leo"); empty if it gives none."""
    subject = other_subject(statement)
    named = _PATTERNS["named"].search(statement, len(subject))
    if not subject or not named or _PATTERNS["other_owner"].search(statement[len(subject) : named.start()]):
        return ""
    return named["name"]


def shared_start(first: str, rest: str, separator: str = "") -> str:
    """The words of a removed part that what follows it shares; empty if it stands by itself.

    "My mum is 81 and lives in Ulm" without the age is "My mum lives in Ulm", "I take aspirin and metformin" without the
    aspirin is "I take metformin", "I drink tea and read novels" without the tea is "I read novels", and "I live in York
    with Theo" without York is "I live with Theo". Only the number is removed from "I have two kids, Ana and Tom".

    Args:
        first: the removed part.
        rest: what follows it.
        separator: what stands between them.
    """
    if (home := _PATTERNS["shared_home"].match(first)) and _PATTERNS["company"].fullmatch(separator):
        return f"{home['start']} {separator.strip()}"
    if (counted := _PATTERNS["counted"].fullmatch(first)) and rest[:1].isupper():
        return f"{counted['owner']} {counted['counted']},"
    if _is_weekday(FRENCH_MON.sub("", rest).split()[:1]) and (start := _before_weekday(first)):
        return start
    if subject := _PATTERNS["other_subject"].match(first):
        return subject[0] if _PATTERNS["predicate"].match(rest) else ""
    if pronoun := _own_pronoun(first, rest):
        return pronoun
    lead = _PATTERNS["list_start"].match(first)
    is_item = not is_independent(rest) or _PATTERNS["bare_noun"].fullmatch(rest) is not None
    is_verb = lead is not None and lead["capitalised"] and _PATTERNS["noun"].match(rest) is None
    is_verb = is_verb or _PATTERNS["verb"].match(rest) is not None
    has_subject = len(rest.split()) > len(other_subject(rest).split()) + 1 and has_other_subject(rest)
    return lead[0] if lead and is_item and not (is_verb or has_subject) else ""


def _own_pronoun(first: str, rest: str) -> str:
    """The pronoun for the user before a removed verb, if another verb follows; empty if there is none."""
    verbs = {"germanic_pronoun": "germanic_verb", "own_pronoun": "verb"}
    found = (_PATTERNS[pronoun].match(first) for pronoun, verb in verbs.items() if _PATTERNS[verb].match(rest))
    return next((match[0] for match in found if match), "")


def _before_weekday(part: str) -> str:
    """The words before the first weekday of a part ("Goes to the gym on"); empty if it names none."""
    before = list(takewhile(lambda word: not _is_weekday([word]), part.split()))
    return " ".join(before) if len(before) < len(part.split()) else ""


def _is_weekday(word: Sequence[str]) -> bool:
    return any(quantity_kind(one.strip(" .,;!").casefold()) == "weekday" for one in word)


def _remove_parts(text: str, is_removed: Callable[[str], bool]) -> str:
    plain = plain_punctuation(text)
    kept: list[str] = []
    is_changed = False
    for start, stop in sentences(plain):
        spans = list(_parts(plain, (start, stop)))
        keep = [not is_removed(text[slice(*span)]) for span in spans]
        if keep[:1] == [True] and not any(keep[1:]) and len(keep) > 1 and _is_bare_subject(text[slice(*spans[0])]):
            keep[0] = False
        sentence = text[start:stop]
        if all(keep):
            kept.append(sentence)
            continue
        is_changed = True
        if not keep[0] and _PATTERNS["refers_back"].match(text[slice(*spans[keep.index(True)])] if any(keep) else ""):
            continue  # "I love camping, we go every summer"
        lead = sentence[: -len(sentence.lstrip())]
        kept += [f"{lead}{_ended(rest, text, (start, stop))}" for rest in [_join(text, spans, keep)] if rest]
    if not is_changed:
        return text
    return "".join(kept).strip() if Stems.of(*kept).words else ""


def _is_bare_subject(part: str) -> bool:
    """Check for a subject of which the predicate is removed: "My wife" of "My wife and I do yoga"."""
    return _PATTERNS["bare_noun"].fullmatch(part.strip()) is not None


def _ended(rest: str, text: str, sentence: Span) -> str:
    """The rest of a sentence, with the mark and the space that separate it from the next one."""
    start, stop = sentence
    whole, following = text[start:stop].rstrip(), text[stop:]
    if not following.strip():
        return rest
    mark = whole[-1] if whole[-1] in _END_MARKS and rest[-1] not in _END_MARKS else ""
    ended = f"{rest}{mark}"
    is_joined = following[0].isspace() or ended[-1] in _WIDE_END_MARKS
    return f"{ended}{text[start + len(whole) : stop] or ('' if is_joined else ' ')}"


def _parts(text: str, sentence: Span) -> Iterator[Span]:
    """Yield the parts of a sentence; the last one ends with its punctuation."""
    start, stop = sentence
    for separator in _SEPARATOR.finditer(text, *sentence):
        if separator.start() > start:
            yield start, separator.start()
            start = separator.end()
    if text[start:stop].strip():
        yield start, stop


def _join(text: str, spans: Sequence[Span], keep: Sequence[bool]) -> str:
    """Join the parts that are kept. Parts next to each other remain verbatim."""
    runs: list[Span] = []
    for span, is_kept, follows in zip(spans, keep, (False, *keep), strict=False):
        if is_kept and follows:
            runs[-1] = runs[-1][0], span[1]
        elif is_kept:
            runs.append(span)
    runs = [run for run in runs if Stems.of(text[slice(*run)]).words or _is_followed_by_company(text, run, runs[-1])]
    rest = _I_ARE.sub("I am", _joined(text, runs))
    if not rest or keep[0]:
        return rest
    first, whole = text[slice(*spans[0])].strip(), text[spans[0][0] : spans[-1][1]].strip()
    lead = _without_last_word(first)
    # "Is allergic to peanuts and shellfish" without the peanuts is not "shellfish".
    if _PATTERNS["complete"].search(lead) and _is_safety_list(whole, f"{lead} {rest}", rest):
        return f"{lead} {rest}"
    if shared := shared_start(first, rest, text[spans[0][1] : runs[0][0]]):
        return f"{shared} {rest}"
    return f"{_SUBJECT}: {rest}" if whole.startswith(_SUBJECT) and not rest.startswith(_SUBJECT) else rest


def _is_followed_by_company(text: str, run: Span, last: Span) -> bool:
    """Check for words such as "I live" before "with Jonas and Mia", of which the last one remains."""
    end = text[slice(*last)].strip()
    is_item = run != last and not (end[:1].islower() and is_independent(end))
    return is_item and _PATTERNS["company"].match(text, run[1]) is not None


def _joined(text: str, runs: Sequence[Span]) -> str:
    """The runs, separated by commas, or by the word for "with" before a list of which the last item remains."""
    comma = "\uff0c" if "\uff0c" in text or "\u3001" in text else ", "
    joined = ""
    for number, (start, stop) in enumerate(runs):
        end = runs[number - 1][1] if number else start
        company = _PATTERNS["company"].match(text, end, start)
        is_item = company and _PATTERNS["last_item"].search(text, company.end(), start)
        separator = f" {company[0].strip()} " if company and (is_item or company.end() == start) else comma
        joined += f"{separator if number else ''}{text[start:stop].strip()}"
    return joined


def _is_safety_list(whole: str, shortened: str, rest: str) -> bool:
    """Check for a list of things such as allergies, which the rest alone does not name."""
    if _PATTERNS["pronoun"].match(rest) or is_independent(rest):
        return False
    return {standing_topic(whole), standing_topic(shortened)} <= SAFETY_TOPICS and standing_topic(rest) is None


def _without_last_word(part: str) -> str:
    """The beginning of a part, before its last content word and the amount of it ("I take", 5 mg of iron)."""
    part = _FREQUENCY.sub("", part)
    content = [match for match in WORD.finditer(part) if Stems.of(match[0]).words]
    return _AMOUNT.sub("", part[: content[-1].start()].strip()) if content else ""
