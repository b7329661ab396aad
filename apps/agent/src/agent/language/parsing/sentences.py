"""Split messages into sentences and clauses, and tell statements from questions and requests.

A span is [start, stop) in the text.
"""

import re
from collections.abc import Iterator

from agent.language.parsing.follow_ups import is_follow_up
from agent.language.pattern_files import compile_lazily, load_patterns
from agent.language.text_cache import cache_per_user

Span = tuple[int, int]

_PLAIN = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\";;")


def compile_any(*alternatives: str) -> re.Pattern[str]:
    """Create one case-insensitive pattern of alternatives, which is compiled on first use."""
    return compile_lazily("|".join(alternatives))


_CONTRACTION = compile_any(
    r"\b(?:((?:do|does|did|is|was|are|ca|wo|have|has|had|would|could|should)n)(t)|(i|we|they|you)(ve)"
    r"|(they|you)(re)|(he|she|that)(s)|(i)(m)(?= (?:an?|not|now|no|so|the|\d{1,3}|from|with|at|allergic|vegan"
    r"|vegetarian|married|single|engaged|divorced|working|living|learning|studying|pregnant)\b))\b"
)
# Titles and other words that do not end a sentence with their full stop; in each entry, all have the same length.
_ABBREVIATIONS = (
    r"dr|mr|ms|st|sr|lt|hr|mw|ks|św|vs|av|ud|nr|ul",
    r"dra|mrs|sra|mme|sig|avv|rag|ing|lic|arq|uds|rev|sgt|dhr|drs|inż|mgr|doç|núm|bzw|ggf|vgl|mio|mrd|evt|tzw",
    *("dott|prof|srta|mlle|geom|capt|mevr|avda|evtl|inkl|exkl|bijv|godz", "profa", "approx"),
)
_NO_ABBREVIATION = (
    "".join(rf"(?<!\b(?i:{words})\.)" for words in _ABBREVIATIONS)
    + r"(?<!\be\.g\.|\bi\.e\.|\bd\.h\.|\b[uov]\.[aä]\.)(?<!\bd\. h\.)(?<!\b[A-Z]\.|\b[pz]\.)(?<!str\.|Str\.)"
    r"(?<!p\.ej\.|p\.ex\.)(?<!p\. e[jx]\.)(?!(?:(?<=\b(?:np|ca|bv)\.)|(?<=\b[ap]\.m\.)"
    r"|(?<=\d\.\d\.)|(?<=\d\.\d\d\.)|(?<=\b(?:min|std|Std|tel|Tel)\.))\s[a-z\d])"
)
# A German ordinal has a full stop: "am 3. Mai", "im 5. Stock".
_NO_ORDINAL = (
    r"(?!(?<=\d\.) (?:Stock|Etage|Klasse|Semester|Monat|Advent|Geburtstag|Lebensjahr|Mal|Tag|Woche|SSW|Platz|Liga|OG"
    r"|Jahrhundert|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)"
)
# It begins with a set of characters, to which a search skips.
_SENTENCE_END = re.compile(
    rf"[.!?…\u061f\u3002\uff01\uff1f\n](?:(?<=[.!?…\u061f]){_NO_ABBREVIATION}{_NO_ORDINAL}[.!?…\u061f]{{0,7}}"
    r"[\"')\]]{0,3}(?=[\s\0]|$)|(?<=[\u3002\uff01\uff1f])[\u3002\uff01\uff1f]*|(?<=\n)\n*)"
)
QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_OTHER_LANGUAGES = load_patterns("parsing/requests.toml") | load_patterns("parsing/reactions.toml")
_NEW_SUBJECT = (
    r"(?:i|i'\w{1,2}|my|we|he|she|they|it|it's|you|your|please|call me|always|never|answer|reply|respond)\b"
    r"|(?:what|where|when|why|how|can|could|would|do)\b(?=\s+(?:i|you|my|we|should|is|are|do|can)\b)"
    r"|(?:should|will|may|shall|am|did|does|is|are|was)\b(?=\s+(?:i|you|my|we|it|this|that|there)\b)"
)
_SAME_SUBJECT = (
    r"(?:live in|work (?:as|at|for|in)|prefer|love|hate|like|moved to|am|speak|study|don'?t|do not|can'?t|got|born in"
    r"|moved(?! in\b)|raised in|(?:now |currently )?working (?:as|at|in|for)|(?:own|drive|run) an?"
    r"|have (?:an?|no|two|three|four|five|six|\d{1,2}) (?:\w{2,12} )?(?:dog|cat|puppy|kitten|rabbit|horse|kid|child|son"
    r"|daughter|brother|sister|twin|wife|husband|partner)s?(?:ren)?)\b(?!\s+to\s+(?-i:[a-z]))"
)
_SUBORDINATE = (
    r"(?:which|who|where|that'?s|this|so|because|since|though|although|however|but|what|how|when|if|thank"
    r"(?:s| you)|right|lol|haha|let|is|are|do|does|did|will|not|there)\b"
)
# The text between two clauses. `same` or `same_too` matches if the second clause omits its subject.
_BOUNDARY = compile_any(
    r"\s{0,3}[,;]\s{0,3}(?:(?:and|but|so|also|plus|then|yet|or|because|though)\s+){0,2}"
    rf"(?=(?P<same>{_SAME_SUBJECT})|{_NEW_SUBJECT}|{_SUBORDINATE})",
    r"\s(?:and|but|so|because|though|although|while|whereas|plus|since)\s{1,3}(?:(?:also|then)\s{1,3})?"
    rf"(?=(?P<same_too>{_SAME_SUBJECT})|{_NEW_SUBJECT})",
    r"\s-{1,3}\s",
)
_LASTING_REQUEST_PREFIX = (
    r"(?:can|could|would|will) you (?:please |kindly )?(?=(?:always|never|stop|from now on|in future)\b)"
)
# A standing instruction in the form of a question ("Can you always answer in French?").
_LASTING_REQUEST = compile_any(_LASTING_REQUEST_PREFIX)
_VOCATIVES = (
    r"(?:(?:bro|bruh|dude|yaar|digga+|diggah|oye|wey|güey)"
    r"|mate(?=,|\s(?:i|i'm|im|we|what|how|can)\b)|(?:buddy|alter|bruder|che|chale|tío|hija|hijo|mira|frère|poto)(?=,))"
)
_VOCATIVE = compile_any(rf"^{_VOCATIVES},?\s+")
# Words before a clause that carry no information.
_LEAD_WORDS = compile_any(
    r"[-*•]\s+|\d{1,2}[.)]\s+",
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon))(?: there| all| everyone)?|well|so|and|but|also"
    r"|actually|oh|ok|okay|btw|by the way|fyi|finally|anyway|yes|yeah|honestly|personally"
    r"|(?:first|second|third|no)(?=[,:.!;]|\s+(?:i|i'\w{1,2}|my|we|our)\b)"
    r"|in general|generally|these days|nowadays|plus|then|in fact|to be honest|tbh|correction"
    rf"|(?:it )?turns out|(?:since|because|as|given that)(?= i'?m\b| i am\b)|{_VOCATIVES}(?=,?\s)"
    r"|just so you know|so you know|for the record|for context|i(?: have| already|'ve)? (?:said|told you"
    r"|mentioned)|(?:as|like) i (?:said|mentioned)|(?:please |kindly )?(?:note|remember|keep in mind"
    r"|don't forget|know)|you should (?:also )?know|i want you to (?:know|remember)|for (?:all "
    r"|any )?future (?:chats?|reference|conversations?|messages)|next time)(?:\s+that\b)?[,:.!]?\s+",
    _LASTING_REQUEST_PREFIX,
)
# Words before a colon after which the user still speaks for themselves ("About me: …").
_OWN_WORDS_LEAD = compile_any(
    r"\b(?:future|remember|notes?|fyi|about me|context|background|facts?|profile|know|preferences?"
    r"|introduc\w{1,8}|myself|things?|update|correction|record|reminder|info|details|btw|ps)\b"
)
_AUXILIARY = r"do|does|did|is|are|am|was|were|can|could|would|will|shall|should|may|might|have|has|(?:do|is|are|ca)n't"
WHENEVER_I = r"when(?:ever)? i (?:ask|paste|send|share|show|write|say|mention|give)\b[^,.!?\n]{0,60}"
_QUESTION = compile_any(
    rf"(?!{WHENEVER_I},)(?:(?:and|or|but|so|then|also)\s+)?(?:(?:what|where|when|who|whom|whose|which|why|how)(?:'?s"
    rf"|'re)?\b|(?:with|to|for|from|by|at|about|on|in|of)\s(?:what|which|whom|whose)(?:\s\w+){{0,2}}\s(?:{_AUXILIARY})\b"
    rf"|(?:{_AUXILIARY})\s+(?:i|you|we|it|they|he|she|my|your|there|this|that|the|any\w{{0,5}}|some\w{{0,5}}|an?)\b)"
)
# "Did the Camino last May." with a full stop, or "have a cat": a statement that omits "I".
_QUANTITY = r"(?:an?|the|my|our|some|both|all|half|no|two|three|four|\d+)\s"
# The verb of a question without its mark: "did my parcel arrive".
_ASKED_VERB = (
    r"(?:have|be|go|come|arrive|ship|leave|start|end|win|lose|die|work|say|call|get|make|take|happen|exist|pass|change"
    r"|live|know|use|eat|drink|like|mean|send|text|reply|move|close|open|sell|buy|stop|finish|run|really|actually|ever)"
)
_NO_RECOUNT = r"(?:nice|good|great|lovely|look|guess|think|read|go|try|break|rest|seat)\b"  # "have a look"
_DROPPED_SUBJECT = compile_any(
    rf"(?:did|had)\s{_QUANTITY}[^?]{{0,300}}[.!]\s*$",
    rf"(?:have|am)\s{_QUANTITY}(?!{_NO_RECOUNT})[^?]{{1,300}}$",
    r"(?:was|were)\s(?:an?(?!\slot\b)|the\s(?:only|first|last|one|\w{3,10}est))\s[^?]{1,300}$",
    rf"did\s(?:my|an?|the|some|all)\s(?![^?]{{0,80}}\b{_ASKED_VERB}\b)[^?]{{2,300}}$|do\smy\sown\s[^?]{{2,300}}$",
)
# The last clause of a sentence with a question mark, after a statement: "I have epilepsy, are strobe lights safe?".
_TRAILING_QUESTION = compile_any(
    r"(?:is|are|was|were|does|do|did|can|could|should|would|will|any|which)\s+(?!not\b|be\b|it\s*$)[\w'-]+\s+[\w'-]+"
)
_REQUEST = compile_any(
    r"(?:please|pls|kindly)\s+(?:make|do|give|prepare|draft|explain|help|check|tell|list|write|show|find|send|propose|provide"
    r"|arrange|design|compute)\b(?! (?:sure|not|me in|your|all|everything|every)\b)|settle this\b",
    r"(?:please\s+)?(?:compose|(?:complete|continue|finish) (?:the|this|that)|(?:reply|respond) to"
    r" (?:this|that|the|her|him|them))\b",
    r"(?:please\s+)?(?:(?:tell|show|give|help|remind|teach|send|text|ask|quiz|test)\s+(?:me|us|him|her|it|them)\b"
    r"|(?:improve|correct|check|edit|review|rank|rate) (?:this|that|the|these|it)\b"
    r"|(?:solve|simplify|factori[sz]e|evaluate|differentiate|refactor|debug|implement|optimi[sz]e|discuss|paraphrase"
    r"|pronounce|finish it|end it)\b|(?:list(?! of (?:my|our))|explain|describe"
    r"|forget|delete|remove|erase|let'?s|let us|write|draft|translate|summari[sz]e|find|search|compare|suggest"
    r"|recommend|calculate|compute|convert"
    r"|fix|proofread|define|name(?!['\u2019]| (?-i:[A-Z])|:)|rewrite|rephrase|sort(?! of)|plan(?!:)|create|generate"
    r"|look up|brainstorm)\b)",
    r"(?:(?:please )?(?:make|keep) (?:it|this|that) (?:\w+ ){0,3}\w+|continue|go on|keep going|try again"
    r"|(?:a (?:bit|little) |much |even )?(?:shorter|longer|simpler|clearer)"
    r"|(?:no,? )?(?:not that|the (?:other|first|second|last)) one"
    r"|(?:and )?in (?:one|two|three|a few|\d{1,2}) (?:sentences?|words?|lines?))(?: please| pls)?\W*$",
    r"(?:please\s+)?(?:do not|don'?t) (?:answer|mention|repeat|explain) (?:that|it|this)\W*$",
    r"i\s+(?:wonder|want to know|need to know|would like to know|have (?:a|another) question|need (?:some )?help)\b",
    r"i'd (?:like|love) to know\b|i'm (?:wondering|curious)\b|any (?:ideas?|tips?|advice|suggestions?)\b",
)
_EMOJI = re.compile("[\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]+")
_PLEASANTRY = compile_any(
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|thanks?|you|so much|a lot|cheers|please|okay"
    r"|ok|great|cool|sure|yes|no|perfect|bye|in advance|there|everyone)[\s,.!]{0,4}){1,6}"
)
_SELF = compile_any(r"(?:i|i'\w+|my|we|our)\b")

