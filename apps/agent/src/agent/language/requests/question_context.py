"""Complete a question by what the questions before it are about ("And where does she live?").

A pronoun is replaced by the person or thing that it stands for, and a question that consists of a question word gets
the rest of the one before it ("When do I start?" "And where?").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import compile_lazily, read_tables
from agent.language.persons.roles import WORDS, mentions, role_words

MAX_CHARS = 120
"""A longer question says itself what it is about."""
MAX_TURNS = 6
MAX_ANSWER_CHARS = 300
MAX_OMITTING_WORDS = 8

_NEVER = "(?!)"
_FORMS = ("of_anchor", "in_anchor")
_TABLES = read_tables("requests/question_context.toml")
_PATTERNS = {
    language: {name: compile_lazily(text) for name, text in table.items() if name not in _FORMS}
    for language, table in _TABLES.items()
}
_OWN = re.compile(
    rf"(?:(?:\b(?:{WORDS['own']})|\b(?:the|der|die|das|el|la|le|il|o|a|de|het)) (?:[\w-]{{2,14}} )?|我们?(?:家)?的?)\Z",
    re.I,
)
_POSSESSED = re.compile(
    rf"(?:\A|[\W])(?P<thing>(?:{WORDS['own']}) (?:[^\W\d_][\w'-]* ){{0,2}}[^\W\d_][\w'-]*)", re.IGNORECASE
)
_POSSESSED_HAN = re.compile(
    r"我们?(?:家)?的(?P<thing>[\u3400-\u9fff]{1,3}?)(?=是|在|叫|有|什么|哪|几|多|怎|[？?，。]|\Z)"
)
_DEFINITE = re.compile(r"\bthe (?P<thing>[a-z][\w'-]+)\b")
_NAME = re.compile(r"(?<=[\w,:'-] )(?!(?:I|I'm|I've|I'd|I'll)\b)[A-ZÀ-ÖØ-Þ][\w-]+(?: [A-ZÀ-ÖØ-Þ][\w-]+)*")
_NO_NAMES = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem"
    r"|Decem)ber|Keepsake|Mr|Mrs|Ms|Dr|Prof"
)
_ASKS_FOR_NAME = re.compile(
    r"\b(?:who|whose|which|what(?:'s| is| am| are| was)|called|names?|wer|welche\w?|heiß\w+|quién(?:es)?|cuál(?:es)?"
    r"|llam\w+|qui|quel(?:le)?s?|appelle\w*|chi|qual[ei]?|chiam\w+|quem|quais|cham\w+|wie|welke?|heet)\b|什么|谁|叫",
    re.IGNORECASE,
)
_LEAD = re.compile(r"\A[\s¿]*(?:and|but|so|also|und|aber|y|pero|et|mais|e|ma|mas|en|maar)[\s,]+", re.IGNORECASE)
_QUESTION_MARKS = " ?!.\u00a0\uff1f\u061f"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message of the user and the answer to it."""

    message: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class _Context:
    """What the latest messages are about."""

    question: str = ""
    """The latest one, complete."""
    anchor: str = ""
    """The person or thing; empty if it is unknown."""

    def after(self, exchange: Exchange) -> Self:
        """The context of the message after an exchange; a message that asks nothing does not change it."""
        question = _complete(exchange.message, self)
        if question != exchange.message:
            return type(self)(question, self.anchor)
        if not _is_question(question):
            return self if self.anchor else type(self)(question, _anchor(question, ""))
        return type(self)(question, _anchor(question, exchange.answer))


def complete_question(message: str, earlier: Sequence[Exchange]) -> str:
    """The question of a message with what it leaves to the context; otherwise, the message.

    Args:
        message: the newest message.
        earlier: what precedes it in the thread, the latest last, of which `MAX_TURNS` are read.
    """
    if not any(_depends(message, language) for language in _PATTERNS):
        return message
    context = _Context()
    for exchange in earlier[-MAX_TURNS:]:
        context = context.after(exchange)
    return _complete(message, context)


def _complete(message: str, context: _Context) -> str:
    plain = plain_punctuation(message).strip()
    language = next((one for one in _PATTERNS if _depends(plain, one)), None)
    if language is None:
        return message
    if bare := _PATTERNS[language]["bare"].fullmatch(plain):
        asked = _PATTERNS[language]["asked"]
        return asked.sub(bare["asked"], context.question, count=1) if asked.search(context.question) else message
    return _LEAD.sub("", _with_anchor(plain, context.anchor, language)) if context.anchor else message


