"""How a message is built: sentences, clauses, and which of them ask.

Spans are [start, stop) in the text. Each pattern is anchored, or its repetitions are bounded: the time is linear in
the text, whatever it is.
"""

import re
from collections.abc import Iterator

Span = tuple[int, int]

_PLAIN = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\";;")
_NAME_WORDS = 3  # more in quotation marks than that is a quotation


def any_of(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives into one pattern that minds no case."""
    return re.compile("|".join(alternatives), re.IGNORECASE)


_SENTENCE_END = re.compile(
    r"(?:(?<!\bDr|\bMr|\bMs|\bSt|\bvs)(?<!\bMrs|\be\.g|\bi\.e)(?<!\b[A-Z])\.|[!?…]){1,8}[\"')\]]{0,3}(?=\s|$)|\n+"
)
_NEXT_SUBJECT = (
    r"(?:i|i'\w{1,2}|my|we|he|she|they|it|it's|you|your|please|call me|always|never|answer|reply"
    r"|respond)\b|(?:what|where|when|why|how|can|could|would|do)\b(?=\s+(?:i|you|my|we|should|is|are|do"
    r"|can)\b)"
)
_SAME_SUBJECT = (
    r"(?:live in|work (?:as|at|for|in)|prefer|love|hate|like|moved to|am|speak|study|don'?t|do not"
    r"|can'?t|moved|got|born in|raised in|(?:now |currently )?working (?:as|at|in|for))\b(?!\s+to\s+(?-i:[a-z]))"
)
_AFTERTHOUGHT = (
    r"(?:which|who|where|that'?s|this|so|because|since|though|although|however|but|what|how|when|if|thank"
    r"(?:s| you)|right|lol|haha|let|is|are|do|does|did|will|not|there)\b"
)
_BOUNDARY = any_of(
    r"\s{0,3}[,;]\s{0,3}(?:(?:and|but|so|also|plus|then|yet|or|because|though)\s+){0,2}"
    rf"(?=(?P<same>{_SAME_SUBJECT})|{_NEXT_SUBJECT}|{_AFTERTHOUGHT})",
    r"\s(?:and|but|so|because|though|although|while|whereas|plus|since)\s{1,3}(?:(?:also|then)\s{1,3})?"
    rf"(?=(?P<same_too>{_SAME_SUBJECT})|{_NEXT_SUBJECT})",
    r"\s-{1,3}\s",
)
"""Between two clauses. `same` and `same_too` hold when the second goes on with the first one's subject."""

_WISHING = r"(?:can|could|would|will) you (?:please |kindly )?(?=(?:always|never|stop|from now on|in future)\b)"
_LASTING_WISH = any_of(_WISHING)
"""A question by its form only: what it asks for is to last."""

_LEAD = any_of(
    r"[-*•]\s+|\d{1,2}[.)]\s+",
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon))(?: there| all| everyone)?|well|so|and|but|also"
    r"|actually|oh|ok|okay|btw|by the way|fyi|first|second|finally|anyway|yes|yeah|no|honestly|personally"
    r"|in general|generally|these days|nowadays|plus|then|in fact|to be honest|tbh|correction"
    r"|just so you know|so you know|for the record|for context|i(?: have| already|'ve)? (?:said|told you"
    r"|mentioned)|(?:as|like) i (?:said|mentioned)|(?:please |kindly )?(?:note|remember|keep in mind"
    r"|don't forget|know)|you should (?:also )?know|i want you to (?:know|remember)|for (?:all "
    r"|any )?future (?:chats?|reference|conversations?|messages)|next time)(?:\s+that\b)?[,:.!]?\s+",
    _WISHING,
)
"""What stands before a clause and says nothing."""

_COLON_LEAD = any_of(
    r"\b(?:future|remember|notes?|fyi|about me|context|background|facts?|profile|know|preferences?"
    r"|introduc\w{1,8}|myself|things?|update|correction|record|reminder|info|details|btw|ps)\b"
)
"""What may stand before a colon so that the words after it are still the user's own."""