# The rest of the sentence is not a fact about the user: a condition, a wish, or reported speech.
NON_FACTUAL = compile_any(
    r"\b(?:if|unless|suppos(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|hypothetic\w{2,5}|assum(?:e|ing)|let'?s say"
    r"|whether|role-?play|wish|dream(?:ed|t)|claim(?:s|ed)|insist(?:s|ed)|swears?|swore|believes|heard|quote|translate"
    r"|rewrite|rephrase|paraphrase|proofread|(?:he|she|they|who) (?:say|think|believe)|yeah,? right"
    r"|(?<!\bi )(?<!already )(?<!have )(?:says?|said|tells|told|thinks|thought|wrote|writes|asks|asked))\b"
)
FROM_NOW_ON = (
    r"(?:from (?:now|here) on|going forward|in (?:the )?future|by default|in (?:all|every) (?:chats?|answers?"
    r"|repl\w{1,3})|for (?:all )?future \w{4,13}|when(?:ever)? (?:you )?(?:answer|reply|respond)\w{0,3})"
)
_TIME_CLAUSE = compile_any(rf"(?:{FROM_NOW_ON}|{WHENEVER_I})")


def plain_punctuation(text: str) -> str:
    """Replace typographic quotes and dashes by ASCII, without changing any offset."""
    return text.translate(_PLAIN)


