"""Patterns of statements in which users describe themselves, and the word lists that qualify them."""

import re
from dataclasses import dataclass

from agent.language.parsing import FROM_NOW_ON, WHENEVER_I, compile_any
from agent.types import Category

# Building blocks of the patterns; `(?-i:…)` requires a capital.
_RELATIVES = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|sons?|daughters?|child|children|kids?"
    r"|baby|mother|mom|mum|father|dad|parents|brothers?|sisters?|siblings?|grand\w{2,8}|uncle|aunt|cousins?"
    r"|niece|nephew|twins?|dogs?|cats?|pets?|horses?|parrots?|rabbits?|hamsters?|puppy|kitten)"
)
_POSSESSIONS = (
    rf"(?:{_RELATIVES}|all?erg\w{{1,4}}|asthma|diabetes|adhd|autism|dyslexia|epilepsy|migraines?|celiac|coeliac"
    r"|arthritis|insomnia|intolerance|anxiety|depression|degree|phd|licen[cs]e|house|flat|apartment|garden|car|bike"
    r"|bicycle)"
)
_STATES = (
    r"(?:all?ergic|intolerant|lactose|gluten|vegan|vegetarian|pescatarian|diabetic|celiac|coeliac|dyslexic|autistic"
    r"|deaf|blind|colou?r[ -]?blind|(?:left|right)[ -]handed|hard of hearing|bilingual|married|single|divorced|widowed"
    r"|engaged|retired|pregnant|self-employed|unemployed|freelanc\w{1,3}|from|based in|living in|originally from"
    r"|responsible for|fluent in|afraid of|scared of|on (?:an? (?:[\w-]{1,20} ){1,3}diet|insulin|medication)|jewish"
    r"|muslim|christian|catholic|protestant|buddhist|hindu|sikh|atheist|agnostic"
    r"|an? (?!bit\b|little\b|lot\b|tad\b|few\b|mess\b))"
)
_ACTIVITIES = (
    r"(?:working on|building|writing|developing|learning|studying|training for|planning|preparing for"
    r"|saving (?:up )?for"
    r"|organi[sz]ing|renovating|restoring|launching|designing|migrating|raising|looking after|expecting(?= .{0,30}\b"
    r"(?:child|baby|twins|son|daughter)\b)|trying to(?= (?:eat|drink|lose|quit|learn|cut|stop|save|sleep|get fit)\b))"
)
_HABIT_VERBS = (
    r"(?P<v>like|love|prefer|enjoy|hate|dislike|adore|live(?= (?:in|at|near|with|on|by|alone|outside|between"
    r"|abroad)\b)|work(?= (?:as|at|for|in|with|from|on|part|full|nights?|remotely)\b)|study|speak|play|own|drive|teach"
    r"|coach|volunteer|attend|collect|commute|practi[sc]e|use|code(?= in\b)|program(?= in\b)|eat|drink|cook"
    r"|wear(?= (?:glasses|contact|size|a|an|only)\b)|suffer(?= from\b)|believe(?= in\b)|run(?! (?:into|out)\b)|manage"
    r"|lead|maintain|deploy|listen(?= to\b)|look(?= after\b)|take(?= care of\b)|grow|breed|raise"
    r"|keep(?= (?:bees|chickens|hens|goats|sheep|horses)\b)|sell|sing|paint|swim|read(?= (?:mostly|mainly|a lot)\b))"
)
_NEGATABLE_VERBS = (
    r"(?P<v>like|love|enjoy|live|work(?= (?:as|at|for|in|with)\b)|eat|drink|speak|own|use|play|drive|smoke)"
)
_LIFE_EVENTS = (
    r"(?:joined|founded|adopted|quit|switched (?:from|to)|retired from|turned \d{1,3}"
    r"|started (?:a new job|working|at|my own|learning|playing|studying|teaching)"
    r"|passed (?:my|the) (?:.{1,30} )?(?:exam|test)|(?:was|got) diagnosed with|broke my|bought (?:an?|my|our)"
    r"|sold (?:my|our)|got (?:married|engaged|divorced|an? (?:dog|cat|puppy|kitten|new job|promotion)))"
)
_NATIONALITY = (
    r"(?-i:[A-Z])(?:[a-z]{2,12}(?:ish|ese|ian|ean)|merican|erman|utch|reek|rench|wiss|zech|hai|elsh|exican"
    r"|frican|sian|sraeli|raqi|akistani|uban|oman)"
)
_NAME = r"(?-i:[A-Z][a-zé'-]+(?: [A-Z][a-zé'-]+){0,2})"
_ASSIST_VERBS = (
    r"(?:answer|reply|respond|explain|use|cite|include|format|summari[sz]e|translate|call me|address me|speak"
    r"|talk|ask|add|show|start|end|keep|write|convert|suggest|avoid|greet|tell me|remind me|give me|double-?check"
    r"|check|round|spell|quote|skip|assume|be "
    r"(?:brief|concise|short|formal|informal|friendly|polite|honest|direct|blunt|casual|precise|critical))\b"
)
_UNWANTED_STYLES = (
    r"(?:(?:answer|reply|respond|explain|apologi[sz]e|call me|address me|sugar-?coat|lecture|patroni[sz]e|flatter"
    r"|ramble)\b|(?:use|include|add|give me)\b.{0,40}\b(?:emojis?|bullets?|jargon|tables?|markdown|slang|lists?"
    r"|headings?|disclaimers?|exclamation\w{0,6}|links?))"
)
_STYLE_REQUESTS = (
    r"(?:(?:stop|avoid) (?:using|adding|writing|giving|answering|calling me|apologi[sz]ing|ending|starting|asking"
    r"|repeating|saying|calling)\b.*"
    r"|(?:keep|make) (?:all )?(?:your |the )?(?:answers|replies|responses|explanations)\b.+)"
)
_INSTRUCTION_START = (
    r"(?:no|just|only|always|never|do not|don'?t|show|give|answer|reply|respond|explain|use|include|start|add)\b"
)
_PLEASE = r"(?:please|pls|plz|kindly)"
_REQUEST_PREFIX = (
    rf"(?:{FROM_NOW_ON}[,:]? )?(?:{_PLEASE} |i (?:want|need|would like) you to |i'd like you to |you (?:should|must) )?"
)
_I_AM = r"i(?:'?m| am) (?:also |now |currently |actually )?"
_WE_ARE = r"(?:i(?:'?m| am)|we(?:'?re| are)) (?:also |now |currently |actually )?"
_I_JUST = r"(?:i|we)(?:'?ve| have)? (?:just |recently )?"
_ADVERBS = r"(?:(?:really|also|just|absolutely|definitely|still|do|quite|now|currently|very much) ){0,2}"
_FREQUENCY = r"(?:(?P<often>usually|mostly|mainly|always|never|often|only|rarely|sometimes|no longer|generally) )?"
_OWNED = r"(?P<who>(?:(?!(?:is|are|was|my|i|says?|said|that)\b)[\w'&/-]{1,30} ){0,4}[\w'&/-]{1,30})"
_RELATIVE_VERBS = (
    r"(?:has|lives|works|plays|loves|likes|hates|studies|speaks|teaches|runs|owns|drives|eats|was born|moved to"
    r"|(?:doesn'?t|does not|can'?t|cannot) (?:have|live|work|play|like|speak|eat|drink|drive|hear|see|walk|read))\b"
)
_ATTRIBUTES = r"(?:name|deadline|due date|birthday|age|colou?r|make|model|address|size|title|topic|subject)"
_INABILITIES = r"(?:doesn'?t|does not|can'?t|cannot) (?:drive|drink|smoke|swim|walk|see|hear|speak|read)$"
_COMPANY = r"(?:startup|company|business|shop|team|lab|band|employer|firm|studio)"
_COMPANY_VERBS = r"(?:makes|builds|sells|uses|develops|runs on|employs|has|is based in)\b"
_HABIT_ADVERBS = r"(?P<often>usually|mostly|mainly|always|never|only|rarely|seldom|hardly ever|generally)"
_NON_HABIT_VERBS = (
    r"(?:ask|ate|be|been|came|did|do|fail|feel|felt|forget|found|gave|get|got|had|have|hear|heard|just|knew|know|lost"
    r"|made|mean|met|need|read|said|saw|see|seem|sent|tell|think|thought|told|took|tried|try|understand|understood|want"
    r"|was|went|wonder|wrote)\b"
)
_CHOICES = r"(?:option|version|answer|variant|choice|suggestion)\b"
_ROLES = (
    r"(?:vegetarian|vegan|pescatarian|diabetic|parent|mother|father|mum|mom|dad|student|teacher|nurse|doctor|lawyer"
    r"|engineer|developer|programmer|designer|musician|writer|farmer|beginner|freelancer|manager|scientist|researcher)"
)
_OBJECT = r" (?P<o>\S.*)"


