"""Find the statements that answer a question, for the offline model."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agent.language.facts.extraction import contains_only_requests, plain_clauses
from agent.language.facts.standing import SAFETY_TOPICS, standing_topic
from agent.language.parsing.own_questions import asks_for_own_fact
from agent.language.parsing.sentences import compile_any
from agent.language.requests.questions import is_search_word
from agent.models.offline_changes import states_change
from agent.models.offline_jobs import begins_job_of_user
from agent.models.offline_language import Language
from agent.models.offline_names import names_subject
from agent.models.offline_personal import find_personal, own_statements_only
from agent.models.offline_phrases import PHRASES
from agent.models.offline_questions import (
    AGE,
    CONJUNCTIONS,
    JOB,
    NAME,
    ORIGIN,
    PERSON,
    PLACE,
    QuestionKind,
    asks_about_self,
    concerns_user,
    is_about_self,
    is_elliptical,
    is_unmarked_question,
    kind_of,
    states_own_origin,
    without_kind,
)
from agent.models.offline_related_words import is_relative, with_related
from agent.models.offline_statements import Found, Statement
from agent.models.offline_tasks import asks_for_advice, is_task
from agent.models.offline_vocabulary import english
from agent.models.word_match import Match, Word, match_statements, significant_words

MAX_QUOTES = 5  # per question
MAX_CLOSEST = 8  # without an answer to a request for advice, or to one about others
MAX_CONCERNED = 3  # without an answer to a question for a fact about the user
NEAR_BEST = 0.8  # share of the best score that a statement must reach
_NAME = re.compile(r"(?<=\w )(?!I')[A-Z\u00c0-\u00de][\w-]+(?:'(?!s\b)[\w-]+)?")  # not the first word
_DETERMINER = compile_any(  # of German nouns
    r"mein\w{0,2}|unser\w{0,2}|sein\w{0,2}|ihr\w{0,2}|der|die|das|den|dem|des|ein\w{0,2}|kein\w{0,2}|welche\w?|viele?|wie"
    r"|im|am|zum|zur|beim|vom|fürs|ins|ans"
)
_WORK = frozenset[str]().union(*significant_words("work job profession occupation"))
_KINDS_OF_WORK = (None, PLACE, PERSON)
"""Kinds of questions about nothing but the user's work that ask for the job or the employer."""
_GENERAL_WORDS = ("take", "have", "get", "go", "use", "make", "need", "name", "call")
_WITHOUT_TOPIC = frozenset[str]().union(*significant_words("like love favourite favorite take family everyone anyone"))
"""Words of questions that do not tell their topic, if others do ("my favourite colour")."""
_KINDS = frozenset[str]().union(*significant_words("kind type sort brand"))
"""English words before what a question asks for; the German "Kind" is a child."""
_UNSPECIFIC = frozenset[str]().union(
    *significant_words(
        "kind type sort brand model name call title number thing stuff use used get go went come put do did make made"
        " have got need want wear belong own time date day week weekend month year last next first new old current"
        " front main usual good best big long often remember tell told know favourite favorite like love"
    )
)
"""English words that many questions have in common; a statement that shares only these is about something else."""

Matching = tuple[Statement, Match]
"""A statement that matches a question."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a question is about."""

    kind: QuestionKind | None
    words: Sequence[Word]
    names: Sequence[str]

    def is_answer(self, text: str) -> bool:
        """Check whether a statement contains what is asked for."""
        if self.kind is NAME:
            return names_subject(text, self.words)
        return self.kind is None or self.kind.is_answer(text)

    def is_user(self, statement: Statement, match: Match) -> bool:
        """Check whether a question asks for a person and a statement shows that it is the user ("I'm allergic")."""
        return self.kind is PERSON and match.coverage == 1 and is_about_self(statement.text)

    def has_relative_in(self, match: Match) -> bool:
        """Check whether a match contains a relative that the question is about; True for other questions."""
        relatives = [word for word in self.words if is_relative(word)]
        return not relatives or any(word in match.matched for word in relatives)

    def is_matched_by(self, text: str) -> bool:
        """Check whether a statement contains enough of the words."""
        return match_statements(self.words, [text])[0].coverage > 0

    def is_shared_by(self, text: str) -> bool:
        """Check whether a statement contains one of the words that are neither names, relatives nor general."""
        excluded = [*self.names, *_GENERAL_WORDS]
        significant = [word for word in self.words if not Match(matched=(word,)).is_only_about(excluded)]
        return _shares_word(text, significant)


