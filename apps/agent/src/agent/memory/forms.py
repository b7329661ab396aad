"""The forms that the rules look for: patterns and word lists, nothing that decides.

Each pattern is anchored, or its repetitions are bounded: searching a text takes time linear in its length.
"""

import re
from dataclasses import dataclass

from agent.types import Category


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


# How a message is built

SENTENCE_END = re.compile(
    r"(?:(?<!\bDr|\bMr|\bMs|\bSt|\bvs)(?<!\bMrs|\be\.g|\bi\.e)(?<!\b[A-Z])\.|[!?…]){1,8}[\"'”’)\]]{0,3}(?=\s|$)|\n"
)
_NEXT_SUBJECT = (
    r"(?:i|i['’]\w{1,2}|my|we|he|she|they|it|it['’]s|you|your|please|call me|always|never|answer|reply|respond)\b"
    r"|(?:what|where|when|why|how|can|could|would|do)\b(?=\s+(?:i|you|my|we|should|is|are|do|can)\b)"
)
_SAME_SUBJECT = (
    r"(?:live in|work (?:as|at|for|in)|prefer|love|hate|like|moved to|am|speak|study|don['’]t|do not|can['’]t)\b"
    r"(?!\s+to\b)"
)
_AFTERTHOUGHT = (
    r"(?:which|who|where|that['’]?s|this|so|because|since|though|although|however|but|what|how|when|if|thank(?:s| you)"
    r"|right|lol|haha|let|is|are|do|does|did|will|not|there)\b"
)
BOUNDARY = _any(
    r"\s{0,3}[,;–—]\s{0,3}(?:(?:and|but|so|also|plus|then|yet|or|because|though)\s+){0,2}"
    rf"(?=(?P<same>{_SAME_SUBJECT})|{_NEXT_SUBJECT}|{_AFTERTHOUGHT})",
    r"\s(?:and|but|so|because|though|although|while|whereas|plus|since)\s{1,3}(?:(?:also|then)\s{1,3})?"
    rf"(?=(?P<same_too>{_SAME_SUBJECT})|{_NEXT_SUBJECT})",
    r"\s-{1,3}\s",
)
"""Between two clauses. `same` and `same_too` hold when the second goes on with the first one's subject."""

LEAD = _any(
    r"[-*•–]\s+|\d{1,2}[.)]\s+",
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon))(?: there| all| everyone)?|well|so|and|but|also|actually|oh"
    r"|ok|okay|btw|by the way|fyi|first|second|finally|anyway|yes|yeah|no|honestly|personally|in general|generally"
    r"|these days|nowadays|plus|then|in fact|to be honest|tbh|correction|just so you know|so you know|for the record"
    r"|for context|i(?: have| already|['’]ve)? (?:said|told you|mentioned)|(?:as|like) i (?:said|mentioned)"
    r"|(?:please |kindly )?(?:note|remember|keep in mind|don['’]t forget|know)|you should (?:also )?know"
    r"|i want you to (?:know|remember)|for (?:all |any )?future (?:chats?|reference|conversations?|messages)|next time)"
    r"(?:\s+that\b)?[,:.!]?\s+",
)
"""What stands before a clause and says nothing."""

COLON_LEAD = _any(
    r"\b(?:future|remember|notes?|fyi|about me|context|background|facts?|profile|know|preferences?|introduc\w{1,8}"
    r"|myself|things?|update|correction|record|reminder|info|details|btw|ps)\b"
)
"""What may stand before a colon so that the words after it are still the user's own."""