_AUXILIARY = (
    r"do|does|did|is|are|am|was|were|can|could|would|will|shall|should|may|might|have|has|(?:do|is|are"
    r"|ca)n't"
)
WHENEVER = r"when(?:ever)? i (?:ask|paste|send|share|show|write|say|mention|give)\b[^,.!?\n]{0,60}"
_ASKING = any_of(
    rf"(?!{WHENEVER},)"
    r"(?:(?:and|or|but|so|then|also)\s+)?(?:(?:what|where|when|who|whom|whose|which|why|how)(?:'?s"
    r"|'re)?\b"
    rf"|(?:{_AUXILIARY})\s+(?:i|you|we|it|they|he|she|my|your|there|this|that|the|any\w{{0,5}}"
    rf"|some\w{{0,5}})\b)"
)
_REQUEST = any_of(
    r"(?:please\s+)?(?:(?:tell|show|give|help|remind|teach|send)\s+(?:me|us)\b|(?:list|explain|describe"
    r"|write|draft|translate|summari[sz]e|find|search|compare|suggest|recommend|calculate|compute|convert"
    r"|fix|proofread|define|name|rewrite|rephrase|sort|plan|create|generate|look up|brainstorm)\b)",
    r"i\s+(?:wonder|want to know|need to know|would like to know|have (?:a|another) question|need "
    r"(?:some )?help)\b",
    r"i'd (?:like|love) to know\b|i'm (?:wondering|curious)\b|any (?:ideas?|tips?|advice"
    r"|suggestions?)\b",
)
_PLEASANTRY = any_of(
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|thanks?|you|so much|a lot|cheers|please|okay"
    r"|ok|great|cool|sure|yes|no|perfect|bye|in advance|there|everyone)[\s,.!]{0,4}){1,6}"
)
_SELF = any_of(r"(?:i|i'\w+|my|we|our)\b")

UNSURE = any_of(
    r"\b(?:if|unless|suppos(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|hypothetic\w{2,5}|assum(?:e|ing)"
    r"|let'?s say|whether|role-?play|wish|dream(?:ed|t)|claim(?:s|ed)|insist(?:s|ed)|swears?|swore"
    r"|believes|heard|quote|translate|rewrite|rephrase|paraphrase|proofread|(?:he|she|they|who) (?:say|think"
    r"|believe)|yeah,? right|(?<!\bi )(?<!already )(?<!have )(?:says?|said|tells|told|thinks|thought|wrote|writes|asks"
    r"|asked))\b"
)
"""From here on a sentence does not say what is: a condition, a dream, or somebody else's words."""

_PASTED = any_of(
    r"\b(?:translate|rewrite|rephrase|paraphrase|correct|proofread|improve|edit|fix|summari[sz]e|shorten"
    r"|write|draft|compose|continue|complete|analy[sz]e|review|pretend|imagine|act as"
    r"|role-?play)\b[^\n:]{0,80}:\s"
)
"""A task that is done on a text; what follows it is that text, and not about the user."""

_FOREIGN = re.compile(
    r"```.*?```|^[ \t]{0,8}>[^\n]*|\"[^\"\n]{1,2000}\"|«[^»\n]{1,2000}»"
    r"|(?<!\w)'(?:I|My)\b[^'\n]{1,300}'(?!\w)",
    re.DOTALL | re.MULTILINE,
)
"""Code, quotations and quoted mail; a short one is a name or a title, and the user's own."""

_ANNOUNCED = any_of(
    r"(?<!\bi )(?<!\bwe )\b(?:goes|says?|said|reads|writes|wrote|asked|replied|answered|lyrics|monologue|log"
    r"|transcript)"
    r"\s?:[^\n]*(?:\n[^\n]+)*"
)
"""Somebody else's words after a colon, up to the end of the paragraph."""

FUTURE = (
    r"(?:from (?:now|here) on|going forward|in (?:the )?future|by default|in (?:all|every) (?:chats?|answers?"
    r"|repl\w{1,3})|for (?:all )?future \w{4,13}|when(?:ever)? (?:you )?(?:answer|reply|respond)\w{0,3})"
)
IN_FUTURE = any_of(rf"(?:{FUTURE}|{WHENEVER})")


