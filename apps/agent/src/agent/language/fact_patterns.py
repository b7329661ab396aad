"""The forms that the rules look for: patterns and word lists, nothing that decides.

Each pattern is anchored, or its repetitions are bounded: searching a text takes time linear in its length.
"""

import re
from dataclasses import dataclass

from agent.language import phrases as p
from agent.language.parsing import FUTURE, WHENEVER, any_of
from agent.types import Category

# How users speak of themselves


@dataclass(frozen=True, slots=True)
class FactPattern:
    """A way to say something of oneself.

    `says` is the memory's text: `{o}` stands for the object, `{vs}` for the verb in the third person, and other
    names for what the pattern's groups of that name hold.
    """

    pattern: re.Pattern[str]
    says: str
    category: Category = "personal"
    confidence: float = 0.9

    @property
    def is_help(self) -> bool:
        """Whether it says how the assistant should help."""
        return self.says in (HELP, HELP_NOT, HELP_WHEN)


def _form(pattern: str, says: str, category: Category = "personal", confidence: float = 0.9) -> FactPattern:
    return FactPattern(any_of(pattern), says, category, confidence)


HELP = "Wants the assistant to {o}"
HELP_NOT = "Wants the assistant not to {o}"
HELP_WHEN = "Wants of the assistant: {o}"
BELONGING = "{who} {be}{no} {o}"
BEING = "{who} is {o}"
"""The same in short: "my car's a Volvo"."""
WISH = "Wants {o}"
"""Lasts only when it is about answers: who wants a pizza has had it tomorrow."""

