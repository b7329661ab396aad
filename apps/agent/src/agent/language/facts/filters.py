"""Word lists that tell lasting facts from vague, momentary and figurative statements."""

from agent.language.parsing.sentences import compile_any
from agent.types import Category

RELATIVES = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|sons?|daughters?|child|children|kids?"
    r"|baby|mother|mom|mum|father|dad|parents|(?:half-|step-?)?(?:brothers?|sisters?)|siblings?|grand\w{2,8}|uncle"
    r"|aunt|cousins?"
    r"|niece|nephew|twins?|dogs?|cats?|pets?|horses?|parrots?|rabbits?|hamsters?|puppy|kitten)"
)

_CHOICES = r"(?:option|version|answer|variant|choice|suggestion)\b"
# The category of a memory by its verb; other verbs have the category of their pattern.
VERB_CATEGORIES: dict[str, Category] = {
    **dict.fromkeys(("like", "love", "prefer", "enjoy", "hate", "dislike", "adore"), "preference"),
    **dict.fromkeys(("use", "code", "program"), "technical"),
}
ANSWER_STYLE = compile_any(
    r"\b(?:answers|replies|responses|explanations|bullets?|bullet points?|(?:full|complete) sentences"
    r"|(?:normal|full) paragraphs|emojis?|to be (?:answered|addressed)|step[- ]by[- ]step|code examples"
    r"|(?:(?:when|if|that|how) you|you to) (?:answer|reply|respond|explain|write|use|keep|give|call|speak|ask))\b"
)
# Habits of one conversation ("I use a for loop here"), and activities that end soon ("I'm writing a function").
MOMENTARY_HABIT = compile_any(
    r"\b(?:here|you|yours?|somehow|in this (?:code|case|file|project|example|sentence|text)|for this|line \d{1,5}"
    r"|tonight|tomorrow|yesterday"
    r"|today|next (?:week|month|time)|this (?:time|week|morning|afternoon|evening|answer|one))\b",
    r"(?:an? |the |this |my )?(?:\w{1,12} )?(?:(?:for|while)[ -]?loop|loop|variable|function|regex|column|formula"
    r"|query)\b",
    r"if\b|from experience|(?:in )?(?:my|your|their) (?:head|mind|own world|dreams)\b|into (?:this|an?"
    r"|the) (?:\w{1,12} )?"
    r"(?:error|problem|issue|bug)|from (?:the future|here|there|mars)\b|version \d|in (?:fear|hope|denial|peace|chaos"
    r"|a bubble|the moment|the past|terror|sin)\b",
)
MOMENTARY_ACTIVITY = compile_any(
    r"(?:writing|building|developing|designing|preparing for|preparing|working on|planning) (?:an?|the|my|this|that"
    r"|some|it"
    r"|your)\b ?(?:\w{1,15} ){0,2}(?:function|class|method|script|query|regex|loop|test|tests|email|letter|message"
    r"|reply"
    r"|list|summary|paragraph|sentence|text|report|post|form|table|page|code|review|problem|exercise|question|task"
    r"|issue"
    r"|bug|it|essay|assignment|homework|sheet|spreadsheet|invoice|slide|slides|meeting)\b",
    r"building the (?:\w{1,15} )?(?:image|project|code|package|binary|kernel|container)\b",
    r"developing an? (?:headache|cold|fever|rash|cough|migraine)\b",
    r"(?:working on|trying to) (?:it|this|that|install|fix|get|run|make|find|understand)\b",
)
# Objects that mean nothing outside their conversation.
VAGUE_OBJECTS = compile_any(
    r"(?:(?:as|at|for|in|on|with|to|from|near|by)\s+)?(?:it|this|that|these|those|them|there|here|you|your"
    r"|him|her|what|how|when|where|why|one of|the (?:idea|way|fact|same|following)|nothing|something"
    r"|everything|anything|the (?:first|second|third|last|other|latter|former|next|previous))\b",
    rf"(?:(?:on|the|your|this) )?{_CHOICES}",
    r"to (?:think|say|know|see|thank|point|ask|hear|apologi[sz]e|note|add)\b|(?:later|back|tomorrow|maybe"
    r"|crazy)\b|(?:an?|the) (?:question|problem|issue|point)\b|(?:joined|adopted|quit|founded) (?:in|up|him"
    r"|her|it|them|us|one|this|that)\b|(?:has|loves|likes|hates) (?:it|this|that|them)\b|(?:to|in us"
    r"|an? (?:\w+ )?fan)$",
)
# A memory whose place or thing only its conversation names, or which holds for one occasion.
DEPENDENT_FACTS = compile_any(
    r"(?:(?! and )[^\n])*\b(?:there|(?:to|of|for|about|with|from|on) (?:it|them|that|those|these))"
    r"(?: (?:too|now|as well))?\W*$",
    r"has (?:\w+ ){1,3}with us\W*$",
)
# Attributes of a user that change rarely.
LASTING_ATTRIBUTES = compile_any(
    r"(?:name|nickname|surname|number|address|phone|handle|username|pronouns?|birthday|birth|age|height|job|profession"
    r"|occupation|title|role|employer|company|business|startup|boss|manager|team|work|field|major|degree|school"
    r"|university|college|hometown|city|country|home|timezone|zone|language|tongue|nationality|religion|friend"
    r"|room-?mate|flat-?mate|neighbou?r|doctor|dentist|therapist|teacher|hobby|hobbies|passion|interests?|instrument"
    r"|sport|diet|allerg(?:y|ies)|size|car|bike|editor|os|stack|project|thesis|dissertation|goal|dream|plan"
    r"|fav(?:ou?rites?|e|s)?|preferred|preference|anniversary|wedding|email|website|blog|sign|type"
    rf"|{RELATIVES})(?:'s)?"
)
# Attributes that concern only the moment.
TRANSIENT_ATTRIBUTES = compile_any(
    r"(?:question|point|this|that|these|those|part|bit|line|section|option|example|one|moment|choice|problem|issue"
    r"|concern|guess|idea"
    r"|thought|understanding|answer|code|query|error|request|task"
    r"|homework|assignment|opinion|view|argument|output|result|input|function|script|program|file|test|data|bad|fault"
    r"|mistake|turn|message|essay|text|passwords?|passphrase|pin|heart|head|back|stomach|god)"
)
_INSULTS = (
    r"(?:mess|idiot|genius|wreck|zombie|disaster|fool|moron|loser|ghost|joke|jerk|nightmare|lemon|pain|angel|saint"
    r"|legend"
    r"|machine|monster|tyrant|total)"
)
# What a name is not: "My name is on the list".
NO_NAMES = compile_any(
    r"(?:on|in|at|not|under|wrong|misspelled|misspelt|missing|too|so|hard|difficult|also|only|the|really|quite|very"
    r"|being|a)\b"
)
# Activities of people and things that last; others in the progressive form are momentary.
LASTING_ACTIVITIES = compile_any(
    r"(?!\w{1,20}ing\b)|(?:living|working (?:as|at|for|in)|studying|training|learning|planning|expecting"
    r"|getting married"
    r"|recovering|suffering)\b"
)
# Descriptions of a momentary state.
TRANSIENT_STATES = compile_any(
    rf"an? (?:\w{{1,12}} )?{_INSULTS}\b",
    r"(?:on (?:vacation|holiday|leave|fire|strike|sale|the (?:phone|way|train|bus|road|line|run))"
    r"|at (?:\d|camp|home|school|work|the (?:dentist|doctor|door|office|airport|vet))|in (?:town|hospital|bed"
    r"|an? (?:meeting|hurry|bad mood))|hiring|next|tomorrow|today|yesterday|tonight|coming|soon"
    r"|in (?:\w{1,6} )?\w{1,6} (?:days"
    r"|weeks|hours|minutes))\b",
    r"(?:(?:a bit|very|so|too|really|quite|still|now|currently)\b|(?:always |not )?(?:broken|down|slow|sick"
    r"|ill|dead|late|here|there|empty|full|ready|done|wrong|stuck|gone|missing|fine|ok|okay|good|bad|great"
    r"|tired|to be|the (?:best|worst|same)|unclear|due|up|off|out|over|away|asleep|angry|upset|sad|happy|mad"
    r"|annoying|terrible|awful|hard|easy|mine|what|why|how|because|busy|unwell|(?:killing|driving|making"
    r"|getting|going|being|having|hurting|coming|running|acting|trying|looking|asking)(?= \w))\b)",
)
# Subjects of momentary activities ("My team is playing").
ACTORS = compile_any(
    RELATIVES, "team|company|business|startup|boss|manager|phone|car|bike|friend|doctor|neighbou?r|school"
)
# Where they are at the moment ("My car is in the garage").
MOMENTARY_PLACES = compile_any(
    r"(?:in|on|at|under|behind) (?:the|a|my|his|her|its|our)\b(?! (?:army|navy|wheelchair|care|nursing))"
)
# Requests about one text.
MOMENTARY_REQUESTS = compile_any(
    r"\b(?:below|above|in this (?!chat|conversation)|this (?:text|email|time|one)|the following)\b"
)
