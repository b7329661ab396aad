"""Patterns of statements in which users describe themselves."""

import re
from dataclasses import dataclass

from agent.language.fact_filters import RELATIVES
from agent.language.parsing import FROM_NOW_ON, WHENEVER_I, compile_any
from agent.types import Category

# Building blocks of the patterns; `(?-i:…)` requires a capital.
_POSSESSIONS = (
    rf"(?:{RELATIVES}|all?erg\w{{1,4}}|asthma|diabetes|adhd|autism|dyslexia|epilepsy|migraines?|celiac|coeliac"
    r"|arthritis|insomnia|intolerance|anxiety|depression|degree|phd|licen[cs]e|house|flat|apartment|garden|car|bike"
    r"|bicycle)"
)
_STATES = (
    r"(?:(?!really|only|actually|probably|hardly)[a-z]{3,12}ly )?(?:red-green )?(?:all?ergic|asthmatic|intolerant|lactose|gluten|vegan|vegetarian|pescatarian|diabetic|celiac|coeliac|dyslexic|autistic"
    r"|deaf|blind|colou?r[ -]?blind|(?:left|right)[ -]handed|hard of hearing|bilingual|married|single|divorced|widowed"
    r"|engaged|retired|pregnant|self-employed|unemployed|freelanc\w{1,3}|from|based in|living in|originally from"
    r"|responsible for|fluent in|afraid of|scared of|on (?:an? (?:[\w-]{1,20} ){1,3}diet|insulin|medication)|jewish"
    r"|muslim|christian|catholic|protestant|buddhist|hindu|sikh|atheist|agnostic"
    r"|into (?!this\b|it\b|the\b|that\b)|on the (?:autism |adhd )?spectrum"
    r"|an? (?!(?:\w{1,12} )?(?:bit|little|lot|tad|few|mess|idiot|genius|wreck|zombie|disaster|fool|moron|loser|ghost|joke"
    r"|millionaire|failure|burden|god|goddess|legend|machine|potato|vampire)\b))"
)
_ACTIVITIES = (
    r"(?:working on|building|writing|developing|learning|studying|training for|planning|preparing for"
    r"|saving (?:up )?for"
    r"|organi[sz]ing|renovating|restoring|launching|designing|migrating|raising|looking after|expecting(?= .{0,30}\b"
    r"(?:child|baby|twins|son|daughter)\b)|trying to(?= (?:eat|drink|lose|quit|learn|cut|stop|save|sleep|get fit)\b))"
)
_HABIT_VERBS = (
    r"(?P<v>like|love|prefer|enjoy|hate|dislike|adore|live(?= (?:in|at|near|with|on|by|alone|outside|between"
    r"|abroad)\b)|work(?= (?:as|at|for|in|with|from|on|part|full|nights?|remotely)\b)|study|speak|play|own|drive|smoke|vape|teach"
    r"|coach|volunteer|attend|collect|commute|practi[sc]e|use|code(?= in\b)|program(?= in\b)|eat|drink|cook"
    r"|wear(?= (?:glasses|contact|size|a|an|only)\b)|suffer(?= from\b)|believe(?= in\b)|run(?! (?:into|out)\b)|manage"
    r"|lead|maintain|deploy|listen(?= to\b)|look(?= after\b)|take(?= care of\b)|grow|breed|raise"
    r"|keep(?= (?:bees|chickens|hens|goats|sheep|horses)\b)|sell|sing|paint|swim|read(?= (?:mostly|mainly|a lot)\b))"
)
_NEGATABLE_VERBS = (
    r"(?P<v>like|love|enjoy|live|work(?= (?:as|at|for|in|with)\b)|eat|drink|speak|own|use|play|drive|smoke)"
)
_NO_HABITS = (
    r"(?:know|want|need|have|see|get|care|think|understand|believe|remember|feel|trust|mind|recall|hear|say|mean|seem|find"
    r"|wish|hope|expect|recogni[sz]e|bother|do|be|give|take|make|even|go there|come)\b"
)
_FOODS = (
    r"(?:coffee|tea|alcohol|meat|sugar|dairy|gluten|cigarettes|carbs|caffeine|chocolate|wine|beer|bread|fish|pork|beef"
    r"|soda|cheese|milk|eggs|social media|smoking|drinking|vaping|gambling)\b"
)
_PASTIMES = (
    r"(?:being|eating|drinking|smoking|vaping|using|playing|working (?:at|for|as|in|from)|taking|doing|running|wearing"
    r"|learning|studying|liking|loving|enjoying|driving|dancing|swimming|teaching|going to|cycling|volunteering|singing)\b"
)
_LIFE_EVENTS = (
    r"(?:joined|founded|adopted|switched (?:over )?(?:from|to)|retired from|turned \d{1,3}"
    rf"|(?:stopped|quit) {_PASTIMES}|(?:quit|stopped having) {_FOODS}"
    r"|quit (?:my |the )?(?:job|band|choir|team|gym|club)|left (?:my|the) (?:old )?job|resigned from"
    r"|started (?:eating|drinking|smoking) .{2,30} again|(?:was|got|been) (?:laid off|fired|made redundant)"
    r"|(?:replaced|swapped|traded(?: in)?) (?:my|our) .{2,40}? (?:with|for|by)|got rid of (?:my|our)"
    r"|(?:broke|split) up(?! (?:the|a|this|into)\b)"
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
    r"(?:answer|reply|respond|explain|use|list|provide|give(?! up\b| in\b| way\b)|cite|include|format|summari[sz]e|translate|call me|address me|speak"
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
_I_JUST = r"(?:i|we)(?:'?ve| have)? (?:just |recently |finally |now |already |also ){0,2}"
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
    r"(?:wonder|hope|wish|worry|miss|can|could|will|would|should|might|must|may|shall|am|bought|left|sold|won|saw|ran|wish|drank|slept|spent|paid|ask|ate|be|been|came|did|do|fail|feel|felt|forget|found|gave|get|got|had|have|hear|heard|just|knew|know|lost"
    r"|made|mean|met|need|read|said|saw|see|seem|sent|tell|think|thought|told|took|tried|try|understand|understood|want"
    r"|was|went|wonder|wrote)\b"
)
_ROLES = (
    r"(?:vegetarian|vegan|pescatarian|diabetic|parent|mother|father|mum|mom|dad|student|teacher|nurse|doctor|lawyer"
    r"|engineer|developer|programmer|designer|musician|writer|farmer|beginner|freelancer|manager|scientist|researcher)"
)
_OBJECT = r" (?P<o>\S.*)"
_NO_LONGER = r"(?:any ?more|any longer)"
# When a habit takes place.
_OFTEN = (
    r"(?:every (?:single |other )?\w+|each \w+|(?:once|twice|\w+ times) (?:a|per) (?:day|week|month|year)|(?:at|on) weekends"
    r"|on \w{3,6}days|daily|most (?:days|mornings|evenings|weekends))\b"
)
_WHEN = (
    rf"(?:{_OFTEN}|in my (?P<free>spare|free) time|in the (?:mornings?|evenings?|summer|winter)|during the week|after work"
    r"|by (?:day|night)|(?:since|for) (?:\w{1,12} ){0,3}(?:years|months|\d{4}))"
)
_PERSON = r"(?:(?:best |good |close )?friend|neighbou?r|room-?mate|flat-?mate|house-?mate|boss|manager)(?: (?-i:[A-Z])[a-zé'-]{1,20})?"


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
HABIT = "{often} {vs} {o}"
NO_OBJECT = "{vs}"
NAMED = "{who} is called {o}"


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
    _instruction(
        rf"(?:{_PLEASE} )?(?P<o>(?:always )?be (?:(?:\w{{3,12}}ly )?(?:honest|direct|blunt|brief|concise|critical|frank|strict)"
        r" (?:with me|in your answers)).*)"
    ),
    _instruction(
        rf"(?:{_PLEASE} )?(?P<o>explain (?:things|everything)(?: to me)? (?:step[- ]by[- ]step|in|with|like) ?.*)"
    ),
    _instruction(
        r"(?P<o>no (?:more )?(?:emojis?|bullet points|bullets|jargon|small talk|disclaimers|apologies|fluff|spoilers))"
        r"(?: ever| please| at all|,? please|,? thanks)*$",
        CONDITIONAL,
        0.8,
    ),
    _instruction(
        rf"(?P<o>(?:short|brief|concise|long|detailed|simple) (?:answers|replies|responses|explanations)(?: only)?)"
        rf"(?:,? (?:{_PLEASE}|always)){{0,2}}$",
        WISH,
        0.8,
    ),
    _instruction(rf"(?:{_PLEASE} )?(?P<o>(?:speak|talk) to me (?:like|as|in) .+|treat me (?:like|as) .+)"),
    _instruction(rf"(?P<o>{WHENEVER_I}, (?:{_PLEASE} )?{_INSTRUCTION_START}.+)", CONDITIONAL, 0.85),
    _rule(
        rf"(?:you can |{_PLEASE} |just )?call me(?! (?:an?|at|on|in|any|again)\b){_OBJECT}", "Wants to be called {o}"
    ),
    _rule(rf"(?:people|(?:my )?friends|every(?:one|body)|they|most people) calls? me{_OBJECT}", "Is called {o}"),
    _rule(rf"i go by{_OBJECT}", "Goes by {o}"),
    _rule(rf"{_I_AM}(?:called|named){_OBJECT}", "Is called {o}"),
    _rule(
        r"i used to (?P<o>(?:live|work|play|be|have|own|study|smoke|run|drive|teach|drink|eat|love|like|hate|enjoy|speak|sing"
        r"|dance|cook|code|use|collect|swim|commute|volunteer)\b.*)",
        "Used to {o}",
    ),
    _rule(rf"{_I_JUST}changed my (?P<what>(?:last |first )?name) to{_OBJECT}", "Changed {what} to {o}"),
    _rule(rf"{_I_JUST}relocated (?P<o>(?:back |here )?(?:to|from) .+)", "Relocated {o}"),
    _rule(rf"{_I_JUST}moved (?P<o>(?:back |here )?(?:to|from|in|into|out of) .+)", "Moved {o}"),
    _rule(r"i was born (?P<o>(?:in|on|at) .+)", "Was born {o}"),
    _rule(r"i grew up (?P<o>(?:in|on|near|with|speaking) .+)", "Grew up {o}"),
    _rule(rf"{_I_JUST}graduated (?P<o>(?:from|in|with) .+)", "Graduated {o}"),
    _rule(rf"{_I_JUST}(?:went|gone) back to (?P<o>\w{{2,12}}ing\b.*)", "Went back to {o}"),
    _rule(rf"{_I_JUST}(?:gave|given) up (?:on )?(?P<o>(?:{_PASTIMES}|{_FOODS}).*)", "Gave up {o}"),
    _rule(rf"{_I_JUST}(?P<o>{_LIFE_EVENTS}\b.*)", "{o}", 0.85),
    _rule(rf"{_I_AM}(?P<o>\d{{1,3}})(?: years? old| ?y/?o)?(?: now)?$", "Is {o} years old"),
    _rule(r"i have (?P<o>\d{2}) years$", "Is {o} years old"),
    _rule(rf"{_WE_ARE}(?P<o>{_ACTIVITIES} .+)", "Is {o}", 0.85, "project"),
    _rule(rf"{_I_JUST}been (?P<o>{_ACTIVITIES} .+)", "Has been {o}", 0.85, "project"),
    _rule(
        rf"{_I_JUST}been (?P<o>(?:{_STATES}|living |working (?:as|at|for|in) |playing |teaching |in (?-i:[A-Z])).*)",
        "Has been {o}",
    ),
    _rule(rf"{_I_AM}not (?P<o>{_STATES}.{{0,100}}?),? {_NO_LONGER}\b.*", "Is no longer {o}"),
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
    _rule(
        rf"i (?:do not|don'?t) (?:really |even )?(?!{_NO_HABITS})(?P<v>[a-z]{{2,20}}) (?P<o>\S.{{0,120}}?),? {_NO_LONGER}\b.*",
        "No longer {vs} {o}",
    ),
    _rule(rf"i no longer (?!{_NO_HABITS})(?P<v>[a-z]{{2,20}}){_OBJECT}", "No longer {vs} {o}"),
    _rule(
        r"i (?:do not|don'?t) (?P<v>drive|drink|smoke|swim|cook|ski|dance|vote)(?P<o>)(?: at all| alcohol)?$",
        "Does not {v}",
    ),
    _rule(r"i (?:now |only )?(?P<v>drive|smoke|vape)(?P<o>)(?: now| again)?$", NO_OBJECT),
    _rule(rf"i (?:also )?(?:do not|don'?t) (?:really |even )?{_NEGATABLE_VERBS}{_OBJECT}", "Does not {v} {o}"),
    _rule(r"i now work (?P<o>(?:as|at|for|in) .+)", "Now works {o}"),
    _rule(r"i work (?P<o>(?:as|at|for) .{1,120}?) now$", "Now works {o}"),
    _rule(rf"i(?:(?:'d| would) (?:always |generally )?prefer| want){_OBJECT}", WISH, 0.8, "preference"),
    _rule(rf"(?:i|we) {_ADVERBS}{_FREQUENCY}{_ADVERBS}{_HABIT_VERBS}{_OBJECT}", HABIT),
    _rule(
        rf"i {_HABIT_ADVERBS} (?!{_NON_HABIT_VERBS})(?P<v>[a-z]{{2,20}}){_OBJECT}",
        HABIT,
        0.8,
        "preference",
    ),
    _rule(
        rf"(?P<when>{_WHEN}),? i (?:also |mostly |usually )?(?!{_NON_HABIT_VERBS}|\w{{2,12}}ed\b)(?P<v>[a-z]{{2,20}}){_OBJECT}",
        "{vs} {o} {when}",
        0.8,
    ),
    _rule(
        rf"i (?:also )?(?!{_NON_HABIT_VERBS}|\w{{2,12}}ed\b)(?P<v>[a-z]{{2,20}}) (?P<o>(?:[\w'-]{{1,20}} ){{0,6}}{_OFTEN}.*)",
        HABIT,
        0.8,
    ),
    _rule(
        rf"(?:my|our) (?P<who>(?:\w{{3,7}} )?{RELATIVES}) (?P<o>{_RELATIVE_VERBS} .+|{_INABILITIES})",
        "{who} {o}",
        0.85,
    ),
    _rule(rf"(?:my|our) (?P<who>{_PERSON}) (?P<o>{_RELATIVE_VERBS} .+)", "{who} {o}", 0.85),
    _rule(
        rf"(?:me and my|my) (?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?)(?: and (?:i|me))?(?: have)?(?: just)?"
        r" (?P<o>(?:broke|split) up(?! the\b).*|got (?:divorced|married|engaged)\b.*)",
        "{o}",
        0.85,
    ),
    _rule(rf"(?:my|our) (?P<who>(?:\w{{1,12}} )?{_COMPANY}) (?P<o>{_COMPANY_VERBS} .+)", "{who} {o}", 0.85, "project"),
    _rule(rf"the (?P<what>{_ATTRIBUTES}) of (?:my|our) {_OWNED} is{_OBJECT}", "{who}'s {what} is {o}"),
    _rule(rf"(?:my|our) {_OWNED} (?P<be>is|are)(?P<no> not)?{_OBJECT}", POSSESSIVE, 0.95),
    _rule(r"(?:the )?(?P<who>name)'?s (?P<o>[\w.'-]{2,30}(?: [\w.'-]{2,30})?)$", CONTRACTED),
    _rule(r"(?:my )?pronouns\s?[:=] ?(?P<o>\w{1,8}/\w{1,8}.*)", "Pronouns are {o}"),
    _rule(rf"my (?P<who>(?:\w{{1,12}} )?(?:name|nickname|surname|birthday|job))'s{_OBJECT}", CONTRACTED),
    _rule(rf"(?:my|our) {_OWNED}'s (?P<o>(?:an?|the|called|named) .+|(?-i:[A-Z0-9]).*)", CONTRACTED),
    _rule(
        rf"{_I_JUST}studied (?P<o>(?!for\b|the\b|this\b|that\b|it\b|all\b|hard\b|until\b|a\b|your\b).+)", "Studied {o}"
    ),
    _rule(
        rf"(?:my|our) (?P<who>{RELATIVES}) (?P<o>(?-i:[A-Z][a-zé'-]{{1,20}}))(?:,| (?!and\b|or\b|is\b)[a-z]).*", NAMED
    ),
    _rule(r"(?:i )?(?P<o>(?:moved to|born in|raised in|based in|originally from) (?-i:[A-Z]).*)", "{o}", 0.8),
    _rule(r"i (?:now |currently )?(?P<o>working (?:as|at|in|for) .+)", "Is {o}", 0.85),
    _rule(r"(?P<o>(?:mother|mum|mom|father|dad|parent) of (?:an?|two|three|four|five|twins|\d).*)", "Is {o}", 0.8),
)