@dataclass(frozen=True, slots=True)
class FactPattern:
    """A pattern of a clause, and the template of the memory that it produces.

    In `template`, `{o}` is the object, `{vs}` the verb in the third person, and any other name the group of that name.
    """

    pattern: re.Pattern[str]
    template: str
    category: Category
    confidence: float

    @property
    def is_procedural(self) -> bool:
        """Whether the memory is an instruction for the assistant."""
        return self.template in (INSTRUCTION, PROHIBITION, CONDITIONAL)


INSTRUCTION = "Wants the assistant to {o}"
PROHIBITION = "Wants the assistant not to {o}"
CONDITIONAL = "Wants of the assistant: {o}"
POSSESSIVE = "{who} {be}{no} {o}"
# The contracted form: "my car's a Volvo".
CONTRACTED = "{who} is {o}"
# A fact only if it is about answers; other wishes ("I want a pizza") are short-lived.
WISH = "Wants {o}"


def _rule(pattern: str, template: str, confidence: float = 0.9, category: Category = "personal") -> FactPattern:
    return FactPattern(compile_any(pattern), template, category, confidence)


def _instruction(pattern: str, template: str = INSTRUCTION, confidence: float = 0.9) -> FactPattern:
    return _rule(pattern, template, confidence, "preference")


