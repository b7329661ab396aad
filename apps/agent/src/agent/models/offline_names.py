"""Names of people, animals and things in statements ("My kids, Mia and Jonas"), for the offline model."""

import re
from collections.abc import Sequence

from agent.language.parsing.sentences import compile_any, plain_punctuation
from agent.models.offline_language import Language, known_language
from agent.models.offline_vocabulary import english
from agent.models.word_match import Word, significant_words

MAX_DISTANCE = 6
"""Words between a subject and its name."""

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_NAMING_WORDS = (
    "called named name names heißt heißen heisst llama llaman appelle appellent s'appelle s'appellent chiama chiamano"
    " chama chamam heet heten"
)
_LINKING_WORDS = (
    "is are was were and und y e et en ist sind war es son se est sont è sono é são zijn who whose a an the best little"
    " older younger"
)
_POSSESSIVE_WORDS = (
    "my our mein meine meinen meinem meiner unser unsere mi mis nuestro nuestra mon ma mes notre mio mia miei mie"
    " nostro nostra meu minha meus minhas nosso nossa mijn ons onze"
)
_NAMING = frozenset(_NAMING_WORDS.split())
_CONNECTORS = _NAMING.union(_LINKING_WORDS.split())
_POSSESSIVES = frozenset(_POSSESSIVE_WORDS.split())
_IS = frozenset({"is", "ist", "es", "est", "è", "é"})
_MARRIED = compile_any(
    r"\b(?:married to|verheiratet mit|casad[oa] con|mariée? (?:à|avec)|sposat[oa] con|casad[oa] com|getrouwd met)"
    r" (?-i:[A-ZÀ-ÖØ-Þ])"
)
_SPOUSES = frozenset().union(*significant_words("wife husband partner"))


def names_subject(text: str, subjects: Sequence[Word]) -> bool:
    """Check whether a statement contains the name of one of the subjects of a question, next to it.

    Args:
        text: the statement.
        subjects: the significant words of the question.
    """
    plain = plain_punctuation(text)
    wanted = frozenset[str]().union(*subjects)
    if wanted & _SPOUSES and _MARRIED.search(plain):
        return True
    tokens = [token.removesuffix("'s") for token in _TOKEN.findall(plain)]
    language = known_language(plain) or "en"
    found = (n for n, token in enumerate(tokens) if wanted & _forms(token, language))
    return any(_has_name_after(tokens, n) or _has_name_before(tokens, n) for n in found)


def _forms(token: str, language: Language) -> Word:
    word = token.casefold()
    translated = english(word, language)
    return frozenset[str]().union(*significant_words(word), *significant_words(translated or ""))


def _has_name_after(tokens: Sequence[str], subject: int) -> bool:
    following = tokens[subject + 1 : subject + 1 + MAX_DISTANCE]
    for n, token in enumerate(following):
        if token[0].isupper() or (n and following[n - 1].casefold() in _NAMING):
            return True
        if token.casefold() not in _CONNECTORS:
            return False
    return False


def _has_name_before(tokens: Sequence[str], subject: int) -> bool:
    """Check for "my friend Bea is my boss" and "Bea is my boss"; the first word may be no name ("Loves my wife")."""
    possessive = subject - 1
    if possessive < 1 or tokens[possessive].casefold() not in _POSSESSIVES:
        return False
    before = possessive - 1
    is_linked = before > 0 and tokens[before].casefold() in _IS
    name = before - is_linked
    return tokens[name][0].isupper() and (name > 0 or is_linked)
