"""Looking up what a user said: their words as statements to them, and which of those answer a question.

    "I live in London, my nickname is RS" → "You live in London" · "Your nickname is RS"

Words are compared by stem and by a few synonyms; there is no language model in it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.memory.clauses import asks, core, own_words, sentences, speaks_of_self, told
from agent.memory.forms import OWNED
from agent.memory.rules import extract_from_user

ENOUGH = 0.55
"""Of a question's weight that a statement must meet to answer it; below, it is at best the closest there is."""
ENOUGH_OF_THE_WORLD = 0.8
"""The same for a question that does not speak of the user, as "What is the capital of Norway?"."""
CLOSE = 0.15
SYNONYM = 0.7
OF_ANOTHER = 0.4  # "Your wife's name is Eva", when asked for one's own name
NEAR_BEST = 0.8  # what scores less than this share of the best is left out
MOST = 5

_UNSAFE = str.maketrans({"<": "\u2039", ">": "\u203a", "`": "'", "[": "(", "]": ")", "*": None, "|": "/", "\\": "/"})

# From the user's words to a statement

_BASE = frozenset(
    "live work like love prefer enjoy hate dislike adore study speak play own drive teach coach volunteer attend collect"
    " commute practise practice use code program eat drink cook wear suffer believe run manage lead want need go know"
    " keep sing paint write read learn build plan grow train travel ride swim dance sleep take make have do be get"
    " identify smoke avoid expect hope call visit share support follow watch listen try start feel think see".split()
)
_IRREGULAR = {"is": "are", "has": "have", "does": "do", "was": "were"}
_AS_IT_IS = frozenset(
    "used cannot can moved grew graduated joined founded adopted quit switched started bought got went worked lived"
    " studied visited became met had will would should may might left lost found wrote made took".split()
)
_ADVERBS = r"(?:usually|mostly|mainly|always|never|often|only|rarely|sometimes|no longer|generally|also|currently)"
_VERBAL = re.compile(rf"(?P<how>(?:{_ADVERBS} )*)(?P<verb>[a-z]+)(?P<rest>\b.*)", re.IGNORECASE)
_OWNED = re.compile(r"(?P<owned>(?:[\w'\u2019&/-]+ ){0,5}?[\w'\u2019&/-]+) (?P<be>is|are|was) (?P<rest>.+)", re.IGNORECASE)
_USER = re.compile(r"(?:the )?user(?P<s>['\u2019]s)? ", re.IGNORECASE)
_ASSISTANT = re.compile(r"\bthe assistant\b", re.IGNORECASE)
_OBJECT_YOU = r"(?<=\bto |with |from |tell | for | ask |want |like |help |hank ){0}"
_PERSONS = re.compile(
    r"\b(?:i['\u2019]m|i am|i was|i['\u2019]ve|i['\u2019]d|i['\u2019]ll|you are|you['\u2019]re|i|me|my|mine|myself|you|your|yours)\b",
    re.IGNORECASE,
)
_OTHER_PERSON = {
    "i'm": "you are", "i am": "you are", "i was": "you were", "i've": "you have", "i'd": "you would", "i'll": "you will",
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "you are": "I am", "you're": "I am", "you": "I", "your": "my", "yours": "mine",
}  # fmt: skip
