"""Patterns of statements in which users describe themselves, and the word lists that qualify them.

Every pattern is anchored or has bounded repetitions, so matching takes time linear in the length of the text.
"""

import re
from dataclasses import dataclass

from agent.language import phrases as p
from agent.language.parsing import FROM_NOW_ON, WHENEVER_I, compile_any
from agent.types import Category


@dataclass(frozen=True, slots=True)
class FactPattern:
    """A pattern of a clause, and the template of the memory that it produces.

    In `template`, `{o}` is the object, `{vs}` the verb in the third person, and any other name the group of that name.
    """

    pattern: re.Pattern[str]
    template: str
    category: Category = "personal"
    confidence: float = 0.9

    @property
    def is_procedural(self) -> bool:
        """Whether the memory is an instruction for the assistant."""
        return self.template in (INSTRUCTION, PROHIBITION, CONDITIONAL)


def _rule(pattern: str, template: str, category: Category = "personal", confidence: float = 0.9) -> FactPattern:
    return FactPattern(compile_any(pattern), template, category, confidence)


INSTRUCTION = "Wants the assistant to {o}"
PROHIBITION = "Wants the assistant not to {o}"
CONDITIONAL = "Wants of the assistant: {o}"
POSSESSIVE = "{who} {be}{no} {o}"
CONTRACTED = "{who} is {o}"
"""The contracted form: "my car's a Volvo"."""
WISH = "Wants {o}"
"""A fact only if it is about answers; other wishes ("I want a pizza") are short-lived."""