def with_apostrophes(text: str) -> str:
    """Add the apostrophes that people leave out: "i dont", "weve". Offsets change."""
    return _CONTRACTION.sub(lambda match: "'".join(filter(None, match.groups())), text)


def sentences(text: str) -> Iterator[Span]:
    """Yield the spans of the sentences, which cover the whole text."""
    start = 0
    for end in _SENTENCE_END.finditer(text):
        yield start, end.end()
        start = end.end()
    yield start, len(text)


def clauses(text: str, sentence: Span) -> Iterator[tuple[Span, bool]]:
    """Yield the clauses of a sentence; True for a clause that shares the subject of the previous one."""
    start, stop = _skip_space(text, *sentence), sentence[1]
    shared = False
    for end in _BOUNDARY.finditer(text, start, stop):
        if _TIME_CLAUSE.fullmatch(text, start, end.start()):
            continue
        yield (start, end.start()), shared
        start, shared = end.end(), bool(end["same"] or end["same_too"])
    yield (start, stop), shared


def without_lead_words(text: str, clause: Span) -> Iterator[Span]:
    """Yield the trimmed clause, then the clause without its lead words, stripped one group at a time."""
    start, stop = clause
    while start < stop and not (text[start].isalnum() or text[start] in "-*•"):
        start += 1
    while stop > start and text[stop - 1] in " \t\r\n,;:.!?…-*_":
        stop -= 1
    yield start, stop
    colon = text.find(":", start, min(stop, start + 80))
    if colon > 0 and _OWN_WORDS_LEAD.search(text, start, colon):
        yield (start := _skip_space(text, colon + 1, stop)), stop
    for _ in range(4):
        lead = _LEAD_WORDS.match(text, start, stop)
        if not lead:
            return
        yield (start := lead.end()), stop


