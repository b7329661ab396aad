"""What a user said, said to them, and which of it answers a question.

    "I live in London", or the memory "Lives in London" → "You live in London"

Words are compared by their stems and by a few synonyms; there is no language model in it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.language.fact_patterns import OWNED
from agent.language.facts import extract_from_user
from agent.language.parsing import (
    Span,
    clauses,
    core,
    is_first_person,
    is_request,
    mask_quoted,
    plain_punctuation,
    sentences,
    statements,
)

MAX_CHARS = 4_000  # of a message; more is a paste
MOST = 5  # statements in answer to one thing asked

# Shares of a question's weight that a statement meets.
ENOUGH = 0.55  # answers it
ENOUGH_OF_THE_WORLD = 0.8  # answers a question that does not speak of the user: "What is the capital of Norway?"
CLOSE = 0.15  # is at best the closest there is
SYNONYM = 0.7
NEAR_BEST = 0.8  # less than this share of the best is left out
OF_ANOTHER = 0.4  # "Your wife's name is Eva", when asked for one's own

_SHORTEST_STEM = 3
_NOTHING: frozenset[str] = frozenset()
_UNSAFE = str.maketrans({"<": "\u2039", ">": "\u203a", "`": "'", "[": "(", "]": ")", "*": None, "|": "/", "\\": "/"})


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Persons: "I" and "you" are the other way round for the one who answers.
_PERSONS = re.compile(
    r"\b(?:i['\u2019]m|i am|i was|i['\u2019]ve|i['\u2019]d|i['\u2019]ll|you are|you['\u2019]re|i|me|my|mine|myself"
    r"|you|your|yours)\b",
    re.IGNORECASE,
)
_OTHER_PERSON = {
    "i'm": "you are", "i am": "you are", "i was": "you were", "i've": "you have", "i'd": "you would",
    "i'll": "you will", "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "you are": "I am", "you're": "I am", "you": "I", "your": "my", "yours": "mine",
}  # fmt: skip
_TAKES_OBJECT = re.compile(
    r"\b(?:to|with|for|from|of|by|about|tell|ask|want|let|like|love|help|thank)\s$", re.IGNORECASE
)

# Verbs: a memory has them in the third person, and no subject.
_BASE = _set_of(
    "live work like love prefer enjoy hate dislike adore study speak play own drive teach coach volunteer attend"
    " commute  collect practise practice use code program eat drink cook wear suffer believe run manage lead want"
    " need go know  keep sing paint write read learn build plan grow train travel ride swim dance sleep take make"
    " identify smoke watch  avoid hope visit share support follow listen find feel think see"
)
_IRREGULAR = {"is": "are", "has": "have", "does": "do", "was": "were"}
_ANY_PERSON = _set_of(
    "used cannot can moved grew graduated joined founded adopted quit switched started bought got went worked lived"
    " studied visited became met had will would should might lost found wrote made took"
)
_VERBAL = re.compile(
    r"(?P<how>(?:(?:usually|mostly|mainly|always|never|often|only|rarely|sometimes|no longer|generally|also) )?)"
    r"(?P<verb>[a-z]+)(?P<rest>\b.*)",
    re.IGNORECASE,
)
_OF_THE_USER = re.compile(r"(?:the )?user(?:['\u2019]s)? (?=\S)", re.IGNORECASE)
_PREDICATE = re.compile(r" (?:is|are|was|were|has|have|lives?|works?|plays?|loves?|likes?|hates?|studies|speaks) ")


@dataclass(frozen=True, slots=True)
class Statement:
    """Something the user said, as it is said to them; `when` sorts by time, and is empty when that is not known."""

    text: str
    when: str = ""


def from_memory(text: str, when: str = "") -> list[Statement]:
    """Turn a memory into statements; it may be a sentence about the user, or the user's own words."""
    return [Statement(plain(one), when) for one in dict.fromkeys(_readings(text)) or [_addressed(text)] if plain(text)]


def from_message(text: str, when: str = "") -> list[Statement]:
    """Turn a user's message into statements; what it asks, or says of others, is none."""
    return [Statement(plain(one), when) for one in dict.fromkeys(_readings(text))]


def plain(text: str) -> str:
    """Make a text one line without markup, which can do nothing where it is shown."""
    visible = "".join(char if char.isprintable() else " " for char in text.translate(_UNSAFE))
    return " ".join(visible.split())


