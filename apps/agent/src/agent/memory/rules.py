"""What a text says by its form alone: rules, without a model and without I/O.

    text → sentences → clauses → a form ("I live in …") → UserFact

The time is linear in the text, whatever it is, and well under a millisecond for what people write.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.memory import forms
from agent.memory.forms import Form
from agent.types import Category

LONGEST_CLAUSE = 300  # characters; who says more in one breath pastes

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class UserFact:
    """One thing that a user says of themselves: `text` without a subject ("Lives in Oslo"), `quote` verbatim."""

    text: str
    kind: Literal["user", "procedural"]
    category: Category
    confidence: float
    quote: str


def extract_from_user(text: str) -> list[UserFact]:
    """Return what a user's message says of them, each thing once, in the order said.

    Questions, conditions, quotations and other people's words say nothing.
    """
    own = _own_words(text)
    facts = (fact for sentence in _sentences(own) for fact in _facts(text, own, sentence))
    return list({fact.text.casefold(): fact for fact in facts}.values())


def only_asks(text: str) -> bool:
    """Tell whether a message merely asks for something: every sentence does, and nothing is said of the user."""
    own = _own_words(text)
    kinds = [_asks(own, sentence) for sentence in _sentences(own)] + [True] * (len(own) < len(text))
    return True in kinds and False not in kinds and not extract_from_user(text)


def clauses(text: str) -> list[str]:
    """Return the clauses of a text in order, verbatim, without what leads up to them."""
    spans = (span for sentence in _sentences(text) for span, _ in _clauses(text, sentence))
    return [text[start:end] for start, end in (list(_leads(text, span))[-1] for span in spans)]


def _own_words(text: str) -> str:
    """Blank out what is quoted, code, or pasted; the length stays."""
    own = forms.FOREIGN.sub(lambda found: _blank_unless_name(found[0]), text)
    pasted = forms.PASTED.search(own)
    return own[: pasted.start()] if pasted else own


def _blank_unless_name(quoted: str) -> str:
    is_name = quoted[0] in "\"“«" and len(quoted.split()) <= 3 and not forms.SELF.match(quoted, 1)
    return quoted if is_name else "\0" * len(quoted)


def _sentences(text: str) -> Iterator[Span]:
    start = 0
    for end in forms.SENTENCE_END.finditer(text):
        yield start, end.end()
        start = end.end()
    yield start, len(text)


def _clauses(text: str, sentence: Span) -> Iterator[tuple[Span, bool]]:
    """Yield the clauses of a sentence; True for those that go on with the subject of the one before."""
    start, stop = _skip_space(text, *sentence), sentence[1]
    shared = False
    for end in forms.BOUNDARY.finditer(text, start, stop):
        if forms.IN_FUTURE.fullmatch(text, start, end.start()):
            continue
        yield (start, end.start()), shared
        start, shared = end.end(), bool(end["same"] or end["same_too"])
    yield (start, stop), shared


def _leads(text: str, clause: Span) -> Iterator[Span]:
    """Yield a clause, and what is left of it each time when its leading words are taken away."""
    start, stop = clause
    while start < stop and not (text[start].isalnum() or text[start] in "-*•–"):
        start += 1
    while stop > start and text[stop - 1] in " \t\r\n,;:.!?…–—-*_":
        stop -= 1
    yield start, stop
    colon = text.find(":", start, min(stop, start + 80))
    if colon > 0 and forms.COLON_LEAD.search(text, start, colon):
        yield (start := _skip_space(text, colon + 1, stop)), stop
    for _ in range(4):
        lead = forms.LEAD.match(text, start, stop)
        if not lead:
            return
        yield (start := lead.end()), stop


def _skip_space(text: str, start: int, stop: int) -> int:
    while start < stop and text[start].isspace():
        start += 1
    return start


def _said(own: str, sentence: Span) -> list[tuple[Span, bool]]:
    """Return the clauses of a sentence that come before anything it asks."""
    found = list(_clauses(own, sentence))
    asking = [any(forms.ASKING.match(own, *rest) for rest in _leads(own, span)) for span, _ in found]
    if _ends_asking(own, sentence):
        return found[: asking.index(True)] if True in asking else []
    return [] if asking[0] else found


def _ends_asking(own: str, sentence: Span) -> bool:
    return own[slice(*sentence)].rstrip(" \t\n\"”')!").endswith("?")


def _asks(own: str, sentence: Span) -> bool | None:
    """Tell whether a sentence asks; None for one that neither asks nor says anything."""
    words = own[slice(*sentence)].strip()
    if not any(map(str.isalnum, words)) or forms.PLEASANTRY.fullmatch(words):
        return None
    *_, (start, stop) = _leads(own, sentence)
    if forms.REQUEST.match(own, start, stop):
        return True
    if any(forms.SELF.match(own, *list(_leads(own, span))[-1]) for span, _ in _said(own, sentence)):
        return False
    return _ends_asking(own, sentence) or bool(forms.ASKING.match(own, start, stop))


def _facts(text: str, own: str, sentence: Span) -> Iterator[UserFact]:
    doubt = forms.UNSURE.search(own, *sentence)
    sure = doubt.start() if doubt else len(own)
    goes_on = False
    for span, shared in _said(own, sentence):
        if span[0] >= sure:
            return
        subject = "I " if shared else ""
        fact = _read(text, own, span, subject, sure) if goes_on or not shared else None
        goes_on = fact is not None and not forms.NESTED.search(fact.text)
        if fact:
            yield fact


def _read(text: str, own: str, clause: Span, subject: str, sure: int) -> UserFact | None:
    """Read a clause with the first form that fits; what it says must begin before `sure`.

    Args:
        subject: what a clause that goes on with the one before leaves out, "I " or nothing.
    """
    for start, stop in _leads(own, clause):
        if stop - start > LONGEST_CLAUSE:
            return None
        for form in forms.FORMS:
            found = form.pattern.match(subject + own[start:stop])
            if found and found.start("o") - len(subject) + start <= sure:
                return _as_fact(form, found, subject, text[start:stop])
    return None


def _as_fact(form: Form, found: re.Match[str], subject: str, quote: str) -> UserFact | None:
    words = subject + quote
    parts = {name: words[slice(*found.span(name))] if found[name] else "" for name in found.re.groupindex}
    parts["o"] = _trimmed(parts["o"], form)
    verb = parts.get("v", "").lower()
    category = forms.CATEGORIES.get(verb, form.category)
    helps = form.says.startswith(forms.HELP) or (
        category == "preference" and bool(forms.ABOUT_ANSWERS.search(parts["o"]))
    )
    confidence = form.confidence if helps else _confidence(form, parts)
    if not confidence:
        return None
    said = " ".join(form.says.format(**parts, vs=_third_person(verb)).split())
    kind: Literal["user", "procedural"] = "procedural" if helps else "user"
    return UserFact(said[0].upper() + said[1:], kind, category, confidence, quote)


def _trimmed(thing: str, form: Form) -> str:
    thing = forms.FILLER.sub("", thing).strip(" \t,;:.!?…\"'“”‘’«»`*_")
    if "(" not in thing:
        thing = thing.rstrip(")")
    return thing[:1].lower() + thing[1:] if form.says.startswith(forms.HELP) else thing


def _confidence(form: Form, parts: dict[str, str]) -> float:
    """Return how sure a form is of its object; 0 when the object says nothing that lasts."""
    thing = parts["o"]
    if not any(map(str.isalnum, thing)) or forms.VAGUE.match(thing) or form.says == forms.WISH:
        return 0.0
    if form.says == forms.BELONGING:
        return form.confidence * _lasting(parts["who"].split(), thing)
    return form.confidence


def _lasting(owned: list[str], state: str) -> float:
    """Return how far "my … is …" outlasts the day: 1 for what is known to, 0 for what is not."""
    if forms.PASSING.fullmatch(owned[-1]) or forms.STATE.match(state):
        return 0.0
    if any(forms.OWNED.fullmatch(word) for word in owned):
        return 1.0
    return 0.8 if forms.DEFINITE.match(state) else 0.0


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"


def holds_credentials(text: str) -> bool:
    """Tell whether a text holds a secret: a key, token or password, a card, account or social security number."""
    return bool(
        forms.KEYS.search(text)
        or forms.PHRASES.search(text)
        or forms.NUMBERS.search(text)
        or any(map(_is_secret, forms.SECRETS.finditer(text)))
        or any(map(_holds_card, forms.CARD.findall(text)))
        or any(map(_holds_iban, forms.IBAN.findall(text)))
    )


def _is_secret(found: re.Match[str]) -> bool:
    """Tell a secret's value from an ordinary word ("my password is weak"): by its letters, or as the last word."""
    value = found["value"].strip("\"'“‘`’,;.!?")
    if len(value) < 3 or forms.NO_SECRET.fullmatch(value):
        return False
    if any(map(str.isdigit, value)) or not value.isalpha() or not (value.islower() or value.istitle()):
        return True
    ends = found["rest"].strip() == "" or found["value"][-1] in ".,;!?\"'”"
    return ends and not found["rest"].strip()