def strip_lead_words(text: str, clause: Span) -> Span:
    """The span of a clause without its lead words ("For future chats: …")."""
    *_, last = without_lead_words(text, clause)
    return last


def statements(text: str, sentence: Span) -> list[tuple[Span, bool]]:
    """The clauses of a sentence that come before its first question, in the form of `clauses`."""
    parts = list(clauses(text, sentence))
    if _is_recount(text, (_skip_space(text, *sentence), sentence[1])):
        return parts
    if any(_LASTING_REQUEST.match(text, *rest) for rest in without_lead_words(text, parts[0][0])):
        return parts
    are_questions = [any(_QUESTION.match(text, *rest) for rest in without_lead_words(text, span)) for span, _ in parts]
    if _ends_with_question_mark(text, sentence):
        if len(parts) > 1 and _TRAILING_QUESTION.match(text, *parts[-1][0]):
            are_questions[-1] = True
        return parts[: are_questions.index(True)] if True in are_questions else []
    return [] if are_questions[0] else parts


@cache_per_user(maxsize=1024)
def is_request(text: str, sentence: Span) -> bool | None:
    """Classify a sentence: True for a question or request, False for a statement, None without content ("Thanks!")."""
    words = text[slice(*sentence)].strip()
    if not any(map(str.isalnum, words)) or _PLEASANTRY.fullmatch(words) or is_small_talk(words):
        return None
    content = strip_lead_words(text, sentence)
    is_recount = _is_recount(text, (content[0], sentence[1]))
    is_command = _REQUEST.match(text, *content) or _OTHER_LANGUAGES["request"].match(_VOCATIVE.sub("", words))
    if (is_command and not is_recount) or is_follow_up(words):
        return True
    if any(_SELF.match(text, *strip_lead_words(text, span)) for span, _ in statements(text, sentence)):
        return False
    is_question = _QUESTION.match(text, *content) and not is_recount
    is_question = is_question or _OTHER_LANGUAGES["question"].search(plain_punctuation(words)) is not None
    return _ends_with_question_mark(text, sentence) or bool(is_question)