_AUXILIARY = (
    r"do|does|did|is|are|am|was|were|can|could|would|will|shall|should|may|might|have|has|(?:do|is|are|ca)n['’]t"
)
ASKING = _any(
    r"(?:(?:and|or|but|so|then|also)\s+)?(?:(?:what|where|when|who|whom|whose|which|why|how)(?:['’]?s|['’]re)?\b"
    rf"|(?:{_AUXILIARY})\s+(?:i|you|we|it|they|he|she|my|your|there|this|that|the|any\w{{0,5}}|some\w{{0,5}})\b)"
)
REQUEST = _any(
    r"(?:please\s+)?(?:(?:tell|show|give|help|remind|teach|send)\s+(?:me|us)\b|(?:list|explain|describe|write|draft"
    r"|translate|summari[sz]e|find|search|compare|suggest|recommend|calculate|compute|convert|fix|proofread|define"
    r"|name|rewrite|rephrase|sort|plan|create|generate|look up|brainstorm)\b)",
    r"i\s+(?:wonder|want to know|need to know|would like to know|have (?:a|another) question|need (?:some )?help)\b",
    r"i['’]d (?:like|love) to know\b|i['’]m (?:wondering|curious)\b|any (?:ideas?|tips?|advice|suggestions?)\b",
)
PLEASANTRY = _any(
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|thanks?|you|so much|a lot|cheers|please|okay|ok|great"
    r"|cool|sure|yes|no|perfect|bye|in advance|there|everyone)[\s,.!]{0,4}){1,6}"
)
SELF = _any(r"(?:i|i['’]\w+|my|we|our)\b")

UNSURE = _any(
    r"\b(?:if|unless|suppos(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|hypothetic\w{2,5}|assum(?:e|ing)|let['’]?s say"
    r"|whether|role-?play|wish|dream(?:ed|t)|claim(?:s|ed)|insist(?:s|ed)|swears?|swore|believes|heard|quote"
    r"|translate|rewrite|rephrase|paraphrase|proofread|(?:he|she|they|who) (?:say|think|believe)"
    r"|(?<!\bi )(?<!already )(?<!have )(?:says?|said|tells|told|thinks|thought|wrote|writes|asks|asked))\b"
)
"""From here on a sentence does not say what is: a condition, a dream, or somebody else's words."""

PASTED = _any(
    r"\b(?:translate|rewrite|rephrase|paraphrase|correct|proofread|improve|edit|fix|summari[sz]e|shorten|write|draft"
    r"|compose|continue|complete|analy[sz]e|review|pretend|imagine|act as|role-?play)\b[^\n:]{0,80}:\s"
)
"""A task that is done on a text; what follows it is that text, and not about the user."""

FOREIGN = re.compile(
    r"```.*?```|^[ \t]{0,8}>[^\n]*|\"[^\"\n]{1,2000}\"|“[^”\n]{1,2000}”|«[^»\n]{1,2000}»"
    r"|(?<!\w)'(?:I|My)\b[^'\n]{1,300}'(?!\w)",
    re.DOTALL | re.MULTILINE,
)
"""Code, quotations and quoted mail; a short one is a name or a title, and the user's own."""

# How users speak of themselves


@dataclass(frozen=True, slots=True)
class Form:
    """A way to say something of oneself.

    `says` is the memory's text: `{o}` stands for the object, `{vs}` for the verb in the third person, and other
    names for what the pattern's groups of that name hold.
    """

    pattern: re.Pattern[str]
    says: str
    category: Category = "personal"
    confidence: float = 0.9


def _form(pattern: str, says: str, category: Category = "personal", confidence: float = 0.9) -> Form:
    return Form(_any(pattern), says, category, confidence)


