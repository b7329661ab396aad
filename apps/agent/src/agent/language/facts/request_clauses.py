"""The clauses of questions and requests that state something about their author."""

import re
from collections.abc import Iterator, Sequence

from agent.language.agenda.questions import only_asks_for_plans
from agent.language.facts.circumstances import (
    describes_author,
    find_kind_of_author,
    follows_request,
    run_on_boundaries,
)
from agent.language.grounding.checks import words
from agent.language.grounding.support import is_about_user, mentioned_persons
from agent.language.parsing.own_questions import asks_for_own_fact
from agent.language.parsing.sentences import Span, is_request, strip_lead_words
from agent.language.said.questions import only_asks_what_was_said

MIN_WORDS = 2
_CLAUSE_END = re.compile(
    r"(?:,(?!\d)|(?<!\d),|[;\uff0c\uff1b\u3001\u060c])\s*|\s[-;]{1,3}\s|(?:[!\u3002\uff01]|\.(?!\d))+\s*"
    r"|\s(?=(?:because|since|and|weil|und|denn|porque|y|parce que|car|et|perch\u00e9|e|omdat)\s"
    r"|en\s(?:ik|we|wij|mijn|onze)\s)|(?=\u56e0\u4e3a)",
    re.IGNORECASE,
)
# "…, don't I?", "…, right?", "…, ¿verdad?"
_TAG = re.compile(
    r"(?:,\s(?:(?:do|am|is|are|was|did|have|has|ca|wo|would|could|ai)n['\u2019]?t|do|am|is|are|did|have|has)\s(?:i|we|it|he|she|they)"
    r"|,\s(?:right|correct|no|oder|nicht wahr|stimmt's|vero|n\u00e3o \u00e9|verdad|n'est-ce pas)"
    r"|,?\s\u00bf(?:verdad|no|cierto))"
    r"\s?\?\W*$",
    re.IGNORECASE,
)
_CONNECTOR = re.compile(
    r"(?:because|since|and|so|but|weil|und|denn|da|porque|y|ya que"
    r"|que(?=\s(?:tengo|estoy|soy|voy|vivo|me|mi|no)\b)|parce que|car|et|perch\u00e9|e|omdat|en)\s"
    "|\u56e0\u4e3a",
    re.IGNORECASE,
)
# A clause that says little without its question: "…, mine got wet", "…, that's me".
_ELLIPTIC = re.compile(
    r"(?:and\s|und\s|y\s|et\s|e\s|en\s)?(?:mine|ours|namely|that(?:'s|\u2019s|\sis)\s(?:me|us)\b|meine[rs]?\s(?:ist|sind|hat|wird|war)"
    r"|n\u00e4mlich|o\ssea|el\sm\u00edo|la\sm\u00eda|le\smien|la\smienne|il\smio\s|la\smia\s(?:\u00e8|ha)|o\smeu\s(?:\u00e9|est\u00e1)|die\svan\s(?:mij|ons))\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:if|when|whether|unless|that|which|who|as|like|wenn|falls|ob|dass|si|cuando|que|quand|se|quando|als|dat)\b"
    "|\u5982\u679c|\u8981\u662f",
    re.IGNORECASE,
)
# A part of a question that states nothing: "For my husband, …".
_ADVERBIAL = re.compile(
    r"(?:and |und |y |et |e )?(?:for|with|to|in|at|per|con|para|pour|avec|chez|f\u00fcr|mit|bei|voor|met|dla)\s"
    r"(?:my|our|mein\w{0,2}|unser\w{0,2}|mi|mis|nuestr\w{2,3}|mon|ma|mes|notre|nos|(?:il )?mio"
    r"|(?:la )?mia|(?:o )?meu|(?:a )?minha|mijn|onze|moj\w{1,3})\s[^\W\d_]{2,20}(?:\s[^\W\d_]{2,20})?",
    re.IGNORECASE,
)
# A request that describes a person of the user's: "a poem for my dad Gerald, he turns 70".
_POSSESSIVE = re.compile(
    r"\b(?:my|our|mein\w*|unser\w*|mis?|nuestr\w+|mon|ma|mes|notre|nos|mi[oa]|miei|mie|meu|minha|mijn|onze"
    r"|moj\w{1,3})\s|\u6211\u7684?",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(
    r"[,:]\s?[\w'\u2019]+\s\w+|\s(?:who|whose|that|que|qui|qu')\b\s?\w+\s\w|[\uff0c\uff1a][^\s\uff0c\uff1a]{3}",
    re.IGNORECASE,
)
# "For my husband, who is deaf, …": also in a question.
_RELATIVE_CLAUSE = re.compile(
    r"[^\W\d_]{2,20}(?:\s[^\W\d_]{2,20})?,\s(?:who|whose|che|que|qui|der|die|das|kt\u00f3r\w{1,3})\s[^,?\0]{3,80}",
    re.IGNORECASE,
)
# The question before the role of its author: "Do I need a visa as a Brazilian living in Portugal?".
_BEFORE_ROLE = re.compile(
    r"(?:i|we|ich|wir)\s[^?\0]{3,60}?\s(?=(?:as\san?|als\s(?-i:[A-Z\u00c4\u00d6\u00dc])\w{2})\b)", re.IGNORECASE
)
_ROLE = re.compile(
    r"\b(?:necesito|preciso|puedo|posso|ho (?:bisogno|diritto)|tengo (?:que|derecho)|tenho (?:que|direito)|ai-je|j'ai"
    r"|puis-je|dois-je|heb ik|kan ik|mag ik|moet ik|krijg ik)\b[^?\0]{3,60}?\s"
    r"((?:en tant que?|come|como|comme|als)\s[^,.?!\0]{2,30}\s"
    r"(?:que|qui|che|die|con|com|avec|met|en|in|em|di|de|da|aus|uit|vivant|viviendo)\s[^,.?!\0]{2,60})",
    re.IGNORECASE,
)
_PERSON_CHARS = 30  # between "my" and the noun for a person
# "How do I tell my parents that I dropped out?": a question that presupposes a fact.
_CONFESSION = re.compile(
    r"\b(?:tell|explain to|break it to|sage|erkl\u00e4re|dire \u00e0|digo a|decirle a)\s"
    r"(?:(?:my|our|mein\w*|mes|mon|ma|mis?)\s)?\w{2,20}(?:,?\s(?:that|dass|que))?\s"
    r"(?=(?:i|i'm|im|i've|we|we're|ich|je|j'\w+|soy|tengo|estoy|he)\b)"
    r"|\b(?:do i (?:tell|explain to)|sage ich|erkl\u00e4re ich|le (?:digo|explico)(?: a(?:l| la| los| las| mi| mis)?)?"
    r"|dire (?:\u00e0|au|aux)|(?:spiego|dico) (?:a|al|alla|ai)|(?:digo|conto|explico) (?:ao?|\u00e0)s?"
    r"|(?:vertel|zeg) ik(?: aan| tegen)?)\s"
    r"(?:(?:the|my|our|dem|der|den|mein\w{0,2}|mon|ma|mes|la|les|mio|mia|miei|meus?|minhas?|mijn|onze)\s)?\w{2,20},?\s(?:that|dass|que|che|dat)\s"
    r"(?!(?:this|that|it|they|he|she|you)\b)(?=\w)",
    re.IGNORECASE,
)


def stating_clauses(masked: str, sentence: Span) -> Iterator[Span]:
    """Yield the clauses of a question or request that state something about the user ("I'm vegan, what …?")."""
    spans = _clauses(masked, sentence)
    visible = masked[slice(*sentence)].partition("\0")[0]
    if _describes_own_person(visible):
        yield sentence[0], sentence[0] + len(visible)
        return
    if confession := _CONFESSION.search(masked, *sentence):
        yield confession.end(), _end_of_words(masked, (confession.end(), sentence[1]))
        return
    if kind := _kind_of_author(masked, sentence):
        yield kind
    if any(_ELLIPTIC.match(masked, *span) for span in spans[1:]):
        yield sentence[0], sentence[0] + len(visible)
    elif len(spans) > 1:
        yield from _statements(masked, sentence, spans)


def _kind_of_author(masked: str, sentence: Span) -> Span | None:
    """What a question calls its author, without what it asks ("as a Brazilian living in Portugal")."""
    if kind := find_kind_of_author(masked, sentence):
        before = _BEFORE_ROLE.match(masked, *kind)
        return before.end() if before else kind[0], kind[1]
    role = _ROLE.search(masked, *sentence)
    return role.span(1) if role else None


def _end_of_words(masked: str, span: Span) -> int:
    """The end of what a question presupposes, without its mark."""
    return span[0] + len(masked[slice(*span)].rstrip(" \t\r\n?!\uff1f\uff01"))


def is_confession(masked: str, sentence: Span) -> bool:
    """Check whether a question asks how to announce a fact ("How do I tell my boss I'm pregnant?")."""
    return _CONFESSION.search(masked, *sentence) is not None


def _statements(masked: str, sentence: Span, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the clauses about the author, each with those between it and a question, which share its subject.

    Without a question mark, those after the question share it, too ("what helps, I have eczema, wool itches").
    """
    asking = [number for number, span in enumerate(spans) if is_request(masked, span)]
    is_open = not masked[slice(*sentence)].rstrip().endswith(("?", "\uff1f", "\u061f"))
    stated: Span | None = None
    for number, (first, stop) in enumerate(spans):
        if stated and stated[1] >= stop:  # the rest of the request
            continue
        start = strip_lead_words(masked, (first, stop))[0]
        continues = number < asking[-1] or (is_open and masked[first - 2 : first] == ", ") if asking else False
        if stated and continues and _declares(masked, (start, stop)):
            stated = (stated[0], stop)
            continue
        if stated:
            yield stated
        stated = _statement(masked, (start, stop), sentence)
    if stated:
        yield stated


def _statement(masked: str, clause: Span, sentence: Span) -> Span | None:
    """A clause without its connector, if it states something about the author."""
    start, stop = clause
    if describes_author(masked, start, sentence[1]):
        return clause
    if start > sentence[0] and follows_request(masked, start, sentence[1]):
        return start, sentence[1]
    connector = _CONNECTOR.match(masked, start, stop)
    start = connector.end() if connector else start
    return (start, stop) if _declares(masked, (start, stop)) and _is_about_author(masked[start:stop].strip()) else None


def _declares(masked: str, clause: Span) -> bool:
    return is_request(masked, clause) is False and not _CONDITION.match(masked, *clause)


def _clauses(masked: str, sentence: Span) -> list[Span]:
    marks = [end.span() for end in _CLAUSE_END.finditer(masked, *sentence)]
    start, spans = sentence[0], []
    for stop, following in sorted([*marks, *run_on_boundaries(masked, sentence)]):
        if stop >= start:
            spans.append((start, stop))
            start = following
    return [*spans, (start, sentence[1])]


def _is_about_author(clause: str) -> bool:
    return len(words(clause)) >= MIN_WORDS and is_about_user(clause) and not _ADVERBIAL.fullmatch(clause)


def _describes_own_person(request: str) -> bool:
    """Check whether a request tells more about a person of the user's than that it is for them."""
    if any(_RELATIVE_CLAUSE.match(request, own.end()) for own in _POSSESSIVE.finditer(request)):
        return True
    if request.rstrip().endswith(("?", "\uff1f")):
        return False
    return any(
        mentioned_persons(request[own.end() : own.end() + _PERSON_CHARS])
        and (": " in request[: own.start()] or _DESCRIPTION.search(request, own.end()))
        for own in _POSSESSIVE.finditer(request)
    )


def only_asks(sentence: str) -> bool:
    """Check whether a sentence asks for what it seems to state: "I live in Paris, don't I?", "Where do I live?"."""
    if _TAG.search(sentence) or asks_for_own_fact(sentence):
        return True
    return only_asks_what_was_said(sentence) or only_asks_for_plans(sentence)