def _readings(text: str) -> Iterator[str]:
    """Yield what the rules read in the user's words, then their other clauses about themselves."""
    text = text[:MAX_CHARS]
    facts = extract_from_user(text)
    yield from (_addressed(fact.text) for fact in facts)
    own = mask_quoted(text)
    for sentence in sentences(own):
        spans = [] if is_request(own, sentence) else [core(own, span) for span, _ in statements(own, sentence)]
        for clause in (text[start:stop] for start, stop in spans):
            if is_first_person(clause) and " " in clause and not any(clause in fact.quote for fact in facts):
                yield _capital(_turned(clause))


def _addressed(text: str) -> str:
    """Say a memory's text, "Lives in London", to the user it is about; what is no such text is quoted."""
    text = text.strip().rstrip(".")
    bare = _OF_THE_USER.sub("", text, count=1)
    verbal = _VERBAL.fullmatch(bare)
    verb = _second_person(verbal["verb"].lower()) if verbal else ""
    if verbal and verb:
        rest = _turned(verbal["rest"]).replace("the assistant", "me")
        return f"You {verbal['how'].lower()}{verb}{rest}"
    predicate = _PREDICATE.search(bare)
    if predicate and any(map(OWNED.fullmatch, bare[: predicate.start()].split())):
        return f"Your {_small(bare)}"
    return f"\u201c{text}\u201d"


def _second_person(verb: str) -> str:
    """Return the form of a third person's verb that goes with "you"; empty for what is no verb we know."""
    if verb in _IRREGULAR or verb in _ANY_PERSON:
        return _IRREGULAR.get(verb, verb)
    bases = (verb.removesuffix("s"), verb.removesuffix("es"), f"{verb.removesuffix('ies')}y")
    return next((base for base in bases if base in _BASE and verb.endswith("s")), "")


def _turned(text: str) -> str:
    """Exchange the persons: what I said becomes what you said."""
    return _PERSONS.sub(_exchange, text)


def _exchange(found: re.Match[str]) -> str:
    before, after = found.string[max(0, found.start() - 12) : found.start()], found.string[found.end() :]
    word = found[0].lower().replace("\u2019", "'")
    if word == "you" and (_TAKES_OBJECT.search(before) or not after.strip(" .!,")):
        return "me"
    return _OTHER_PERSON[word]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """Begin with a small letter, unless the first word is a name in capitals, as "OS"."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


# Questions

_STOP = _set_of(
    "a an the and or of in on at to for with about as by is am are was were be been do does did done have has had"
    " can could would will should may might i i'm me my mine myself you your it its that this these those there here"
    " what  what's where where's when who who's whom whose which why how if so then than not no also again now just"
    " please tell  say said know remember recall remind any anything some something kind sort type much many"
    " currently still us we our  let's s t re ve"
)
_LIGHT = 0.5  # the weight of words that any question may hold
_SAME = (
    "live home city town country address reside based location move",
    "name call nickname surname known",
    "job work profession occupation employer employed company career office",
    "like love prefer preference favourite favorite enjoy taste hobby adore fan",
    "hate dislike",
    "age old year birthday born",
    "spouse wife husband partner married",
    "kid child children son daughter",
    "food eat dish meal diet vegetarian vegan",
    "allergic allergy intolerant",
    "study university college school degree student studying",
    "answer reply respond response help assistant",
    "colour color",
    "car vehicle drive",
    "tall height",
)
_KINDS = (
    "pet animal: dog cat hamster rabbit parrot horse puppy kitten",
    "family relative: wife husband spouse partner son daughter child kid brother sister mother father parent mom dad",
    "instrument music: violin piano guitar drum flute cello clarinet trumpet saxophone bass",
    "sport: football soccer tennis basketball golf run marathon swim climb cycling chess",
    "drink: tea coffee beer wine juice water milk",
    "editor: emacs vim neovim vscode",
)
_OF_OTHERS = re.compile(
    r"Your [\w'\u2019 -]{1,60}? (?:is|are|was|has|lives|works|plays|loves|likes)\b|You (?:have|got|adopted)\b.*"
)
_OWN = re.compile(r"\b(?:i|i'm|me|my|mine|myself|we|our|us)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """One of the things a message asks: its words, and whether it speaks of the user."""

    text: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What answers a question, best first; `exactly` is False for what is only the closest there is."""

    statements: tuple[Statement, ...] = ()
    exactly: bool = True


