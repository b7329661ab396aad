"""Compare what a request names with what memories state, by their significant words in several languages."""

import re
from collections.abc import Iterable

from agent.language.facts.extraction import extract_from_user
from agent.language.grounding.checks import is_quoted, normalise
from agent.language.parsing.sentences import plain_punctuation, sentences, strip_lead_words
from agent.language.pattern_files import load_patterns
from agent.language.requests.asked_parts import without_asked
from agent.language.requests.polish_forms import is_polish
from agent.language.requests.significant_words import NO_SPACES, WORD, Forms, Words, fold, is_form, matches, words_of
from agent.language.text_cache import cache_per_user

MIN_SHARE = 0.5
"""Share of a memory's significant words that a request must name."""
MAX_DETAIL_WORDS = 4
"""Number of words after a preposition that belong to its place or time."""
MIN_COMPOUND_CHARS = 5
"""Length of the first part of a compound, such as "Zahnarzt" in "Zahnarzttermin"."""

_PATTERNS = load_patterns("requests/statement_matching.toml")
_ARTICLE = re.compile(r"(?:a|o|la|el|il|die|der|de) ")  # before a name, in several languages


def states(text: str, statement: str) -> bool:
    """Check whether a text is certainly the statement that a request names, possibly in other words."""
    if is_same_statement(text, statement) or _begins_with_fact(text, statement):
        return True
    main = _PATTERNS["opening"].sub("", _PATTERNS["aside"].sub("", text), 1)
    wordings = (text, main, without_asked(text))
    return any(_says_little_more(one, statement) or _adds_detail(one, statement) for one in wordings)


def is_same_statement(text: str, statement: str) -> bool:
    """Check whether two texts are equal, or state the same fact by the extraction rules."""
    if normalise(text) == normalise(statement):
        return True
    facts = _facts(statement)
    return len(facts) == 1 and facts <= (_facts(text) or {normalise(text)})


def mentions(text: str, topic: str) -> bool:
    """Check whether a text contains all significant words of a topic."""
    polish = is_polish(text) or is_polish(topic)
    wanted = words_of(topic, polish=polish)
    return bool(wanted.strong) and _missing(wanted, words_of(text, polish=polish)) == 0


def shares_word_start(text: str, topic: str) -> bool:
    """Check whether a word of a text begins like one of a topic ("Knoblauch" and "Knoblauchallergie")."""
    words, others = (
        [one for forms in words_of(each).strong for one in forms if len(one) >= MIN_COMPOUND_CHARS]
        for each in (text, topic)
    )
    return any(word.startswith(other) or other.startswith(word) for word in words for other in others)


def adds_nothing(text: str, message: str) -> bool:
    """Check whether all significant words of a text occur in the message that it is about, with the same negation."""
    return mentions(message, text) and words_of(text).negated == words_of(message).negated


def sentence_with(quote: str, message: str) -> str:
    """The sentence of a message that contains a quote, without its lead words; the quote itself if there is none."""
    for span in sentences(message):
        is_long_enough = span[1] - span[0] >= len(quote) / 2  # before both are normalised
        if is_long_enough and is_quoted(quote, [message[slice(*span)]]):
            return message[slice(*strip_lead_words(message, span))].strip()
    return quote


def share_of_words(text: str, statement: str) -> float:
    """The share of a statement's significant words that a text contains; of general ones if it has no others."""
    text = _PATTERNS["particle"].sub(r"\g<verb>", text)
    wanted, present = words_of(statement), words_of(text)
    if not wanted.strong:
        return float(bool(wanted.weak) and all(_has_weak(present, word) for word in wanted.weak))
    return sum(_has(present, forms) or _is_part(forms, text) for forms in wanted.strong) / len(wanted.strong)


@cache_per_user(maxsize=4096)
def _facts(text: str) -> frozenset[str]:
    return frozenset(normalise(fact.text) for fact in extract_from_user(text))


def names_other_subject(text: str, statement: str) -> bool:
    """Check whether a text mentions people or several things that a statement does not mention."""
    people, known = (set(_PATTERNS["relation"].findall(fold(one))) for one in (text, statement))
    return bool(people - known) or _PATTERNS["coordination"].search(text) is not None


def uses_as_name(text: str, word: str) -> bool:
    """Check whether a text uses a word, in small letters, where a name stands ("I told steph no")."""
    name = re.escape(word.casefold())
    return re.search(rf"(?:{_PATTERNS['before_name'].pattern}){name}(?:'s)?(?![\w'-])", text.casefold()) is not None


