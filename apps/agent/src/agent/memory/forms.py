"""The forms that the rules look for: patterns and word lists, nothing that decides.

Each pattern is anchored, or its repetitions are bounded: searching a text takes time linear in its length.
"""

import re
from dataclasses import dataclass

from agent.types import Category


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


# How a message is built

SENTENCE_END = re.compile(
    r"(?:(?<!\bDr|\bMr|\bMs|\bSt|\bvs)(?<!\bMrs|\be\.g|\bi\.e)(?<!\b[A-Z])\.|[!?…]){1,8}[\"'”’)\]]{0,3}(?=\s|$)"
    r"|\n"
)

_NEXT_SUBJECT = (
    r"(?:i|i['’]\w{1,2}|my|we|he|she|they|it|it['’]s|you|your|please|call me|always|never|from now on)\b"
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
BOUNDARY = _compile(
    r"\s{0,3}[,;–—]\s{0,3}(?:(?:and|but|so|also|plus|then|yet|or|because|though)\s+){0,2}"
    rf"(?=(?P<same>{_SAME_SUBJECT})|{_NEXT_SUBJECT}|{_AFTERTHOUGHT})",
    r"\s(?:and|but|so|because|though|although|while|whereas|plus|since)\s+(?:(?:also|then)\s+)?"
    rf"(?=(?P<same_too>{_SAME_SUBJECT})|{_NEXT_SUBJECT})",
    r"\s-{1,3}\s",
)
"""Between two clauses. `same` and `same_too` hold when the second goes on with the first one's subject."""

LEAD = _compile(
    r"[-*•–]\s+|\d{1,2}[.)]\s+",
    r"(?:hi|hello|hey|good (?:morning|evening|afternoon))(?: there| all| everyone)?[,!.]?\s+",
    r"(?:well|so|and|but|also|actually|oh|ok|okay|btw|by the way|fyi|first|second|finally|anyway|yes|yeah|no|honestly"
    r"|personally|in general|generally|these days|nowadays|because|as|plus|then|in fact|to be honest|tbh|correction"
    r"|just so you know|so you know|for (?:the record|context)|i(?: have| already|['’]ve)? (?:said|told you|mentioned)"
    r"|(?:as|like) i (?:said|mentioned)|(?:please |kindly )?(?:note|remember|keep in mind|don['’]t forget|know)"
    r"|you should (?:also )?know|i want you to (?:know|remember)"
    r"|for (?:(?:all |any )?future (?:chats?|reference|conversations?|messages)|next time))"
    r"(?:\s+that\b)?[,:]?\s+",
)
"""What stands before a clause and says nothing."""

COLON_LEAD = _compile(
    r"\b(?:future|remember|notes?|fyi|about me|context|background|facts?|profile|know|preferences?|introduc\w{1,8}"
    r"|myself|things?|update|correction|record|reminder|info|details|btw|ps)\b"
)
"""What may stand before a colon so that the words after it are still the user's own."""

ASKING = _compile(
    r"(?:(?:and|or|but|so|then|also)\s+)?(?:(?:what|where|when|who|whom|whose|which|why|how)(?:['’]?s|['’]re)?\b"
    r"|(?:do|does|did|is|are|am|was|were|can|could|would|will|shall|should|may|might|have|has|don['’]t|isn['’]t"
    r"|aren['’]t|can['’]t)\s+(?:i|you|we|it|they|he|she|my|your|there|this|that|the|any\w{0,5}|some\w{0,5})\b)"
)
REQUEST = _compile(
    r"(?:please\s+)?(?:(?:tell|show|give|help|remind|teach|send)\s+(?:me|us)\b|(?:list|explain|describe|write|draft"
    r"|translate|summari[sz]e|find|search|compare|suggest|recommend|calculate|compute|convert|fix|proofread|define"
    r"|name|rewrite|rephrase|sort|plan|create|generate|look up|brainstorm)\b)",
    r"i\s+(?:wonder|want to know|need to know|would like to know|have (?:a|another) question|need (?:some )?help)\b",
    r"i['’]d (?:like|love) to know\b|i['’]m (?:wondering|curious)\b|any (?:ideas?|tips?|advice|suggestions?)\b",
)
PLEASANTRY = _compile(
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|thanks?|you|so much|a lot|cheers|please|okay|ok|great"
    r"|cool|sure|yes|no|perfect|bye|in advance|there|everyone)[\s,.!]{0,4}){1,6}"
)
SELF = _compile(r"(?:i|i['’]\w+|my|we|our)\b")

UNSURE = _compile(
    r"\b(?:if|unless|suppos(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|hypothetic\w{2,5}|assum(?:e|ing)|let['’]?s say"
    r"|whether|role-?play|wish|dream(?:ed|t)|claim(?:s|ed)|insist(?:s|ed)|swears?|swore|believes|heard|quote"
    r"|translate|rewrite|rephrase|paraphrase|proofread|(?:he|she|they|who) (?:say|think|believe)"
    r"|(?<!\bi )(?<!already )(?<!have )(?:says?|said|tells|told|thinks|thought|wrote|writes|asks|asked))\b"
)
"""From here on a sentence does not say what is: a condition, a dream, or somebody else's words."""

PASTED = _compile(
    r"\b(?:translate|rewrite|rephrase|paraphrase|correct|proofread|improve|edit|fix|summari[sz]e|shorten|write|draft"
    r"|compose|continue|complete|analy[sz]e|review|pretend|imagine|act as|role-?play)\b[^\n:]{0,80}:\s"
)
"""A task that is done on a text; what follows it is that text, and not about the user."""

FOREIGN = re.compile(
    r"```.*?```|^[ \t]{0,8}>[^\n]*|\"[^\"\n]{1,2000}\"|“[^”\n]{1,2000}”|«[^»\n]{1,2000}»|(?<!\w)'(?:I|My)\b[^'\n]{1,300}'(?!\w)",
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
    return Form(_compile(pattern), says, category, confidence)


_KIN = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|sons?|daughters?|child|children|kids?|baby|mother"
    r"|mom|mum|father|dad|parents|brothers?|sisters?|siblings?|grand\w{2,8}|uncle|aunt|cousins?|niece|nephew|twins?"
    r"|dogs?|cats?|pets?|horses?|parrots?|rabbits?|hamsters?|puppy|kitten)"
)
_HAVING = (
    rf"(?:{_KIN}|allerg\w{{1,4}}|asthma|diabetes|adhd|autism|dyslexia|epilepsy|migraines?|celiac|coeliac|arthritis"
    r"|insomnia|intolerance|anxiety|depression|degree|phd|driving licen[cs]e|house|flat|apartment|garden|car|bike"
    r"|bicycle)"
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
_NOT_DOING = (
    r"(?P<v>like|love|prefer|enjoy|live|work(?= (?:as|at|for|in|with|from)\b)|eat|drink|speak|own|use|play|drive|smoke)"
)
_HELPING = (
    r"(?:answer|reply|respond|explain|use|cite|include|format|summari[sz]e|translate|call me|address me|speak|talk|ask"
    r"|add|show|start|end|keep|write|convert|suggest|avoid|greet|tell me|remind me|give me"
    r"|be (?:brief|concise|short|formal|informal|friendly|polite|honest|direct|blunt|casual|precise|critical))\b"
)
_NOT_HELPING = (
    r"(?:(?:answer|reply|respond|explain|apologi[sz]e|call me|address me)\b"
    r"|(?:use|include|add|give me)\b.{0,40}\b(?:emojis?|bullets?|jargon|tables?|markdown|slang|lists?|headings?"
    r"|disclaimers?|exclamation\w{0,6}|links?))"
)
_IN_FUTURE = (
    r"(?:from (?:now|here) on|going forward|in (?:the )?future|by default|in (?:all|every) (?:chats?|answers?|repl\w{1,3})"
    r"|for (?:all )?future (?:chats|conversations|answers|replies)|when(?:ever)? (?:you )?(?:answer|reply|respond)\w{0,3})"
)
_AM = r"i(?:['’]?m| am) (?:also |now |currently |actually )?"
_SOFT = r"(?:(?:really|also|just|absolutely|definitely|still|do|quite|now|currently|very much) ){0,2}"
_OFTEN = r"(?:(?P<often>usually|mostly|mainly|always|never|often|only|rarely|sometimes|no longer|generally) )?"
_JUST = r"i(?:['’]ve| have)? (?:just |recently )?"
_O = r" (?P<o>\S.*)"

FORMS = (
    _form(rf"(?:you (?:can|may) |please |just )?call me{_O}", "Wants to be called {o}"),
    _form(rf"(?:people|(?:my )?friends|every(?:one|body)|they|most people) calls? me{_O}", "Is called {o}"),
    _form(rf"i go by{_O}", "Goes by {o}"),
    _form(rf"{_AM}(?:called|named){_O}", "Is called {o}"),
    _form(r"i used to (?P<o>(?:live|work|play|be|have|own|study|smoke|run|drive|teach)\b.*)", "Used to {o}"),
    _form(rf"{_JUST}moved (?P<o>(?:back |here )?(?:to|from|in|into|out of) .+)", "Moved {o}", "personal", 0.95),
    _form(r"i was born (?P<o>(?:in|on|at) .+)", "Was born {o}"),
    _form(r"i grew up (?P<o>(?:in|on|near|with|speaking) .+)", "Grew up {o}"),
    _form(rf"{_JUST}graduated (?P<o>(?:from|in|with) .+)", "Graduated {o}"),
    _form(rf"{_AM}(?P<o>\d{{1,3}}(?: years? old| ?y/?o)?)$", "Is {o}"),
    _form(rf"{_AM}(?P<o>{_BUSY} .+)", "Is {o}", "project", 0.85),
    _form(rf"{_AM}not (?P<o>{_BEING}.*)", "Is not {o}"),
    _form(rf"{_AM}(?P<o>{_BEING}.*)", "Is {o}"),
    _form(rf"i(?:['’]ve got| have got| have) (?P<o>(?:[\w'’-]{{1,30}} ){{0,4}}{_HAVING}\b.*)", "Has {o}"),
    _form(rf"i (?:do not|don['’]?t) have (?P<o>(?:any |an? )?{_HAVING}\b.*)", "Does not have {o}"),
    _form(r"i (?:can['’]?t|cannot|can not) (?P<o>(?:eat|drink|stand|tolerate|drive|swim|smell)\b.*)", "Cannot {o}"),
    _form(r"i can (?P<o>(?:speak|play|drive|cook|read music) .+)", "Can {o}", "personal", 0.8),
    _form(rf"i (?:also |really )?(?:do not|don['’]?t) (?:really |even )?{_NOT_DOING}{_O}", "Does not {v} {o}"),
    _form(rf"i(?:['’]d| would) (?:always |generally )?prefer{_O}", "Prefers {o}", "preference", 0.8),
    _form(rf"i want{_O}", "Wants {o}", "preference", 0.8),
    _form(rf"i {_SOFT}{_OFTEN}{_SOFT}{_DOING}{_O}", "{often} {vs} {o}"),
    _form(
        rf"my (?P<who>(?:older |younger |little |big |ex-)?{_KIN})"
        r" (?P<o>(?:has|lives|works|plays|loves|likes|hates|studies|speaks|was born) .+)",
        "{who} {o}",
        "personal",
        0.85,
    ),
    _form(
        r"my (?P<who>(?:(?!(?:is|are|was|my|i|says?|said|that)\b)[\w'’&/-]{1,30} ){0,4}[\w'’&/-]{1,30})"
        rf" (?P<be>is|are)(?P<no> not)?{_O}",
        "{who} {be}{no} {o}",
        "personal",
        0.95,
    ),
    _form(rf"my (?P<who>(?:\w{{1,12}} )?(?:name|nickname|surname|birthday|job))['’]s{_O}", "{who} is {o}"),
    _form(
        rf"(?:(?:{_IN_FUTURE})[,:]? )?(?:please |kindly |i (?:want|need) you to |you (?:should|must) )?"
        rf"(?P<o>(?:always|never) {_HELPING}.*)",
        "Wants the assistant to {o}",
        "preference",
    ),
    _form(
        rf"{_IN_FUTURE}[,:]? (?:please )?(?:you (?:should |must )?)?(?P<o>{_HELPING}.+)",
        "Wants the assistant to {o}",
        "preference",
    ),
    _form(
        rf"(?:please )?(?:do not|don['’]?t)(?: ever)? (?P<o>{_NOT_HELPING}.*)",
        "Wants the assistant not to {o}",
        "preference",
        0.8,
    ),
    _form(
        r"(?:please )?(?P<o>(?:stop|avoid) (?:using|adding|writing|giving|answering|calling me|apologi[sz]ing)\b.*"
        r"|(?:keep|make) (?:all )?(?:your |the )?(?:answers|replies|responses|explanations)\b.+)",
        "Wants the assistant to {o}",
        "preference",
        0.85,
    ),
)
"""Tried in this order at the beginning of a clause; the first that fits counts."""

CATEGORIES: dict[str, Category] = {
    **dict.fromkeys(("like", "love", "prefer", "enjoy", "hate", "dislike", "adore"), "preference"),
    **dict.fromkeys(("use", "code", "program"), "technical"),
}
"""Of a verb; what is not here is of its form's category."""

ABOUT_ANSWERS = _compile(
    r"\b(?:answers|replies|responses|explanations|bullets?|bullet points?|emojis?|when you|if you|you to|step[- ]by[- ]step"
    r"|code examples|examples in (?:code|python)|to be answered|to be addressed)\b"
)
VAGUE = _compile(
    r"(?:(?:as|at|for|in|on|with|to|from|near|by)\s+)?(?:it|this|that|these|those|them|there|here|you|your|him|her|what"
    r"|how|when|where|why|one of|the (?:idea|way|fact|same|following)|nothing|something|everything|anything)\b",
    r"to (?:think|say|know|see|thank|point|ask|hear|apologi[sz]e|note|add)\b|later\b|back\b|tomorrow\b|maybe\b|crazy\b"
    r"|(?:an?|the) (?:question|problem|issue|point)\b",
)
"""Objects that mean nothing without the words before them."""

OWNED = _compile(
    rf"(?:name|nickname|surname|handle|user ?name|pronouns?|birthday|birth|age|height|job|profession|occupation|title|role"
    r"|employer|company|business|startup|boss|manager|team|work|field|major|degree|school|university|college|hometown|city"
    r"|country|home|timezone|zone|language|tongue|nationality|religion|friend|room-?mate|flat-?mate|neighbou?r|doctor"
    r"|dentist|therapist|teacher|hobby|hobbies|passion|interests?|instrument|sport|diet|allerg(?:y|ies)|size|car|bike"
    r"|editor|os|stack|project|goal|dream|plan|favou?rites?|preferred|preference|anniversary|wedding|email|website|blog|sign"
    rf"|type|{_KIN})"
)
"""What of a user's own stays as it is for long."""

PASSING = _compile(
    r"(?:question|point|problem|issue|concern|guess|idea|thought|understanding|answer|code|query|error|request|task|homework"
    r"|assignment|opinion|view|argument|output|result|input|function|script|program|file|test|data|bad|fault|mistake|turn"
    r"|message|essay|text|password|passwords|passphrase|pin|heart|head|back|stomach|god)"
)
"""What of a user's own is about the moment."""

STATE = re.compile(
    r"(?:(?:a bit|very|so|too|really|quite|still|now|always|currently|not)\s+)*(?:broken|down|slow|sick|ill|dead|late|here"
    r"|there|empty|full|ready|done|wrong|stuck|gone|missing|fine|ok|okay|good|bad|great|tired|to be|unclear|due|up|off|out|over"
    r"|away|asleep|angry|upset|sad|happy|mad|annoying|terrible|awful|hard|easy|mine|what|why|how|because|busy|unwell"
    r"|killing|driving|making|getting|going|being|having|hurting|coming|running|acting|trying|looking|asking)\b"
)
"""How something is for the moment."""

FILLER = _compile(
    r"(?:[\s,]+(?:now|btw|by the way|though|too|as well|actually|lol|haha|thanks?|thank you|please|okay|ok|right now"
    r"|at the moment|if that (?:helps|matters)|fyi|for your information))+$"
)