def _holds_card(digits: str) -> bool:
    return any(
        tuple(map(len, group)) in forms.CARD_GROUPS and _is_card("".join(group))
        for group in _runs(re.split(r"[ \u00a0-]", digits), longest=5)
    )


def _runs(parts: list[str], *, longest: int) -> Iterator[list[str]]:
    for start in range(len(parts)):
        for length in range(1, longest + 1):
            yield parts[start : start + length]


def _is_card(number: str) -> bool:
    """Check issuer, length and checksum.

    References:
        ISO/IEC 7812-1, annex B: the Luhn formula.
    """
    if not forms.CARD_NUMBER.fullmatch(number):
        return False
    doubled = [int(digit) * (1 + n % 2) for n, digit in enumerate(reversed(number))]
    return sum(n - 9 if n > 9 else n for n in doubled) % 10 == 0


def _holds_iban(candidate: str) -> bool:
    parts = re.split(r"[ \u00a0-]", candidate)
    return any(_is_iban("".join(parts[: n + 1])) for n in range(len(parts)))


def _is_iban(number: str) -> bool:
    """Check length and checksum.

    References:
        ISO 13616-1, section 6: modulo 97.
    """
    if not 15 <= len(number) <= 34 or sum(map(str.isdigit, number)) < 10:
        return False
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


def gives_orders(text: str) -> bool:
    """Tell whether a text would change the assistant's rules; how a user wants to be helped does not."""
    visible = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return forms.ORDERS.search(re.sub(r"[^\S\n]+", " ", visible)) is not None