def plain_punctuation(text: str) -> str:
    """Make typographic quotes and dashes plain; every character keeps its place."""
    return text.translate(_PLAIN)


def mask_quoted(text: str) -> str:
    """Blank out what is quoted, code, or pasted below a task; what stays keeps its place."""
    own = _FOREIGN.sub(lambda found: _blank_unless_name(found[0]), plain_punctuation(text))
    own = _ANNOUNCED.sub(lambda found: "\0" * len(found[0]), own)
    pasted = _PASTED.search(own)
    return own[: pasted.start()] if pasted else own


def sentences(text: str) -> Iterator[Span]:
    """Yield the sentences of a text, which together are the text."""
    start = 0
    for end in _SENTENCE_END.finditer(text):
        yield start, end.end()
        start = end.end()
    yield start, len(text)


def clauses(text: str, sentence: Span) -> Iterator[tuple[Span, bool]]:
    """Yield the clauses of a sentence; True for those that go on with the subject of the one before."""
    start, stop = _skip_space(text, *sentence), sentence[1]
    shared = False
    for end in _BOUNDARY.finditer(text, start, stop):
        if IN_FUTURE.fullmatch(text, start, end.start()):
            continue
        yield (start, end.start()), shared
        start, shared = end.end(), bool(end["same"] or end["same_too"])
    yield (start, stop), shared


def readings(text: str, clause: Span) -> Iterator[Span]:
    """Yield a clause, and what is left of it each time when its leading words are taken away."""
    start, stop = clause
    while start < stop and not (text[start].isalnum() or text[start] in "-*•"):
        start += 1
    while stop > start and text[stop - 1] in " \t\r\n,;:.!?…-*_":
        stop -= 1
    yield start, stop
    colon = text.find(":", start, min(stop, start + 80))
    if colon > 0 and _COLON_LEAD.search(text, start, colon):
        yield (start := _skip_space(text, colon + 1, stop)), stop
    for _ in range(4):
        lead = _LEAD.match(text, start, stop)
        if not lead:
            return
        yield (start := lead.end()), stop


def core(text: str, clause: Span) -> Span:
    """Return a clause without what leads up to it."""
    *_, last = readings(text, clause)
    return last


def statements(text: str, sentence: Span) -> list[tuple[Span, bool]]:
    """Return the clauses of a sentence that come before anything it asks."""
    found = list(clauses(text, sentence))
    if any(_LASTING_WISH.match(text, *rest) for rest in readings(text, found[0][0])):
        return found
    asking = [any(_ASKING.match(text, *rest) for rest in readings(text, span)) for span, _ in found]
    if _ends_asking(text, sentence):
        return found[: asking.index(True)] if True in asking else []
    return [] if asking[0] else found


def is_request(text: str, sentence: Span) -> bool | None:
    """Tell whether a sentence asks for something; None for one that neither asks nor says anything."""
    words = text[slice(*sentence)].strip()
    if not any(map(str.isalnum, words)) or _PLEASANTRY.fullmatch(words):
        return None
    asked = core(text, sentence)
    if _REQUEST.match(text, *asked):
        return True
    if any(_SELF.match(text, *core(text, span)) for span, _ in statements(text, sentence)):
        return False
    return _ends_asking(text, sentence) or bool(_ASKING.match(text, *asked))


def is_first_person(clause: str) -> bool:
    """Tell whether a clause begins with the speaker: "I …", "my …", "we …"."""
    return _SELF.match(plain_punctuation(clause)) is not None


def _blank_unless_name(quoted: str) -> str:
    is_name = quoted[0] in '"«' and len(quoted.split()) <= _NAME_WORDS and not _SELF.match(quoted, 1)
    return quoted if is_name else "\0" * len(quoted)


def _ends_asking(text: str, sentence: Span) -> bool:
    return text[slice(*sentence)].rstrip(" \t\n\"')!").endswith("?")


def _skip_space(text: str, start: int, stop: int) -> int:
    while start < stop and text[start].isspace():
        start += 1
    return start