PATTERNS = (
    _rule(rf"{p.REQUEST_PREFIX}(?P<o>(?:always|never) {p.ASSIST_VERBS}.*)", INSTRUCTION, "preference"),
    _rule(
        rf"{FROM_NOW_ON}[,:]? (?:please )?(?:you (?:should |must )?)?(?P<o>{p.ASSIST_VERBS}.+)",
        INSTRUCTION,
        "preference",
    ),
    _rule(rf"{p.REQUEST_PREFIX}(?P<o>{p.ASSIST_VERBS}.{{1,120}}?) {FROM_NOW_ON}$", INSTRUCTION, "preference"),
    _rule(rf"(?:{p.PLEASE} )?(?:do not|don'?t)(?: ever)? (?P<o>{p.UNWANTED_STYLES}.*)", PROHIBITION, "preference", 0.8),
    _rule(rf"(?:{p.PLEASE} )?(?P<o>{p.STYLE_REQUESTS})", INSTRUCTION, "preference", 0.85),
    _rule(
        rf"(?:{p.PLEASE} )?(?P<o>(?:speak|talk) to me (?:like|as|in) .+|treat me (?:like|as) .+)",
        INSTRUCTION,
        "preference",
    ),
    _rule(rf"(?P<o>{WHENEVER_I}, (?:{p.PLEASE} )?{p.INSTRUCTION_START}.+)", CONDITIONAL, "preference", 0.85),
    _rule(
        rf"(?:you can |{p.PLEASE} |just )?call me(?! (?:an?|at|on|in|any|again)\b){p.OBJECT}", "Wants to be called {o}"
    ),
    _rule(rf"(?:people|(?:my )?friends|every(?:one|body)|they|most people) calls? me{p.OBJECT}", "Is called {o}"),
    _rule(rf"i go by{p.OBJECT}", "Goes by {o}"),
    _rule(rf"{p.I_AM}(?:called|named){p.OBJECT}", "Is called {o}"),
    _rule(r"i used to (?P<o>(?:live|work|play|be|have|own|study|smoke|run|drive|teach)\b.*)", "Used to {o}"),
    _rule(rf"{p.I_JUST}moved (?P<o>(?:back |here )?(?:to|from|in|into|out of) .+)", "Moved {o}"),
    _rule(r"i was born (?P<o>(?:in|on|at) .+)", "Was born {o}"),
    _rule(r"i grew up (?P<o>(?:in|on|near|with|speaking) .+)", "Grew up {o}"),
    _rule(rf"{p.I_JUST}graduated (?P<o>(?:from|in|with) .+)", "Graduated {o}"),
    _rule(rf"{p.I_JUST}(?P<o>{p.LIFE_EVENTS}\b.*)", "{o}", "personal", 0.85),
    _rule(rf"{p.I_AM}(?P<o>\d{{1,3}})(?: years? old| ?y/?o)?$", "Is {o} years old"),
    _rule(rf"{p.WE_ARE}(?P<o>{p.ACTIVITIES} .+)", "Is {o}", "project", 0.85),
    _rule(rf"{p.I_JUST}been (?P<o>{p.ACTIVITIES} .+)", "Has been {o}", "project", 0.85),
    _rule(
        rf"{p.I_JUST}been (?P<o>(?:{p.STATES}|living |working (?:as|at|for|in) |playing |teaching |in (?-i:[A-Z])).*)",
        "Has been {o}",
    ),
    _rule(rf"{p.I_AM}(?P<no>not|no longer) (?P<o>{p.STATES}.*)", "Is {no} {o}"),
    _rule(rf"{p.I_AM}(?P<o>{p.STATES}.*|{p.NATIONALITY}$)", "Is {o}"),
    _rule(
        rf"{p.I_AM}(?!{p.NATIONALITY}\b)(?P<o>{p.NAME}(?: from (?-i:[A-Z])[^,]{{1,40}})?)(?:, .+)?$",
        "Name is {o}",
        "personal",
        0.8,
    ),
    _rule(
        rf"as (?P<o>an? (?:[\w-]{{1,20}} ){{0,2}}{p.ROLES}(?: (?:in|at|from|with|of) .+)?)$", "Is {o}", "personal", 0.85
    ),
    _rule(rf"(?:i|we)(?:'?ve(?: got)?| have(?: got)?) (?P<o>(?:[\w'-]{{1,30}} ){{0,4}}{p.POSSESSIONS}\b.*)", "Has {o}"),
    _rule(rf"i (?:do not|don'?t) have (?P<o>(?:any |an? )?{p.POSSESSIONS}\b.*)", "Does not have {o}"),
    _rule(r"i (?:can'?t|cannot|can not) (?P<o>(?:eat|drink|stand|tolerate|drive|swim|smell)\b.*)", "Cannot {o}"),
    _rule(r"i can (?P<o>(?:speak|play|drive|cook|read music) .+)", "Can {o}", "personal", 0.8),
    _rule(rf"i (?:also )?(?:do not|don'?t) (?:really |even )?{p.NEGATABLE_VERBS}{p.OBJECT}", "Does not {v} {o}"),
    _rule(rf"i(?:(?:'d| would) (?:always |generally )?prefer| want){p.OBJECT}", WISH, "preference", 0.8),
    _rule(rf"(?:i|we) {p.ADVERBS}{p.FREQUENCY}{p.ADVERBS}{p.HABIT_VERBS}{p.OBJECT}", "{often} {vs} {o}"),
    _rule(
        rf"i {p.HABIT_ADVERBS} (?!{p.NON_HABIT_VERBS})(?P<v>[a-z]{{2,20}}){p.OBJECT}",
        "{often} {vs} {o}",
        "preference",
        0.8,
    ),
    _rule(
        rf"(?:my|our) (?P<who>(?:\w{{3,7}} )?{p.RELATIVES}) (?P<o>{p.RELATIVE_VERBS} .+|{p.INABILITIES})",
        "{who} {o}",
        "personal",
        0.85,
    ),
    _rule(
        rf"(?:my|our) (?P<who>(?:\w{{1,12}} )?{p.COMPANY}) (?P<o>{p.COMPANY_VERBS} .+)", "{who} {o}", "project", 0.85
    ),
    _rule(rf"the (?P<what>{p.ATTRIBUTES}) of (?:my|our) {p.OWNED} is{p.OBJECT}", "{who}'s {what} is {o}"),
    _rule(rf"(?:my|our) {p.OWNED} (?P<be>is|are)(?P<no> not)?{p.OBJECT}", POSSESSIVE, "personal", 0.95),
    _rule(rf"my (?P<who>(?:\w{{1,12}} )?(?:name|nickname|surname|birthday|job))'s{p.OBJECT}", CONTRACTED),
    _rule(rf"(?:my|our) {p.OWNED}'s (?P<o>(?:an?|the|called|named) .+|(?-i:[A-Z0-9]).*)", CONTRACTED, "personal", 0.9),
    _rule(
        r"(?:i )?(?P<o>(?:moved to|born in|raised in|based in|originally from) (?-i:[A-Z]).*)", "{o}", "personal", 0.8
    ),
    _rule(r"i (?:now |currently )?(?P<o>working (?:as|at|in|for) .+)", "Is {o}", "personal", 0.85),
    _rule(
        r"(?P<o>(?:mother|mum|mom|father|dad|parent) of (?:an?|two|three|four|five|twins|\d).*)",
        "Is {o}",
        "personal",
        0.8,
    ),
)
"""Matched against the beginning of a clause in this order; the first match wins."""