def _depends(message: str, language: str) -> bool:
    """Check whether a message is a question of a language that does not say itself what it is about."""
    if len(message) > MAX_CHARS:
        return False
    patterns = _PATTERNS[language]
    if patterns["bare"].fullmatch(message):
        return True
    if not patterns["start"].search(message) or _is_impersonal(message, language):
        return False
    return _first_reference(message, language) is not None or _omits_subject(message, language)


def _is_impersonal(message: str, language: str) -> bool:
    impersonal = _PATTERNS[language].get("impersonal")
    return impersonal is not None and impersonal.search(message) is not None


def _first_reference(message: str, language: str) -> re.Match[str] | None:
    """The first pronoun or adverb that stands for something which the question does not name before it."""
    found = (_PATTERNS[language][name].search(message) for name in ("possessive", "subject", "place"))
    first = min(filter(None, found), key=lambda one: one.start(), default=None)
    return first if first and not _names_own_subject(message[: first.start()]) else None


def _omits_subject(message: str, language: str) -> bool:
    """Check for a verb in the third person without a subject, in languages that need none ("¿Dónde vive?")."""
    patterns = _PATTERNS[language]
    if "omits_subject" not in patterns or len(message.split()) > MAX_OMITTING_WORDS:
        return False
    if patterns["own"].search(message) or not patterns["omits_subject"].search(message):
        return False
    return not _names_own_subject(message)


def _names_own_subject(text: str) -> bool:
    """Check whether a text names a person or thing of the user, or anything by its name."""
    return bool(_POSSESSED.search(text) or _POSSESSED_HAN.search(text) or _names(text))


def _with_anchor(question: str, anchor: str, language: str) -> str:
    table, patterns = _TABLES[language], _PATTERNS[language]
    reference = _first_reference(question, language)
    if reference is None:
        return f"{question.rstrip(_QUESTION_MARKS)} {anchor}?"
    start, end = reference.span()
    before, after = question[:start], question[end:]
    if patterns["possessive"].match(question, start):
        owned = table["of_anchor"].format(anchor)
        return f"{before}{owned}{after}" if language in {"en", "zh"} else _appended(before + after, owned)
    if patterns["place"].match(question, start):
        return f"{before}{table['in_anchor'].format(anchor)}{after}"
    return f"{before}{' ' * reference[0].startswith('-')}{anchor}{after}"


def _appended(question: str, words: str) -> str:
    return f"{' '.join(question.rstrip(_QUESTION_MARKS).split())} {words}?"


def _anchor(question: str, answer: str) -> str:
    """What a question is about, by its name if the answer gives it; empty if it is unknown."""
    name = _only_name(answer) if _ASKS_FOR_NAME.search(question) else ""
    return name or next(_owned_or_named(question), "") or next(_described(question), "")


def _is_question(message: str) -> bool:
    return "?" in message or "\uff1f" in message or any(one["start"].search(message) for one in _PATTERNS.values())


def _only_name(answer: str) -> str:
    """The name in a brief answer; empty if there are several, of which the next question may be about any."""
    lines = (line.lstrip("-* ") for line in answer.splitlines()) if len(answer) <= MAX_ANSWER_CHARS else ()
    names = {name for line in lines for name in _names(line)}
    return names.pop() if len(names) == 1 else ""


def _owned_or_named(text: str) -> Iterator[str]:
    """The persons and things that a text is about, the last one first; those of the user precede names."""
    plain = plain_punctuation(text[:MAX_CHARS])
    for mention in reversed(mentions(plain)):
        own = _OWN.search(plain[: mention.start])
        yield f"{own[0] if own else ''}{plain[mention.start : mention.end]}"
    yield from reversed([one["thing"] for one in _POSSESSED_HAN.finditer(plain)])
    yield from filter(None, (_cut(one["thing"]) for one in reversed(list(_POSSESSED.finditer(plain)))))
    yield from reversed(_names(plain))


def _described(text: str) -> Iterator[str]:
    """What a text names only by a noun ("Which gym do I go to?", "Where does grandma live?")."""
    patterns = (_DEFINITE, _PATTERNS["en"]["noun"])
    plain = text[:MAX_CHARS]
    yield from (plain[start:end] for _, start, end in reversed(role_words(plain)))
    yield from (f"the {one['thing']}" for pattern in patterns for one in pattern.finditer(plain))


def _cut(thing: str) -> str:
    """A possession without the words after it; empty if nothing is left."""
    cut = _PATTERNS["en"]["cut"].sub("", thing)
    return cut if " " in cut else ""


def _names(text: str) -> list[str]:
    return [name for name in _NAME.findall(text) if not _NO_NAMES.fullmatch(name)]