# Matched against the beginning of a clause in this order; the first match wins.
PATTERNS = (
    _instruction(rf"{_REQUEST_PREFIX}(?P<o>(?:always|never) {_ASSIST_VERBS}.*)"),
    _instruction(rf"{FROM_NOW_ON}[,:]? (?:please )?(?:you (?:should |must )?)?(?P<o>{_ASSIST_VERBS}.+)"),
    _instruction(rf"{_REQUEST_PREFIX}(?P<o>{_ASSIST_VERBS}.{{1,120}}?) {FROM_NOW_ON}$"),
    _instruction(rf"(?:{_PLEASE} )?(?:do not|don'?t)(?: ever)? (?P<o>{_UNWANTED_STYLES}.*)", PROHIBITION, 0.8),
    _instruction(rf"(?:{_PLEASE} )?(?P<o>{_STYLE_REQUESTS})", confidence=0.85),
    _instruction(rf"(?:{_PLEASE} )?(?P<o>(?:speak|talk) to me (?:like|as|in) .+|treat me (?:like|as) .+)"),
    _instruction(rf"(?P<o>{WHENEVER_I}, (?:{_PLEASE} )?{_INSTRUCTION_START}.+)", CONDITIONAL, 0.85),
    _rule(
        rf"(?:you can |{_PLEASE} |just )?call me(?! (?:an?|at|on|in|any|again)\b){_OBJECT}", "Wants to be called {o}"
    ),
    _rule(rf"(?:people|(?:my )?friends|every(?:one|body)|they|most people) calls? me{_OBJECT}", "Is called {o}"),
    _rule(rf"i go by{_OBJECT}", "Goes by {o}"),
    _rule(rf"{_I_AM}(?:called|named){_OBJECT}", "Is called {o}"),
    _rule(r"i used to (?P<o>(?:live|work|play|be|have|own|study|smoke|run|drive|teach)\b.*)", "Used to {o}"),
    _rule(rf"{_I_JUST}moved (?P<o>(?:back |here )?(?:to|from|in|into|out of) .+)", "Moved {o}"),
    _rule(r"i was born (?P<o>(?:in|on|at) .+)", "Was born {o}"),
    _rule(r"i grew up (?P<o>(?:in|on|near|with|speaking) .+)", "Grew up {o}"),
    _rule(rf"{_I_JUST}graduated (?P<o>(?:from|in|with) .+)", "Graduated {o}"),
    _rule(rf"{_I_JUST}(?P<o>{_LIFE_EVENTS}\b.*)", "{o}", 0.85),
    _rule(rf"{_I_AM}(?P<o>\d{{1,3}})(?: years? old| ?y/?o)?$", "Is {o} years old"),
    _rule(rf"{_WE_ARE}(?P<o>{_ACTIVITIES} .+)", "Is {o}", 0.85, "project"),
    _rule(rf"{_I_JUST}been (?P<o>{_ACTIVITIES} .+)", "Has been {o}", 0.85, "project"),
    _rule(
        rf"{_I_JUST}been (?P<o>(?:{_STATES}|living |working (?:as|at|for|in) |playing |teaching |in (?-i:[A-Z])).*)",
        "Has been {o}",
    ),
    _rule(rf"{_I_AM}(?P<no>not|no longer) (?P<o>{_STATES}.*)", "Is {no} {o}"),
    _rule(rf"{_I_AM}(?P<o>{_STATES}.*|{_NATIONALITY}$)", "Is {o}"),
    _rule(
        rf"{_I_AM}(?!{_NATIONALITY}\b)(?P<o>{_NAME}(?: from (?-i:[A-Z])[^,]{{1,40}})?)(?:, .+)?$", "Name is {o}", 0.8
    ),
    _rule(rf"as (?P<o>an? (?:[\w-]{{1,20}} ){{0,2}}{_ROLES}(?: (?:in|at|from|with|of) .+)?)$", "Is {o}", 0.85),
    _rule(rf"(?:i|we)(?:'?ve(?: got)?| have(?: got)?) (?P<o>(?:[\w'-]{{1,30}} ){{0,4}}{_POSSESSIONS}\b.*)", "Has {o}"),
    _rule(rf"i (?:do not|don'?t) have (?P<o>(?:any |an? )?{_POSSESSIONS}\b.*)", "Does not have {o}"),
    _rule(r"i (?:can'?t|cannot|can not) (?P<o>(?:eat|drink|stand|tolerate|drive|swim|smell)\b.*)", "Cannot {o}"),
    _rule(r"i can (?P<o>(?:speak|play|drive|cook|read music) .+)", "Can {o}", 0.8),
    _rule(rf"i (?:also )?(?:do not|don'?t) (?:really |even )?{_NEGATABLE_VERBS}{_OBJECT}", "Does not {v} {o}"),
    _rule(rf"i(?:(?:'d| would) (?:always |generally )?prefer| want){_OBJECT}", WISH, 0.8, "preference"),
    _rule(rf"(?:i|we) {_ADVERBS}{_FREQUENCY}{_ADVERBS}{_HABIT_VERBS}{_OBJECT}", "{often} {vs} {o}"),
    _rule(
        rf"i {_HABIT_ADVERBS} (?!{_NON_HABIT_VERBS})(?P<v>[a-z]{{2,20}}){_OBJECT}",
        "{often} {vs} {o}",
        0.8,
        "preference",
    ),
    _rule(
        rf"(?:my|our) (?P<who>(?:\w{{3,7}} )?{_RELATIVES}) (?P<o>{_RELATIVE_VERBS} .+|{_INABILITIES})",
        "{who} {o}",
        0.85,
    ),
    _rule(rf"(?:my|our) (?P<who>(?:\w{{1,12}} )?{_COMPANY}) (?P<o>{_COMPANY_VERBS} .+)", "{who} {o}", 0.85, "project"),
    _rule(rf"the (?P<what>{_ATTRIBUTES}) of (?:my|our) {_OWNED} is{_OBJECT}", "{who}'s {what} is {o}"),
    _rule(rf"(?:my|our) {_OWNED} (?P<be>is|are)(?P<no> not)?{_OBJECT}", POSSESSIVE, 0.95),
    _rule(rf"my (?P<who>(?:\w{{1,12}} )?(?:name|nickname|surname|birthday|job))'s{_OBJECT}", CONTRACTED),
    _rule(rf"(?:my|our) {_OWNED}'s (?P<o>(?:an?|the|called|named) .+|(?-i:[A-Z0-9]).*)", CONTRACTED),
    _rule(r"(?:i )?(?P<o>(?:moved to|born in|raised in|based in|originally from) (?-i:[A-Z]).*)", "{o}", 0.8),
    _rule(r"i (?:now |currently )?(?P<o>working (?:as|at|in|for) .+)", "Is {o}", 0.85),
    _rule(r"(?P<o>(?:mother|mum|mom|father|dad|parent) of (?:an?|two|three|four|five|twins|\d).*)", "Is {o}", 0.8),
)
# The category of a memory by its verb; other verbs have the category of their pattern.
VERB_CATEGORIES: dict[str, Category] = {
    **dict.fromkeys(("like", "love", "prefer", "enjoy", "hate", "dislike", "adore"), "preference"),
    **dict.fromkeys(("use", "code", "program"), "technical"),
}
ANSWER_STYLE = compile_any(
    r"\b(?:answers|replies|responses|explanations|bullets?|bullet points?|emojis?|to be (?:answered"
    r"|addressed)|step[- ]by[- ]step|code examples|(?:(?:when|if|that|how) you|you to) (?:answer|reply"
    r"|respond|explain|write|use|keep|give|call|speak|ask))\b"
)
# Objects that mean nothing outside their conversation.
VAGUE_OBJECTS = compile_any(
    r"(?:(?:as|at|for|in|on|with|to|from|near|by)\s+)?(?:it|this|that|these|those|them|there|here|you|your"
    r"|him|her|what|how|when|where|why|one of|the (?:idea|way|fact|same|following)|nothing|something"
    r"|everything|anything|the (?:first|second|third|last|other|latter|former|next|previous))\b",
    rf"(?:(?:on|the|your|this) )?{_CHOICES}",
    r"to (?:think|say|know|see|thank|point|ask|hear|apologi[sz]e|note|add)\b|(?:later|back|tomorrow|maybe"
    r"|crazy)\b|(?:an?|the) (?:question|problem|issue|point)\b|(?:joined|adopted|quit|founded) (?:in|up|him"
    r"|her|it|them|us|one|this|that)\b|(?:to|in us|an? (?:\w+ )?fan)$",
)
# Attributes of a user that change rarely.
LASTING_ATTRIBUTES = compile_any(
    r"(?:name|nickname|surname|number|address|phone|handle|username|pronouns?|birthday|birth|age|height|job|profession"
    r"|occupation|title|role|employer|company|business|startup|boss|manager|team|work|field|major|degree|school"
    r"|university|college|hometown|city|country|home|timezone|zone|language|tongue|nationality|religion|friend"
    r"|room-?mate|flat-?mate|neighbou?r|doctor|dentist|therapist|teacher|hobby|hobbies|passion|interests?|instrument"
    r"|sport|diet|allerg(?:y|ies)|size|car|bike|editor|os|stack|project|thesis|dissertation|goal|dream|plan"
    r"|fav(?:ou?rites?|e|s)?|preferred|preference|anniversary|wedding|email|website|blog|sign|type"
    rf"|{_RELATIVES})(?:'s)?"
)
# Attributes that concern only the moment.
TRANSIENT_ATTRIBUTES = compile_any(
    r"(?:question|point|problem|issue|concern|guess|idea|thought|understanding|answer|code|query|error|request|task"
    r"|homework|assignment|opinion|view|argument|output|result|input|function|script|program|file|test|data|bad|fault"
    r"|mistake|turn|message|essay|text|passwords?|passphrase|pin|heart|head|back|stomach|god)"
)
# Descriptions of a momentary state.
TRANSIENT_STATES = re.compile(
    r"(?:(?:a bit|very|so|too|really|quite|still|now|currently)\b|(?:always |not )?(?:broken|down|slow|sick"
    r"|ill|dead|late|here|there|empty|full|ready|done|wrong|stuck|gone|missing|fine|ok|okay|good|bad|great"
    r"|tired|to be|the (?:best|worst|same)|unclear|due|up|off|out|over|away|asleep|angry|upset|sad|happy|mad"
    r"|annoying|terrible|awful|hard|easy|mine|what|why|how|because|busy|unwell|(?:killing|driving|making"
    r"|getting|going|being|having|hurting|coming|running|acting|trying|looking|asking)(?= \w))\b)"
)