VERB_CATEGORIES: dict[str, Category] = {
    **dict.fromkeys(("like", "love", "prefer", "enjoy", "hate", "dislike", "adore"), "preference"),
    **dict.fromkeys(("use", "code", "program"), "technical"),
}
"""The category of a memory by its verb; other verbs have the category of their pattern."""

ANSWER_STYLE = compile_any(
    r"\b(?:answers|replies|responses|explanations|bullets?|bullet points?|emojis?|to be (?:answered"
    r"|addressed)|step[- ]by[- ]step|code examples|(?:(?:when|if|that|how) you|you to) (?:answer|reply"
    r"|respond|explain|write|use|keep|give|call|speak|ask))\b"
)
VAGUE_OBJECTS = compile_any(
    r"(?:(?:as|at|for|in|on|with|to|from|near|by)\s+)?(?:it|this|that|these|those|them|there|here|you|your"
    r"|him|her|what|how|when|where|why|one of|the (?:idea|way|fact|same|following)|nothing|something"
    r"|everything|anything|the (?:first|second|third|last|other|latter|former|next|previous))\b",
    rf"(?:(?:on|the|your|this) )?{p.CHOICES}",
    r"to (?:think|say|know|see|thank|point|ask|hear|apologi[sz]e|note|add)\b|(?:later|back|tomorrow|maybe"
    r"|crazy)\b|(?:an?|the) (?:question|problem|issue|point)\b|(?:joined|adopted|quit|founded) (?:in|up|him"
    r"|her|it|them|us|one|this|that)\b|(?:to|in us|an? (?:\w+ )?fan)$",
)
"""Objects that mean nothing outside their conversation."""

LASTING_ATTRIBUTES = compile_any(
    r"(?:name|nickname|surname|number|address|phone|handle|username|pronouns?|birthday|birth|age|height|job|profession"
    r"|occupation|title|role|employer|company|business|startup|boss|manager|team|work|field|major|degree"
    r"|school|university|college|hometown|city|country|home|timezone|zone|language|tongue|nationality"
    r"|religion|friend|room-?mate|flat-?mate|neighbou?r|doctor|dentist|therapist|teacher|hobby|hobbies"
    r"|passion|interests?|instrument|sport|diet|allerg(?:y|ies)|size|car|bike|editor|os|stack|project|thesis"
    r"|dissertation|goal"
    r"|dream|plan|fav(?:ou?rites?|e|s)?|preferred|preference|anniversary|wedding|email|website|blog|sign|type"
    rf"|{p.RELATIVES})(?:'s)?"
)
"""Attributes of a user that change rarely."""

TRANSIENT_ATTRIBUTES = compile_any(
    r"(?:question|point|problem|issue|concern|guess|idea|thought|understanding|answer|code|query|error"
    r"|request|task|homework|assignment|opinion|view|argument|output|result|input|function|script|program"
    r"|file|test|data|bad|fault|mistake|turn|message|essay|text|passwords?|passphrase|pin|heart|head|back"
    r"|stomach|god)"
)
"""Attributes that concern only the moment."""

TRANSIENT_STATES = re.compile(
    r"(?:(?:a bit|very|so|too|really|quite|still|now|currently)\b|(?:always |not )?(?:broken|down|slow|sick"
    r"|ill|dead|late|here|there|empty|full|ready|done|wrong|stuck|gone|missing|fine|ok|okay|good|bad|great"
    r"|tired|to be|the (?:best|worst|same)|unclear|due|up|off|out|over|away|asleep|angry|upset|sad|happy|mad"
    r"|annoying|terrible|awful|hard|easy|mine|what|why|how|because|busy|unwell|(?:killing|driving|making"
    r"|getting|going|being|having|hurting|coming|running|acting|trying|looking|asking)(?= \w))\b)"
)
"""Descriptions of a momentary state."""