PATTERNS = (
    _form(rf"{p.WILL}(?P<o>(?:always|never) {p.HELPING}.*)", HELP, "preference"),
    _form(rf"{FUTURE}[,:]? (?:please )?(?:you (?:should |must )?)?(?P<o>{p.HELPING}.+)", HELP, "preference"),
    _form(rf"{p.WILL}(?P<o>{p.HELPING}.{{1,120}}?) {FUTURE}$", HELP, "preference"),
    _form(rf"(?:{p.PLEASE} )?(?:do not|don'?t)(?: ever)? (?P<o>{p.NOT_HELPING}.*)", HELP_NOT, "preference", 0.8),
    _form(rf"(?:{p.PLEASE} )?(?P<o>{p.KEEPING})", HELP, "preference", 0.85),
    _form(
        rf"(?:{p.PLEASE} )?(?P<o>(?:speak|talk) to me (?:like|as|in) .+|treat me (?:like|as) .+)", HELP, "preference"
    ),
    _form(rf"(?P<o>{WHENEVER}, (?:{p.PLEASE} )?{p.THEN}.+)", HELP_WHEN, "preference", 0.85),
    _form(
        rf"(?:you can |{p.PLEASE} |just )?call me(?! (?:an?|at|on|in|any|again)\b){p.OBJECT}", "Wants to be called {o}"
    ),
    _form(rf"(?:people|(?:my )?friends|every(?:one|body)|they|most people) calls? me{p.OBJECT}", "Is called {o}"),
    _form(rf"i go by{p.OBJECT}", "Goes by {o}"),
    _form(rf"{p.AM}(?:called|named){p.OBJECT}", "Is called {o}"),
    _form(r"i used to (?P<o>(?:live|work|play|be|have|own|study|smoke|run|drive|teach)\b.*)", "Used to {o}"),
    _form(rf"{p.JUST}moved (?P<o>(?:back |here )?(?:to|from|in|into|out of) .+)", "Moved {o}"),
    _form(r"i was born (?P<o>(?:in|on|at) .+)", "Was born {o}"),
    _form(r"i grew up (?P<o>(?:in|on|near|with|speaking) .+)", "Grew up {o}"),
    _form(rf"{p.JUST}graduated (?P<o>(?:from|in|with) .+)", "Graduated {o}"),
    _form(rf"{p.JUST}(?P<o>{p.DID}\b.*)", "{o}", "personal", 0.85),
    _form(rf"{p.AM}(?P<o>\d{{1,3}})(?: years? old| ?y/?o)?$", "Is {o} years old"),
    _form(rf"{p.ARE}(?P<o>{p.BUSY} .+)", "Is {o}", "project", 0.85),
    _form(rf"{p.JUST}been (?P<o>{p.BUSY} .+)", "Has been {o}", "project", 0.85),
    _form(
        rf"{p.JUST}been (?P<o>(?:{p.BEING}|living |working (?:as|at|for|in) |playing |teaching |in (?-i:[A-Z])).*)",
        "Has been {o}",
    ),
    _form(rf"{p.AM}(?P<no>not|no longer) (?P<o>{p.BEING}.*)", "Is {no} {o}"),
    _form(rf"{p.AM}(?P<o>{p.BEING}.*|{p.NATION}$)", "Is {o}"),
    _form(
        rf"{p.AM}(?!{p.NATION}\b)(?P<o>{p.NAME}(?: from (?-i:[A-Z])[^,]{{1,40}})?)(?:, .+)?$",
        "Name is {o}",
        "personal",
        0.8,
    ),
    _form(
        rf"as (?P<o>an? (?:[\w-]{{1,20}} ){{0,2}}{p.ROLE}(?: (?:in|at|from|with|of) .+)?)$", "Is {o}", "personal", 0.85
    ),
    _form(rf"(?:i|we)(?:'?ve(?: got)?| have(?: got)?) (?P<o>(?:[\w'-]{{1,30}} ){{0,4}}{p.HAVING}\b.*)", "Has {o}"),
    _form(rf"i (?:do not|don'?t) have (?P<o>(?:any |an? )?{p.HAVING}\b.*)", "Does not have {o}"),
    _form(r"i (?:can'?t|cannot|can not) (?P<o>(?:eat|drink|stand|tolerate|drive|swim|smell)\b.*)", "Cannot {o}"),
    _form(r"i can (?P<o>(?:speak|play|drive|cook|read music) .+)", "Can {o}", "personal", 0.8),
    _form(rf"i (?:also )?(?:do not|don'?t) (?:really |even )?{p.NOT_DOING}{p.OBJECT}", "Does not {v} {o}"),
    _form(rf"i(?:(?:'d| would) (?:always |generally )?prefer| want){p.OBJECT}", WISH, "preference", 0.8),
    _form(rf"(?:i|we) {p.SOFT}{p.OFTEN}{p.SOFT}{p.DOING}{p.OBJECT}", "{often} {vs} {o}"),
    _form(rf"i {p.HABIT} (?!{p.NO_HABIT})(?P<v>[a-z]{{2,20}}){p.OBJECT}", "{often} {vs} {o}", "preference", 0.8),
    _form(
        rf"(?:my|our) (?P<who>(?:\w{{3,7}} )?{p.KIN}) (?P<o>{p.KIN_DOES} .+|{p.KIN_NEVER})",
        "{who} {o}",
        "personal",
        0.85,
    ),
    _form(rf"(?:my|our) (?P<who>(?:\w{{1,12}} )?{p.WORK}) (?P<o>{p.WORK_DOES} .+)", "{who} {o}", "project", 0.85),
    _form(rf"the (?P<what>{p.OF_WHAT}) of (?:my|our) {p.MINE} is{p.OBJECT}", "{who}'s {what} is {o}"),
    _form(rf"(?:my|our) {p.MINE} (?P<be>is|are)(?P<no> not)?{p.OBJECT}", BELONGING, "personal", 0.95),
    _form(rf"my (?P<who>(?:\w{{1,12}} )?(?:name|nickname|surname|birthday|job))'s{p.OBJECT}", BEING),
    _form(rf"(?:my|our) {p.MINE}'s (?P<o>(?:an?|the|called|named) .+|(?-i:[A-Z0-9]).*)", BEING, "personal", 0.9),
    _form(
        r"(?:i )?(?P<o>(?:moved to|born in|raised in|based in|originally from) (?-i:[A-Z]).*)", "{o}", "personal", 0.8
    ),
    _form(r"i (?:now |currently )?(?P<o>working (?:as|at|in|for) .+)", "Is {o}", "personal", 0.85),
    _form(
        r"(?P<o>(?:mother|mum|mom|father|dad|parent) of (?:an?|two|three|four|five|twins|\d).*)",
        "Is {o}",
        "personal",
        0.8,
    ),
)
"""Tried in this order at the beginning of a clause; the first that fits counts."""