def questions(text: str) -> list[Question]:
    """Take apart what a message asks: "Where do I live and what's my name?" asks two things."""
    text = text[:MAX_CHARS]
    own = plain_punctuation(text)
    parts = [text[slice(*core(own, span))] for sentence in sentences(own) for span in _asking(own, sentence)]
    return [Question(part, bool(_OWN.search(part))) for part in parts if _stems(part)]


def _asking(own: str, sentence: Span) -> list[Span]:
    """Return the clauses of a sentence that ask, after those that tell; all of them for "tell me …"."""
    spans = [span for span, _ in clauses(own, sentence)]
    return spans[len(statements(own, sentence)) :] or (spans if is_request(own, sentence) else [])


def find(question: Question, known: Sequence[Statement]) -> Found:
    """Find what answers a question; one that joins two things with "and" is answered for each."""
    enough, close = (ENOUGH, CLOSE) if question.is_own else (ENOUGH_OF_THE_WORLD, ENOUGH_OF_THE_WORLD)
    found = _find(_stems(question.text), known, enough, close)
    if found.exactly and found.statements:
        return found
    halves = [_find(_stems(half), known, enough, close) for half in question.text.split(" and ")]
    together = dict.fromkeys(one for half in halves if half.exactly for one in half.statements)
    return Found(tuple(together)) if together else found


def _find(wanted: frozenset[str], known: Sequence[Statement], enough: float, close: float) -> Found:
    scores = [_score(wanted, one) for one in known]
    best = max(scores, default=0.0)
    if best < close:
        return Found()
    near = [(score, one) for score, one in zip(scores, known, strict=True) if score >= best * NEAR_BEST]
    hits = [one for _, one in sorted(near, key=lambda pair: -pair[0])]
    return Found(tuple(hits[:MOST]), exactly=best >= enough)


def _score(wanted: frozenset[str], one: Statement) -> float:
    """Return the share of what is wanted that a statement meets, 0 to 1."""
    words = _stems(one.text)
    weights = {word: _LIGHT if word in _LIGHT_STEMS else 1.0 for word in wanted}
    met = sum(weight * _meets(word, words) for word, weight in weights.items())
    share = met / sum(weights.values()) if weights else 0.0
    return share * OF_ANOTHER if _others(one.text) - wanted - _related(wanted) else share


def _meets(word: str, words: frozenset[str]) -> float:
    if word in words:
        return 1.0
    synonym = 1.0 if word in _LIGHT_STEMS else SYNONYM
    return synonym if _RELATED.get(word, _NOTHING) & words else 0.0


def _others(text: str) -> frozenset[str]:
    """Return whom a statement is about besides the user, as stems: the wife of "Your wife's name is Eva"."""
    found = _OF_OTHERS.match(text)
    return _stems(found[0]) & _OTHERS if found else _NOTHING


def _related(words: frozenset[str]) -> frozenset[str]:
    return _NOTHING.union(*(_RELATED.get(word, _NOTHING) for word in words))


def _stems(text: str) -> frozenset[str]:
    """Return the stems of a text's words, without those that say nothing."""
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)?", text.casefold().replace("\u2019", "'"))
    return frozenset(_stem(word) for word in words if word not in _STOP)


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    for ending, instead in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST_STEM:
            return (word.removesuffix(ending) + instead).rstrip("e")
    return word.rstrip("e") if len(word) > _SHORTEST_STEM else word


def _synonyms() -> dict[str, frozenset[str]]:
    related: dict[str, frozenset[str]] = {}
    for group in _SAME:
        stems = _stems(group)
        related |= {stem: related.get(stem, _NOTHING) | stems - {stem} for stem in stems}
    for group in _KINDS:
        kind, members = map(_stems, group.split(":"))
        related |= {stem: related.get(stem, _NOTHING) | members for stem in kind}
        related |= {stem: related.get(stem, _NOTHING) | kind for stem in members}
    return related


_RELATED = _synonyms()
_LIGHT_STEMS = _stems("like love prefer enjoy favourite favorite use want need go get have play thing call")
_OTHERS = _stems(f"{_KINDS[0]} {_KINDS[1]} boss manager friend neighbour company team doctor teacher")
