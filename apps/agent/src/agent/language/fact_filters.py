"""Word lists that tell lasting facts from vague, momentary and figurative statements."""

import re

from agent.language.parsing import compile_any
from agent.types import Category

RELATIVES = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|sons?|daughters?|child|children|kids?"
    r"|baby|mother|mom|mum|father|dad|parents|(?:half-|step-?)?(?:brothers?|sisters?)|siblings?|grand\w{2,8}|uncle|aunt|cousins?"
    r"|niece|nephew|twins?|dogs?|cats?|pets?|horses?|parrots?|rabbits?|hamsters?|puppy|kitten)"
)

_CHOICES = r"(?:option|version|answer|variant|choice|suggestion)\b"
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
# Habits of one conversation ("I use a for loop here"), and activities that end soon ("I'm writing a function").
MOMENTARY_HABIT = compile_any(
    r"\b(?:here|in this (?:code|case|file|project|example|sentence|text)|for this|line \d{1,5}|tonight|tomorrow|yesterday"
    r"|this (?:time|morning|afternoon|evening|answer|one))\b",
    r"(?:an? |the |this |my )?(?:\w{1,12} )?(?:(?:for|while)[ -]?loop|loop|variable|function|regex|column|formula|query)\b",
    r"version \d|in (?:fear|hope|denial|peace|chaos|a bubble|the moment|the past|terror|sin)\b",
)
MOMENTARY_ACTIVITY = compile_any(
    r"(?:writing|building|developing|designing|preparing for|preparing|working on|planning) (?:an?|the|my|this|that|some|it"
    r"|your)\b ?(?:\w{1,15} ){0,2}(?:function|class|method|script|query|regex|loop|test|tests|email|letter|message|reply"
    r"|list|summary|paragraph|sentence|text|report|post|form|table|page|code|review|problem|exercise|question|task|issue"
    r"|bug|it|essay|assignment|homework|sheet|spreadsheet|invoice|slide|slides|meeting)\b",
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
    rf"|{RELATIVES})(?:'s)?"
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
