"""Find what answers a question for a person, a list or a yes or no, for the offline model.

The words of such a question are often not those of its answer ("my cat", "Miso"; "my allergies", "penicillin gives me
hives"), and a statement of another person with the same words is no answer.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent.language.parsing.own_questions import asks_whether
from agent.language.persons.questions import PersonAnswer, names_own_person, person_answer
from agent.language.persons.roles import USER, begins_with_person, mentions
from agent.language.requests.attribute_lists import listed_attributes, refers_to_user, states_any_listed
from agent.language.requests.attributes import asked_own_attributes, states_asked
from agent.models.offline_changes import states_change
from agent.models.offline_language import Language
from agent.models.offline_questions import AGE, COUNT, NAME, PERSON, concerns_user, kind_of, without_kind
from agent.models.offline_statements import Found, Statement
from agent.models.word_match import significant_words

_OF_USER = re.compile(r"(?:No longer|Got|Has|Is|Was|[A-Z][a-z]{1,14}(?:ed|es|s)|[Ii]) ")
MAX_LISTED = 8
"""Statements about a person, or of a list."""
_GENERAL_STEMS = frozenset[str]().union(*significant_words("list call name have many know remember show give"))

Find = Callable[[str, Sequence[Statement], Language], Found]
"""Find the statements for a question by its words."""


def find_personal(question: str, known: Sequence[Statement], language: Language, find: Find) -> Found:
    """The statements for a question: those of the person or the list that it names, else those with its words."""
    answer = person_answer(question, [one.text for one in known])
    if answer and answer.about:
        return _Persons(question, answer, known, language).find(find)
    names = listed_attributes(question)
    found = find(question, known, language)
    if asked := asked_own_attributes(question):
        found = _of_attribute(found, [one for one in known if states_asked(one.text, asked)])
    if not names and answer is None:
        return _own(question, found)
    listed = [one for one in known if states_any_listed(one.text, names)]
    answers = dict.fromkeys([*(one for one in found.answers if _is_own(one)), *listed])
    return Found(list(answers)[:MAX_LISTED], is_complete=True)


def _of_attribute(found: Found, stating: Sequence[Statement]) -> Found:
    """The answers about the user for a question for an attribute of the user, else the latest statement of that."""
    answers = [one for one in found.answers if one in stating or _is_own(one)]
    latest = sorted(stating, key=lambda one: one.recency, reverse=True)[:1]
    return replace(found, answers=answers or latest or found.answers)


@dataclass(frozen=True, slots=True)
class _Persons:
    """A question for persons or animals of whom something is known."""

    question: str
    answer: PersonAnswer
    known: Sequence[Statement]
    language: Language

    def find(self, find: Find) -> Found:
        """The statements about them that the question asks for."""
        answer, kind = self.answer, kind_of(self.question)
        about, naming = [self.known[n] for n in answer.about], [self.known[n] for n in answer.naming]
        if answer.is_general:
            is_for_name = kind is PERSON and naming and not answer.is_by_name
            return Found((naming if is_for_name else about)[:MAX_LISTED], is_complete=True)
        if kind is NAME:
            return Found(naming[:MAX_LISTED], about[:MAX_LISTED], is_complete=True)
        words = significant_words(without_kind(answer.rest, kind), self.language)
        if kind in {None, COUNT, PERSON} and all(one & _GENERAL_STEMS for one in words):
            listed = [] if answer.is_by_name else [self.known[n] for n in answer.by_role]
            return Found((listed or about)[:MAX_LISTED], is_complete=True)
        return self._find_specific(about, find)

    def _find_specific(self, about: Sequence[Statement], find: Find) -> Found:
        """What the question asks for, among the statements about them, and those with all its words."""
        if asks_whether(self.question):
            named = {self.known[n] for n in self.answer.naming}
            stating = [one for one in about if one not in named] or about
            found = find(self.answer.rest, stating, self.language)
            return Found(list(found.answers or stating)[:MAX_LISTED], is_complete=True)
        meant = [one for one in self.known if one in about or not _is_of_others(one)]
        found = find(self.question, meant, self.language)
        found_about = find(self.answer.rest, about, self.language)
        answers = [one for one in (*found.answers, *found_about.answers) if one in about or _may_be_of_others(one)]
        kind = kind_of(self.question)
        if kind and kind.is_reliable and (not answers or kind is AGE):
            answers += [one for one in about if kind.is_answer(one.text)]
        related = dict.fromkeys([*about, *(one for one in found.related if one.continues_another)])
        return Found(list(dict.fromkeys(answers))[:MAX_LISTED], list(related)[:MAX_LISTED], is_complete=True)


def _own(question: str, found: Found) -> Found:
    """Drop what is stated of others, if a question is about the user."""
    if not concerns_user(question) or names_own_person(question):
        return found
    answers = [one for one in found.answers if _is_own(one)]
    related = [one for one in found.related if _is_own(one)]
    return Found(answers, related, found.is_complete)


def own_statements_only(statements: Sequence[Statement], questions: Sequence[str]) -> Sequence[Statement]:
    """Drop the statements of others, if the questions are only about the user and other statements are left."""
    if any(map(names_own_person, questions)):
        return statements
    return [one for one in statements if _is_own(one)] or statements


def _may_be_of_others(statement: Statement) -> bool:
    """Check for a change that is not the user's ("Moved to York", "I moved"), which may be one of another person."""
    return states_change(statement.text) and _OF_USER.match(statement.text) is None


def _is_of_others(statement: Statement) -> bool:
    """Check whether a statement is of another person, or of what belongs to one ("Eva's daughter is 5")."""
    return begins_with_person(statement.text, with_services=True) or any(
        one.owner != USER for one in mentions(statement.text)
    )


def _is_own(statement: Statement) -> bool:
    return not begins_with_person(statement.text) or refers_to_user(statement.text)