def quote(message: str, known: Sequence[Statement], language: Language) -> str:
    """Quote what answers the questions of a message, else what is closest to them; empty if nothing is."""
    questions = _questions(message, language)
    found = [find_personal(question, known, language, _find) for question in questions]
    if answers := [one for each in found for one in each.answers]:
        return listed(PHRASES[language].quoted, answers)
    if related := [one for each in found for one in each.related]:
        return listed(PHRASES[language].closest, related[:MAX_QUOTES])
    if found and all(one.is_complete for one in found):
        return ""
    closest = _closest(questions, [one for one in known if one.index < 0 or _concerns_safety(one.text)], language)
    return listed(PHRASES[language].closest, closest[:MAX_CLOSEST])


def _closest(questions: Sequence[str], recalled: Sequence[Statement], language: Language) -> Sequence[Statement]:
    """The statements that may matter for questions without an answer, those that share most words first.

    Many of them are standing ones, which are recalled for every message: they come last, unless they concern the user's
    safety. For advice, a statement must share a word with it, concern the user's safety, or have been recalled for the
    message. For a task or a single word, it must share a word, and for a question for a fact, a word that tells its
    topic, or be very similar: what the user has not told is not answered with other things about them.
    """
    if not any(map(concerns_user, questions)):
        names = {name for question in questions for name in names_in(question)}
        return [one for one in recalled if any(name in one.text for name in names)]
    recalled = own_statements_only(recalled, questions)
    words = [word for question in questions for word in significant_words(question, language)]
    related = with_related(words)
    shared = {one: sum(_shares_word(one.text, [word]) for word in related) for one in recalled}
    if all(is_task(one) or is_elliptical(one) for one in questions):
        recalled = [one for one in recalled if shared[one]]
    elif all((asks_for_advice(one) or is_task(one)) and not asks_for_own_fact(one) for one in questions):
        recalled = [one for one in recalled if shared[one] or _is_recalled_or_concerns_safety(one.text)]
    else:
        recalled = _concerned(recalled, [word for word in words if not word <= _UNSPECIFIC])
        return sorted(recalled, key=lambda one: (not one.is_near, -shared[one]))[:MAX_CONCERNED]
    first = {one: _is_recalled_or_concerns_safety(one.text) for one in recalled}
    return sorted(recalled, key=lambda one: (not one.is_near, -shared[one], not first[one]))


def _concerned(recalled: Sequence[Statement], topic: Sequence[Word]) -> list[Statement]:
    """The statements that are very similar to a question or share a word of its topic; without one, those recalled."""
    if not topic:
        return [one for one in recalled if one.is_near or standing_topic(one.text) is None]
    related = with_related(topic)
    return [one for one in recalled if one.is_near or _shares_word(one.text, related)]


def _is_recalled_or_concerns_safety(text: str) -> bool:
    return standing_topic(text) is None or _concerns_safety(text)


def _concerns_safety(text: str) -> bool:
    return standing_topic(text) in SAFETY_TOPICS


def _shares_word(text: str, words: Iterable[Word]) -> bool:
    return any(match_statements([word], [text])[0].coverage for word in words)


def listed(title: str, statements: Sequence[Statement]) -> str:
    """A title and the statements as a list, each text once; empty without statements."""
    texts = dict.fromkeys(one.text for one in statements if one.text)
    lines = [f"- {text}" for text in texts]
    if lines and lines[-1].endswith("?"):
        lines[-1] += " \u2026"  # the answer must not end with a question, which the next message would answer
    return "\n".join([title, *lines]) if lines else ""


def is_question(clause: str) -> bool:
    """Check whether a clause asks for something."""
    return contains_only_requests(clause) or is_unmarked_question(clause)


def looks_up_word(message: str) -> bool:
    """Check for a single word that states nothing ("diet")."""
    return is_search_word(message) and standing_topic(message) is None


def names_in(question: str) -> list[str]:
    """The capitalised words of a question but the first, without those that German writes so."""
    found = ((match[0], question[: match.start()].rsplit(maxsplit=1)[-1]) for match in _NAME.finditer(question))
    return [name for name, before in found if not english(name.casefold(), "de") and not _DETERMINER.fullmatch(before)]


def _questions(message: str, language: Language) -> list[str]:
    requests = [clause for clause in plain_clauses(message) if is_question(clause)]
    requests = requests or ([message] if message.rstrip().endswith("?") or looks_up_word(message) else [])
    parts = [part for request in requests for part in request.split(CONJUNCTIONS[language])]
    return [part for part in parts if significant_words(part, language) or kind_of(part)]


def _find(question: str, known: Sequence[Statement], language: Language) -> Found:
    kind = kind_of(question)
    words = significant_words(without_kind(question, kind), language)
    if kind is NAME and not words:  # "What is my name?"
        kind, words = None, significant_words(question, language)
    if kind is None and _is_job_of_somebody(words):  # "What is my sister's job?"
        kind = JOB
    if kind is JOB:
        words = tuple(word for word in words if not word & _WORK) or words
    if own := _own_attribute(question, kind, words, known):
        return Found(own)
    words = tuple(word for word in words if not (word & _WITHOUT_TOPIC or word <= _KINDS)) or words
    topic = Topic(kind, with_related(words), names_in(question))
    matches = zip(known, match_statements(topic.words, [one.text for one in known]), strict=True)
    matching = [(statement, match) for statement, match in matches if match.coverage]
    return _choose(question, topic, matching, known)