_KIN = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|sons?|daughters?|child|children|kids?|baby|mother"
    r"|mom|mum|father|dad|parents|brothers?|sisters?|siblings?|grand\w{2,8}|uncle|aunt|cousins?|niece|nephew|twins?"
    r"|dogs?|cats?|pets?|horses?|parrots?|rabbits?|hamsters?|puppy|kitten)"
)
_HAVING = (
    rf"(?:{_KIN}|allerg\w{{1,4}}|asthma|diabetes|adhd|autism|dyslexia|epilepsy|migraines?|celiac|coeliac|arthritis"
    r"|insomnia|intolerance|anxiety|depression|degree|phd|licen[cs]e|house|flat|apartment|garden|car|bike|bicycle)"
)
_BEING = (
    r"(?:allergic|intolerant|lactose|gluten|vegan|vegetarian|pescatarian|diabetic|celiac|coeliac|dyslexic|autistic|deaf"
    r"|blind|colou?r-?blind|left-handed|right-handed|bilingual|married|single|divorced|widowed|engaged|retired|pregnant"
    r"|self-employed|unemployed|freelanc\w{1,3}|from|based in|living in|originally from|responsible for|fluent in"
    r"|afraid of|scared of|jewish|muslim|christian|buddhist|hindu|an? (?!bit\b|little\b|lot\b|tad\b|few\b|mess\b))"
)
_BUSY = (
    r"(?:working on|building|writing|developing|learning|studying|training for|planning|saving (?:up )?for"
    r"|organi[sz]ing|renovating|launching|designing)"
)
_DOING = (
    r"(?P<v>like|love|prefer|enjoy|hate|dislike|adore|live(?= (?:in|at|near|with|on|by|alone|outside|between|abroad)\b)"
    r"|work(?= (?:as|at|for|in|with|from|on|part|full|nights?|remotely)\b)|study|speak|play|own|drive|teach|coach"
    r"|volunteer|attend|collect|commute|practi[sc]e|use|code(?= in\b)|program(?= in\b)|eat|drink|cook"
    r"|wear(?= (?:glasses|contact|size|a|an|only)\b)|suffer(?= from\b)|believe(?= in\b)|run(?! (?:into|out)\b)"
    r"|manage|lead)"
)
_NOT_DOING = r"(?P<v>like|love|enjoy|live|work(?= (?:as|at|for|in|with)\b)|eat|drink|speak|own|use|play|drive|smoke)"
_DID = (
    r"(?:joined|founded|adopted|quit|switched (?:from|to)|started (?:a new job|working|at|my own)|bought (?:an?|my)"
    r"|got (?:married|engaged|divorced|an? (?:dog|cat|puppy|kitten|new job|promotion)))"
)
_NATION = (
    r"(?-i:[A-Z])(?:[a-z]{2,12}(?:ish|ese|ian|ean)|merican|erman|utch|reek|rench|wiss|zech|hai|elsh|exican|frican|sian"
    r"|sraeli|raqi|akistani|uban|oman)"
)
_NAME = r"(?-i:[A-Z][a-zé'’-]+(?: [A-Z][a-zé'’-]+){0,2})"
_HELPING = (
    r"(?:answer|reply|respond|explain|use|cite|include|format|summari[sz]e|translate|call me|address me|speak|talk|ask"
    r"|add|show|start|end|keep|write|convert|suggest|avoid|greet|tell me|remind me|give me"
    r"|be (?:brief|concise|short|formal|informal|friendly|polite|honest|direct|blunt|casual|precise|critical))\b"
)
_NOT_HELPING = (
    r"(?:(?:answer|reply|respond|explain|apologi[sz]e|call me|address me)\b|(?:use|include|add|give me)\b.{0,40}\b"
    r"(?:emojis?|bullets?|jargon|tables?|markdown|slang|lists?|headings?|disclaimers?|exclamation\w{0,6}|links?))"
)
_KEEPING = (
    r"(?:(?:stop|avoid) (?:using|adding|writing|giving|answering|calling me|apologi[sz]ing)\b.*"
    r"|(?:keep|make) (?:all )?(?:your |the )?(?:answers|replies|responses|explanations)\b.+)"
)
_FUTURE = (
    r"(?:from (?:now|here) on|going forward|in (?:the )?future|by default|in (?:all|every) (?:chats?|answers?|repl\w{1,3})"
    r"|for (?:all )?future \w{4,13}|when(?:ever)? (?:you )?(?:answer|reply|respond)\w{0,3})"
)
_WILL = rf"(?:{_FUTURE}[,:]? )?(?:please |kindly |i (?:want|need) you to |you (?:should|must) )?"
_AM = r"i(?:['’]?m| am) (?:also |now |currently |actually )?"
_JUST = r"i(?:['’]ve| have)? (?:just |recently )?"
_SOFT = r"(?:(?:really|also|just|absolutely|definitely|still|do|quite|now|currently|very much) ){0,2}"
_OFTEN = r"(?:(?P<often>usually|mostly|mainly|always|never|often|only|rarely|sometimes|no longer|generally) )?"
_MINE = r"(?P<who>(?:(?!(?:is|are|was|my|i|says?|said|that)\b)[\w'’&/-]{1,30} ){0,4}[\w'’&/-]{1,30})"
_KIN_DOES = r"(?:has|lives|works|plays|loves|likes|hates|studies|speaks|was born)"
_O = r" (?P<o>\S.*)"

