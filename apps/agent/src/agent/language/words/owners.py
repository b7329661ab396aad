"""Find the person whose possession a statement is about: "Mum's favourite flower", "la fleur préférée de maman"."""

import re

from agent.language.parsing.sentences import plain_punctuation
from agent.language.persons.roles import mentions
from agent.language.text_cache import cache_per_user
from agent.language.words.content import Stems, stems, words_of

_OWN = r"(?:my|our|meine?|unsere?|mon|ma|mes|mis?|nuestr[oa]s?|mio|mia|meus?|minhas?|mijn|ons|onze)"
_VERB = (
    r"(?:is|are|was|were|costs?|has|ist|sind|war|kostet|est|sont|était|coûte|es|son|era|cuesta|è|sono|costa|é|são|custa"
    r"|zijn|kost)"
)
_BEFORE = re.compile(  # "Mum's favourite flower is", "Papas Lieblingsblume ist"
    rf"\W*(?:{_OWN} )?(?P<owner>[^\W\d_][\w-]{{1,20}}?)(?:'s|s) (?P<owned>(?:[\w-]+ ){{1,4}}?){_VERB}\b", re.IGNORECASE
)
_AFTER = re.compile(  # "la fleur préférée de maman est"
    rf"(?P<owned>(?:[\w'-]+ ){{1,5}}?)(?:de|di|da|do|du|van|von) (?:{_OWN} )?(?P<owner>[^\W\d_][\w-]{{1,20}})"
    rf" {_VERB}\b",
    re.IGNORECASE,
)
_NO_NAMES = frozenset({"it", "that", "what", "there", "here", "this", "today", "tomorrow", "yesterday", "let"})


@cache_per_user(maxsize=2048)
def owner_of(things: Stems, statement: str) -> Stems:
    """The stems of the person to whom the things at the beginning of a statement belong; empty if it names none."""
    plain = plain_punctuation(statement)
    for pattern in (_BEFORE, _AFTER):
        match = pattern.match(plain)
        if (
            match
            and things <= stems(match["owned"]) | words_of(match["owned"])
            and _is_person(match["owner"], plain[match.end("owner")])
        ):
            return stems(match["owner"])
    return Stems()


def _is_person(word: str, mark: str) -> bool:
    """Check whether a word before a possessive is a role ("mum") or, before an apostrophe, a name."""
    return bool(mentions(word)) or (mark == "'" and word[0].isupper() and word.lower() not in _NO_NAMES)
