"""Find the statements that answer a question, for the offline model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.language.facts.extraction import contains_only_requests, plain_clauses
from agent.models.offline_language import Language
from agent.models.offline_phrases import PHRASES
from agent.models.offline_questions import (
    AGE,
    CONJUNCTIONS,
    JOB,
    QuestionKind,
    concerns_user,
    is_about_self,
    is_unmarked_question,
    kind_of,
    without_kind,
)
from agent.models.offline_statements import Statement
from agent.models.offline_vocabulary import english
from agent.models.word_match import Match, Word, match_statements, significant_words

MAX_QUOTES = 5  # per question
NEAR_BEST = 0.8  # share of the best score that a statement must reach
_NAME = re.compile(r"(?<=\w )(?!I')[A-Z\u00c0-\u00de][\w-]+(?:'(?!s\b)[\w-]+)?")  # not the first word
_WORK = frozenset({"work", "job"})
_GENERAL_VERBS = ("take", "have", "get", "go", "use", "make", "need")

Matching = tuple[Statement, Match]
"""A statement that matches a question."""


@dataclass(frozen=True, slots=True)
class Found:
    """The statements for one question, best first."""

    answers: Sequence[Statement] = ()
    related: Sequence[Statement] = ()
    """Statements that share words with the question, but do not contain what it asks for."""


def quote(message: str, known: Sequence[Statement], language: Language) -> str:
    """Quote what answers the questions of a message, else what is closest to them; empty if nothing is."""
    questions = _questions(message, language)
    found = [_find(question, known) for question in questions]
    if answers := [one for each in found for one in each.answers]:
        return listed(PHRASES[language].quoted, answers)
    if related := [one for each in found for one in each.related]:
        return listed(PHRASES[language].closest, related[:MAX_QUOTES])
    recalled = [one for one in known if one.index < 0]
    if not any(map(concerns_user, questions)):
        names = {name for question in questions for name in names_in(question)}
        recalled = [one for one in recalled if any(name in one.text for name in names)]
    return listed(PHRASES[language].closest, recalled[:MAX_QUOTES])


def listed(title: str, statements: Sequence[Statement]) -> str:
    """A title and the statements as a list, each text once; empty without statements."""
    texts = dict.fromkeys(one.text for one in statements if one.text)
    return "\n".join([title, *(f"- {text}" for text in texts)]) if texts else ""


def is_question(clause: str) -> bool:
    """Check whether a clause asks for something."""
    return contains_only_requests(clause) or is_unmarked_question(clause)


def names_in(question: str) -> list[str]:
    """The capitalised words of a question but the first, without those that German writes so."""
    return [name for name in _NAME.findall(question) if not english(name.casefold(), "de")]


def _questions(message: str, language: Language) -> list[str]:
    requests = [clause for clause in plain_clauses(message) if is_question(clause)]
    requests = requests or ([message] if message.rstrip().endswith("?") else [])
    parts = [part for request in requests for part in request.split(CONJUNCTIONS[language])]
    return [part for part in parts if significant_words(part) or kind_of(part)]


def _find(question: str, known: Sequence[Statement]) -> Found:
    kind = kind_of(question)
    words = significant_words(without_kind(question, kind))
    if kind is JOB:
        words = tuple(word for word in words if not word & _WORK) or words
    if kind in {AGE, JOB} and _is_own(words) and concerns_user(question):
        own = [one for one in known if is_about_self(one.text) and kind.is_answer(one.text)]
        if own:
            return Found(own[:MAX_QUOTES] if kind is JOB else own[:1])
    matches = zip(known, match_statements(words, [one.text for one in known]), strict=True)
    matching = [(statement, match) for statement, match in matches if match.coverage]
    return _choose(question, kind, matching)


def _is_own(words: Sequence[Word]) -> bool:
    """Check whether a question names nothing beyond what it asks for ("How old am I?", "What is my job?")."""
    return all(word & _WORK for word in words)


def _choose(question: str, kind: QuestionKind | None, matching: Sequence[Matching]) -> Found:
    """Prefer statements that contain what is asked for, among those that match as many words as any."""
    names = names_in(question)
    concerned = [one for one in matching if one[1].names_any(names)]
    if kind:
        fitting = [one for one in concerned if kind.is_answer(one[0].text)]
        most = max((match.coverage for _, match in concerned), default=0.0)
        best = [one for one in fitting if one[1].coverage == most]
        if any(kind is JOB or not match.is_only_about(names) for _, match in best):
            return Found(_best(best, names))
        if kind.is_reliable:
            return Found(related=[*_best(fitting), *_best(matching)])
    if answers := [one for one in concerned if not one[1].is_only_about(names)]:
        return Found(_best(answers, names))
    return Found(related=_best(matching) if names or concerns_user(question) else ())


def _best(matching: Sequence[Matching], names: Sequence[str] = ()) -> list[Statement]:
    """The statements that match best, and newer ones about the same things, which may say that something changed."""
    required = NEAR_BEST * max((match.score for _, match in matching), default=0.0)
    best = [one for one in matching if one[1].score >= required]
    latest = max((statement.recency for statement, _ in best), default=())
    newer = [one for one in matching if one[0].recency > latest and not one[1].is_only_about([*names, *_GENERAL_VERBS])]
    ranked = [*sorted(best, key=lambda one: -one[1].score), *newer]
    return [statement for statement, _ in ranked[:MAX_QUOTES]]