IN_FUTURE = _any(_FUTURE)
HELP = "Wants the assistant to {o}"
HELP_NOT = "Wants the assistant not to {o}"
BELONGING = "{who} {be}{no} {o}"
WISH = "Wants {o}"
"""Lasts only when it is about answers: who wants a pizza has had it tomorrow."""

FORMS = (
    _form(rf"{_WILL}(?P<o>(?:always|never) {_HELPING}.*)", HELP, "preference"),
    _form(rf"{_FUTURE}[,:]? (?:please )?(?:you (?:should |must )?)?(?P<o>{_HELPING}.+)", HELP, "preference"),
    _form(rf"(?:please )?(?:do not|don['’]?t)(?: ever)? (?P<o>{_NOT_HELPING}.*)", HELP_NOT, "preference", 0.8),
    _form(rf"(?:please )?(?P<o>{_KEEPING})", HELP, "preference", 0.85),
    _form(rf"(?:you can |please |just )?call me(?! (?:an?|at|on|in|any|again)\b){_O}", "Wants to be called {o}"),
    _form(rf"(?:people|(?:my )?friends|every(?:one|body)|they|most people) calls? me{_O}", "Is called {o}"),
    _form(rf"i go by{_O}", "Goes by {o}"),
    _form(rf"{_AM}(?:called|named){_O}", "Is called {o}"),
    _form(r"i used to (?P<o>(?:live|work|play|be|have|own|study|smoke|run|drive|teach)\b.*)", "Used to {o}"),
    _form(rf"{_JUST}moved (?P<o>(?:back |here )?(?:to|from|in|into|out of) .+)", "Moved {o}"),
    _form(r"i was born (?P<o>(?:in|on|at) .+)", "Was born {o}"),
    _form(r"i grew up (?P<o>(?:in|on|near|with|speaking) .+)", "Grew up {o}"),
    _form(rf"{_JUST}graduated (?P<o>(?:from|in|with) .+)", "Graduated {o}"),
    _form(rf"{_JUST}(?P<o>{_DID}\b.*)", "{o}", "personal", 0.85),
    _form(rf"{_AM}(?P<o>\d{{1,3}})(?: years? old| ?y/?o)?$", "Is {o} years old"),
    _form(rf"{_AM}(?P<o>{_BUSY} .+)", "Is {o}", "project", 0.85),
    _form(rf"{_AM}not (?P<o>{_BEING}.*)", "Is not {o}"),
    _form(rf"{_AM}(?P<o>{_BEING}.*|{_NATION}$)", "Is {o}"),
    _form(rf"{_AM}(?P<o>{_NAME})$", "Name is {o}", "personal", 0.8),
    _form(rf"i(?:['’]ve got| have got| have) (?P<o>(?:[\w'’-]{{1,30}} ){{0,4}}{_HAVING}\b.*)", "Has {o}"),
    _form(rf"i (?:do not|don['’]?t) have (?P<o>(?:any |an? )?{_HAVING}\b.*)", "Does not have {o}"),
    _form(r"i (?:can['’]?t|cannot|can not) (?P<o>(?:eat|drink|stand|tolerate|drive|swim|smell)\b.*)", "Cannot {o}"),
    _form(r"i can (?P<o>(?:speak|play|drive|cook|read music) .+)", "Can {o}", "personal", 0.8),
    _form(rf"i (?:also )?(?:do not|don['’]?t) (?:really |even )?{_NOT_DOING}{_O}", "Does not {v} {o}"),
    _form(rf"i(?:(?:['’]d| would) (?:always |generally )?prefer| want){_O}", WISH, "preference", 0.8),
    _form(rf"i {_SOFT}{_OFTEN}{_SOFT}{_DOING}{_O}", "{often} {vs} {o}"),
    _form(rf"my (?P<who>(?:\w{{3,7}} )?{_KIN}) (?P<o>{_KIN_DOES} .+)", "{who} {o}", "personal", 0.85),
    _form(rf"my {_MINE} (?P<be>is|are)(?P<no> not)?{_O}", BELONGING, "personal", 0.95),
    _form(rf"my (?P<who>(?:\w{{1,12}} )?(?:name|nickname|surname|birthday|job))['’]s{_O}", "{who} is {o}"),
)
"""Tried in this order at the beginning of a clause; the first that fits counts."""