CATEGORIES: dict[str, Category] = {
    **dict.fromkeys(("like", "love", "prefer", "enjoy", "hate", "dislike", "adore"), "preference"),
    **dict.fromkeys(("use", "code", "program"), "technical"),
}
"""Of a verb; what is not here is of its form's category."""

ABOUT_ANSWERS = any_of(
    r"\b(?:answers|replies|responses|explanations|bullets?|bullet points?|emojis?|to be (?:answered"
    r"|addressed)|step[- ]by[- ]step|code examples|(?:(?:when|if|that|how) you|you to) (?:answer|reply"
    r"|respond|explain|write|use|keep|give|call|speak|ask))\b"
)
VAGUE = any_of(
    r"(?:(?:as|at|for|in|on|with|to|from|near|by)\s+)?(?:it|this|that|these|those|them|there|here|you|your"
    r"|him|her|what|how|when|where|why|one of|the (?:idea|way|fact|same|following)|nothing|something"
    r"|everything|anything|the (?:first|second|third|last|other|latter|former|next|previous))\b",
    rf"(?:(?:on|the|your|this) )?{p.FOR_NOW}",
    r"to (?:think|say|know|see|thank|point|ask|hear|apologi[sz]e|note|add)\b|(?:later|back|tomorrow|maybe"
    r"|crazy)\b|(?:an?|the) (?:question|problem|issue|point)\b|(?:joined|adopted|quit|founded) (?:in|up|him"
    r"|her|it|them|us|one|this|that)\b|(?:to|in us|an? (?:\w+ )?fan)$",
)
"""Objects that mean nothing without the words before them."""

OWNED = any_of(
    r"(?:name|nickname|surname|number|address|phone|handle|username|pronouns?|birthday|birth|age|height|job|profession"
    r"|occupation|title|role|employer|company|business|startup|boss|manager|team|work|field|major|degree"
    r"|school|university|college|hometown|city|country|home|timezone|zone|language|tongue|nationality"
    r"|religion|friend|room-?mate|flat-?mate|neighbou?r|doctor|dentist|therapist|teacher|hobby|hobbies"
    r"|passion|interests?|instrument|sport|diet|allerg(?:y|ies)|size|car|bike|editor|os|stack|project|thesis"
    r"|dissertation|goal"
    r"|dream|plan|fav(?:ou?rites?|e|s)?|preferred|preference|anniversary|wedding|email|website|blog|sign|type"
    rf"|{p.KIN})(?:'s)?"
)
"""What of a user's own stays as it is for long."""

PASSING = any_of(
    r"(?:question|point|problem|issue|concern|guess|idea|thought|understanding|answer|code|query|error"
    r"|request|task|homework|assignment|opinion|view|argument|output|result|input|function|script|program"
    r"|file|test|data|bad|fault|mistake|turn|message|essay|text|passwords?|passphrase|pin|heart|head|back"
    r"|stomach|god)"
)
"""What of a user's own is about the moment."""

STATE = re.compile(
    r"(?:(?:a bit|very|so|too|really|quite|still|now|currently)\b|(?:always |not )?(?:broken|down|slow|sick"
    r"|ill|dead|late|here|there|empty|full|ready|done|wrong|stuck|gone|missing|fine|ok|okay|good|bad|great"
    r"|tired|to be|the (?:best|worst|same)|unclear|due|up|off|out|over|away|asleep|angry|upset|sad|happy|mad"
    r"|annoying|terrible|awful|hard|easy|mine|what|why|how|because|busy|unwell|(?:killing|driving|making"
    r"|getting|going|being|having|hurting|coming|running|acting|trying|looking|asking)(?= \w))\b)"
)
"""How something is for the moment."""