def names_several_people(text: str) -> bool:
    """Check whether a text mentions several people by what they are to the user ("My brother's boss")."""
    return len(_PATTERNS["relation"].findall(fold(text))) > 1


def are_different_people(name: str, texts: Iterable[str]) -> bool:
    """Check whether texts call several people by one name ("my sister Anna", "my colleague Anna")."""
    folded = re.escape(fold(name))
    before = re.compile(rf"\b(\w+),? (?:is called |called |named )?{folded}\b")
    found = {word for text in texts for word in before.findall(fold(text))}
    return len({word for word in found if _PATTERNS["relation"].fullmatch(word)}) > 1


def begins_with_other_person(text: str) -> bool:
    """Check whether a text begins with another person, whose attributes it states ("My mother lives in Oslo")."""
    return _PATTERNS["other_person"].match(fold(text)) is not None


def subject_of(text: str) -> str:
    """The noun and name of the person or thing that a statement begins with ("son Ben"); empty if there is none."""
    match = _PATTERNS["subject"].match(plain_punctuation(text))
    return (match["own"] or match["bare"]) if match else ""


def has_same_negation(text: str, statement: str) -> bool:
    """Check whether both texts are negated, or none."""
    return words_of(text).negated == words_of(statement).negated


def _begins_with_fact(text: str, statement: str) -> bool:
    """Check whether a text is the fact that a statement gives, with a place, a time or the like after it."""
    [fact, *others] = _facts(statement) or [""]
    start = normalise(fact).rstrip(".")
    rest = normalise(text).removeprefix(start) if start and not others else ""
    is_detailed = rest != normalise(text) and _PATTERNS["detail"].match(rest) is not None
    return is_detailed and not names_other_subject(rest.lstrip(" ,"), statement)


def _says_little_more(text: str, statement: str) -> bool:
    """Check that a text contains the statement's words with the same negation, and little else."""
    wanted, present = words_of(statement), words_of(text)
    if not wanted.strong or wanted.negated != present.negated or _missing(wanted, present):
        return False
    if not any(not matches(forms, wanted.strong) for forms in present.strong):
        return True
    is_mostly_named = len(wanted.strong) >= MIN_SHARE * len(present.strong)
    begins_alike = present.first is None or matches(present.first, wanted.strong)
    return is_mostly_named and begins_alike and not names_other_subject(text, statement)


def _adds_detail(text: str, statement: str) -> bool:
    """Check that a text contains the statement's words with the same negation, and otherwise only places and times."""
    text = _without_relation(text, statement)
    wanted, present = words_of(statement), words_of(text)
    if not wanted.strong or wanted.negated != present.negated or _missing(wanted, present):
        return False
    words_left = 0
    for match in WORD.finditer(plain_punctuation(text)):
        own = words_of(match[0])
        is_named = any(_has(wanted, forms) for forms in own.strong) or any(_has_weak(wanted, one) for one in own.weak)
        if _PATTERNS["detail_word"].fullmatch(match[0]):
            words_left = MAX_DETAIL_WORDS
        elif is_named:
            words_left = 0
        elif (own.strong or own.weak) and not words_left:
            return False
        else:
            words_left = max(0, words_left - 1)
    return not names_other_subject(text, statement)


def _without_relation(text: str, statement: str) -> str:
    """A text without what the person is to the user with whose name a statement begins ("my flatmate Omar")."""
    [name, *_] = _ARTICLE.sub("", statement).split() or [""]
    before = re.search(rf"(\w+) (?={re.escape(name)}\b)", text) if name[:1].isupper() else None
    is_relation = before and _PATTERNS["relation"].fullmatch(fold(before[1]))
    return f"{text[: before.start()]}{text[before.end() :]}" if before and is_relation else text


def _missing(wanted: Words, present: Words) -> int:
    strong = sum(not _has(present, forms) for forms in wanted.strong)
    return strong + sum(not _has_weak(present, word) for word in wanted.weak)


def _has(present: Words, forms: Forms) -> bool:
    return matches(forms, present.strong)


def _is_part(forms: Forms, text: str) -> bool:
    """Check for a word within another: a character of a script without spaces, or the beginning of a compound."""
    folded = fold(text)
    for form in forms:
        if len(form) == 1 and NO_SPACES.match(form) and form in text:
            return True
        if len(form) >= MIN_COMPOUND_CHARS and re.search(rf"\b{re.escape(form)}\w{{3}}", folded):
            return True
    return False


def _has_weak(present: Words, word: str) -> bool:
    return any(is_form(word, other) for other in present.weak)