CATEGORIES: dict[str, Category] = {
    **dict.fromkeys(("like", "love", "prefer", "enjoy", "hate", "dislike", "adore"), "preference"),
    **dict.fromkeys(("use", "code", "program"), "technical"),
}
"""Of a verb; what is not here is of its form's category."""

ABOUT_ANSWERS = _any(
    r"\b(?:answers|replies|responses|explanations|bullets?|bullet points?|emojis?|(?:when|if|that) you|you to|to be answered"
    r"|step[- ]by[- ]step|code examples|examples in (?:code|python))\b"
)
VAGUE = _any(
    r"(?:(?:as|at|for|in|on|with|to|from|near|by)\s+)?(?:it|this|that|these|those|them|there|here|you|your|him|her|what|how"
    r"|when|where|why|one of|the (?:idea|way|fact|same|following)|nothing|something|everything|anything)\b",
    r"to (?:think|say|know|see|thank|point|ask|hear|apologi[sz]e|note|add)\b|(?:later|back|tomorrow|maybe|crazy)\b"
    r"|(?:an?|the) (?:question|problem|issue|point)\b",
)
"""Objects that mean nothing without the words before them."""

OWNED = _any(
    r"(?:name|nickname|surname|handle|user ?name|pronouns?|birthday|birth|age|height|job|profession|occupation|title|role"
    r"|employer|company|business|startup|boss|manager|team|work|field|major|degree|school|university|college|hometown|city"
    r"|country|home|timezone|zone|language|tongue|nationality|religion|friend|room-?mate|flat-?mate|neighbou?r|doctor"
    r"|dentist|therapist|teacher|hobby|hobbies|passion|interests?|instrument|sport|diet|allerg(?:y|ies)|size|car|bike|editor"
    r"|os|stack|project|goal|dream|plan|favou?rites?|preferred|preference|anniversary|wedding|email|website|blog|sign|type"
    rf"|{_KIN})(?:['’]s)?"
)
"""What of a user's own stays as it is for long."""

PASSING = _any(
    r"(?:question|point|problem|issue|concern|guess|idea|thought|understanding|answer|code|query|error|request|task|homework"
    r"|assignment|opinion|view|argument|output|result|input|function|script|program|file|test|data|bad|fault|mistake|turn"
    r"|message|essay|text|passwords?|passphrase|pin|heart|head|back|stomach|god)"
)
"""What of a user's own is about the moment."""

STATE = re.compile(
    r"(?:(?:a bit|very|so|too|really|quite|still|now|always|currently|not)\s+)*(?:broken|down|slow|sick|ill|dead|late|here"
    r"|there|empty|full|ready|done|wrong|stuck|gone|missing|fine|ok|okay|good|bad|great|tired|to be|unclear|due|up|off|out"
    r"|over|away|asleep|angry|upset|sad|happy|mad|annoying|terrible|awful|hard|easy|mine|what|why|how|because|busy|unwell"
    r"|(?:killing|driving|making|getting|going|being|having|hurting|coming|running|acting|trying|looking|asking)(?= \w))\b"
)
"""How something is for the moment."""

DEFINITE = re.compile(r"(?:an?|the|called|named)\s|[A-Z0-9]")
NESTED = _any(r"\bto \w+|\b(?:who|that|which|people)\b")
"""An object with a verb of its own: what follows may go on with that one."""

FILLER = _any(
    r"(?:[\s,]+(?:now|btw|by the way|though|too|as well|actually|lol|haha|thanks?|thank you|please|okay|ok|right now"
    r"|at the moment|if that (?:helps|matters)|fyi|for your information))+$"
)