def _is_job_of_somebody(words: Sequence[Word]) -> bool:
    return any(word & _WORK for word in words) and all(word & _WORK or is_relative(word) for word in words)


def _own_attribute(
    question: str, kind: QuestionKind | None, words: Sequence[Word], known: Sequence[Statement]
) -> list[Statement]:
    """The statements about the user's own origin, age or job, if the question names nothing else."""
    if ORIGIN.asked.search(question):
        return _newest_first(one for one in known if states_own_origin(one.text))[:MAX_QUOTES]
    is_own = all(word & _WORK for word in words) and concerns_user(question)
    if is_own and kind is AGE:
        return [one for one in known if is_about_self(one.text) and AGE.is_answer(one.text)][:1]
    if not is_own or kind not in {JOB, *_KINDS_OF_WORK} or (kind is not JOB and not words):
        return []
    jobs = [one for one in known if _states_own_job(one.text)]
    if kind in {PLACE, PERSON}:
        jobs = [one for one in jobs if PLACE.is_answer(one.text)]
    return _newest_first(jobs)[:MAX_QUOTES]


def _states_own_job(text: str) -> bool:
    if begins_job_of_user(text):
        return True
    return any(is_about_self(clause) and JOB.is_answer(clause) for clause in (text, *plain_clauses(text)))


def _choose(question: str, topic: Topic, matching: Sequence[Matching], known: Sequence[Statement]) -> Found:
    """Prefer statements that contain what is asked for, also to those that match more words."""
    if asks_about_self(question) and not any(map(is_relative, topic.words)):
        own = [one for one in matching if not _is_about_relative(one[0].text)]
        if not own:
            return Found(related=_related(matching, known))
        matching = own
    concerned = [one for one in matching if one[1].names_any(topic.names) and topic.has_relative_in(one[1])]
    excluded = [*topic.names, *_GENERAL_WORDS]
    about = [one for one in concerned if topic.kind is JOB or not one[1].is_only_about(excluded)]
    if topic.kind:
        fitting = [one for one in about if topic.is_answer(one[0].text) or topic.is_user(*one)]
        if topic.kind is PERSON:  # the user's own statements begin with a match
            fitting = [(statement, replace(match, begins_with_match=False)) for statement, match in fitting]
        if fitting:
            return Found(_best(fitting, topic, known))
        if topic.kind.is_reliable:
            fitting = [one for one in concerned if topic.is_answer(one[0].text)]
            return Found(related=[*_near_best(fitting), *_related(matching, known)])
    if answers := [one for one in about if not one[1].is_only_about(excluded)]:
        return Found(_best(answers, topic, known))
    return Found(related=_related(matching, known) if topic.names or concerns_user(question) else ())


def _is_about_relative(text: str) -> bool:
    """Check whether a statement begins with a relative, a friend or a pet ("My husband works nights")."""
    words = significant_words(text)
    return bool(words) and is_relative(words[0])


def _related(matching: Sequence[Matching], known: Sequence[Statement]) -> list[Statement]:
    """The statements that match best, and sentences that may continue them."""
    return [*_near_best(matching), *(one for one in known if matching and one.continues_another)]


def _near_best(matching: Sequence[Matching]) -> list[Statement]:
    """The statements that match best, the newest of those that match as many words first."""
    required = NEAR_BEST * max((match.score for _, match in matching), default=0.0)
    coverage = {statement: match.coverage for statement, match in matching if match.score >= required}
    return sorted(_newest_first(coverage), key=lambda one: -coverage[one])[:MAX_QUOTES]


def _best(matching: Sequence[Matching], topic: Topic, known: Sequence[Statement]) -> list[Statement]:
    """The statements that match best, and newer ones about the same things, which may say that something changed."""
    best = _near_best(matching)
    latest = max(one.recency for one in best)
    newer = _newest_first(one for one in known if one.recency > latest and topic.is_shared_by(one.text))
    changes = [one for one in newer if states_change(one.text)]
    current = [one for one in changes if topic.is_answer(one.text)]
    others = [one for one in newer if one in changes or (topic.is_answer(one.text) and topic.is_matched_by(one.text))]
    return list(dict.fromkeys([*current, *best, *others]))[:MAX_QUOTES]


def _newest_first(statements: Iterable[Statement]) -> list[Statement]:
    return sorted(statements, key=lambda one: one.recency, reverse=True)
