"""Find out whether a statement needs the request before it ("What suits my nephew? He is autistic")."""

import re

from agent.language.facts.personal_requests import is_task
from agent.language.grounding.checks import words
from agent.language.grounding.pronouns import names_own, omits_subject, refers_back
from agent.language.grounding.support import is_about_user

MAX_REQUEST_CHARS = 200
MAX_REASON_WORDS = 20
"""A shorter statement about the user may say little without its request ("Which seats fit? Ours are 1 and 3.")."""

_REFERS_BACK = re.compile(
    r"(?:that|this|it|they)(?:'s|'re|\u2019s|\u2019re|\sis|\sare|\swas)\b|(?:das|es)\sist\b|c'est\b|(?:eso\s)?es\b"
    "|\u8fd9\u662f|\u90a3\u662f",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"[^.!?]{1,60}\b(?:am|is|are|was|were|'s|'m|'re|\u2019s|\u2019m|\u2019re|have|has|had|got|get|getting|having|need"
    r"|needs|want|wants|bought|own|owns|use|uses|using|inherited|ordered|rent|adopted) one\b"
    r"(?=\W*$|,| (?:on|in|at|for|from|since|next|last|this|today|tomorrow|already|too|now|and|but|with|every)\b)"
    r"|the ones? (?:in|on|at|from|of|with|by|that|which|i|we|my)\b",
    re.IGNORECASE,
)
_NAMED_PERSON = re.compile(
    r"\b(?:for|with|to|about|f\u00fcr|mit|para|con|pour|avec|per|com|voor|met) (?:\w{2,12} ){0,2}[A-Z\u00c0-\u00de]\w+"
)


def names_kind(statement: str) -> bool:
    """Check whether a statement is about a thing whose kind the text before it names ("Dad is getting one")."""
    return _ONE.match(statement) is not None


def needs_request(statement: str, request: str) -> bool:
    """Check whether a statement refers to the request before it, or briefly gives the reason for it.

    Args:
        statement: the text without lead words.
        request: the question or task before it, in which text by others is masked with NULs.
    """
    if len(request) > MAX_REQUEST_CHARS:
        return False
    if is_about_user(statement):
        is_reason = len(words(statement)) <= MAX_REASON_WORDS and "\0" not in request and is_task(request)
        if is_reason or _REFERS_BACK.match(statement):
            return True
    is_of_person = refers_back(statement) and (_NAMED_PERSON.search(request) is not None or names_own(request))
    is_of_omitted = omits_subject(statement) and names_own(request)
    return (names_kind(statement) or is_of_person or is_of_omitted) and is_task(request)