def _is_recount(text: str, content: Span) -> bool:
    """Check for a statement that begins like a question: "had a fall", "Where I live there is no bus"."""
    return any(one.match(text, *content) for one in (_DROPPED_SUBJECT, _OTHER_LANGUAGES["free_clause"]))


def is_riddle(message: str) -> bool:
    """Check whether a message ends as a riddle does: "What am I?"."""
    return _OTHER_LANGUAGES["riddle"].search(message) is not None


def contains_request(text: str) -> bool:
    """Check whether a sentence of a text is a question or a request."""
    return any(is_request(text, sentence) for sentence in sentences(text))


@cache_per_user(maxsize=256)
def is_small_talk(text: str) -> bool:
    """Check whether a text consists of greetings, thanks and the like, or is a reaction to an answer ("gotcha")."""
    words = plain_punctuation(_EMOJI.sub("", text)).strip()
    return any(_OTHER_LANGUAGES[name].fullmatch(words) for name in ("small_talk", "reaction"))


def is_first_person(clause: str) -> bool:
    """Check whether a clause begins with "I …", "my …", "we …" or "our …"."""
    return _SELF.match(plain_punctuation(clause)) is not None


def question_share(text: str) -> float:
    """The share of a text's characters in sentences that end with a question mark."""
    if not any(mark in text for mark in QUESTION_MARKS):
        return 0.0
    spans = list(sentences(text))
    asked = sum(stop - start for start, stop in spans if _ends_with_question_mark(text, (start, stop)))
    return asked / sum(stop - start for start, stop in spans)


def _ends_with_question_mark(text: str, sentence: Span) -> bool:
    return text[slice(*sentence)].rstrip(" \t\n\"')!").endswith(QUESTION_MARKS)


def _skip_space(text: str, start: int, stop: int) -> int:
    return stop - len(text[start:stop].lstrip())
