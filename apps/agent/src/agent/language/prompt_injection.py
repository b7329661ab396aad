"""Detect prompt injection: text that would change the assistant's rules, for its user or for others.

A user's preferences about answers are not injection.
"""

import re
import unicodedata

from agent.language.parsing import compile_any, plain_punctuation

_SPACES = re.compile(r"[^\S\n]+")

_RULES = (
    r"(?:instructions?|rules?|guidelines?|prompts?|polic(?:y|ies)|restrictions?|directives?|programming"
    r"|training|safeguards?|guardrails?|constraints?|safety (?:rules?|measures|filters?)|filters)\b"
)
_YOURS = (
    r"(?:(?:any|every|of|the|my|these|those|other)\s{1,3}){0,2}(?:(?:your|previous|prior|earlier|above|preceding"
    r"|system|developer|safety|existing|original|initial|current|all)\s{1,3}(?:of\s|the\s)?){1,3}(?:\w{1,20}\s){0,2}"
)
_CONCEALMENT = (
    r"(?:tell (?:nobody|no one)|not tell|don'?t tell|(?:do not|don't|never) (?:tell|mention|reveal|admit"
    r"|disclose|inform)|without (?:telling|mentioning)|secretly)"
)
_EVERY_ANSWER = r"(?:every|each|all) (?:answers?|repl(?:y|ies)|responses?|messages?)\b"
_LINK = r"(?:https?:|www\.|!\[|<img)"
_PROMOTION = r"(?:recommend|promote|advertise|endorse|praise|plug|insert)"

_INSTRUCTIONS = compile_any(
    r"\b(?:"
    r"(?<!\bi )(?<!\bwe )(?<!they )(?<!people )(?<!drivers )(?<!kids )(?:ignor(?:e|ing)|disregard(?:ing)?|forget"
    rf"|override|bypass|overrule|violate|break|drop)\s{{1,3}}{_YOURS}{_RULES}"
    rf"|(?<!\bi )(?:do not|don'?t|never|stop|refuse to) (?:follow|obey|apply|respect|heed)(?:ing)? {_YOURS}{_RULES}"
    r"|(?:ignore|disregard|forget) (?:everything|anything|all|whatever) (?:(?:that )?(?:you(?:'ve| have| were)"
    r" (?:been )?(?:told|taught|learned|instructed)|above|they told you))"
    r"|(?:new|updated|revised|real|true|actual|secret|hidden) (?:system )?(?:instructions?|rules|directives?)\s?:"
    r"|your (?:new|real|true|actual|only|secret|sole|hidden) (?:instructions?|task|goal|purpose|role|rules?|objective"
    r"|mission|directive|orders?)\b"
    r"|(?:(?<![\s\S])|(?<=[.!?:;,\n\"])|(?<=[.!?:;,\n\"] )|(?<=and )|(?<=so )|(?<=then )|(?<=now )|(?<=that ))"
    r"you(?:'re| are) now\b(?! (?:open|closed|on|at|in (?!\w{1,20} mode))\b)"
    r"|from (?:now|here) on,? (?:you(?:'re| are) (?!welcome\b)|act as if\b|pretend\b|obey\b)"
    r"|(?:your|the|this|new|current|original|updated|entire|full|hidden) (?:system|developer) (?:prompt|message"
    r"|instructions?)\b|(?:reveal|show|print|repeat|output|leak|display|dump|replace) (?:\w{1,10} )?system prompt"
    r"|(?:enable|enter|activate|switch to|in) (?:developer|dan|god|jailbreak|unrestricted|admin) mode\b"
    r"|do anything now\b|jailbreak yourself\b|you must (?:always )?obey\b|obey (?:only )?me\b"
    r"|(?:you (?:have|are under|must follow|need follow)|as if you (?:have|had)|(?:answer|respond|reply|act|speak)"
    r" without) (?:no |any )?(?:\w{1,15} )?(?:rules|restrictions|limits|limitations|filters?|censorship|guidelines)\b"
    r"|(?:disable|turn off|remove|switch off|deactivate) (?:all |any )?(?:of )?your (?:\w{1,15} )?(?:safety|filters?"
    r"|guardrails?|safeguards?|restrictions|moderation|guidelines)\b"
    rf"|{_CONCEALMENT}\b[^\n]{{0,120}}\b(?:always|must {_PROMOTION}|{_PROMOTION}|whenever|{_EVERY_ANSWER})\b"
    rf"|(?:always|must|whenever|every time)\b[^\n]{{0,120}}\b{_CONCEALMENT}\b"
    rf"|(?:always|only|must) {_PROMOTION}\s(?:(?:my|our|the|buying|using)\s){{0,2}}(?-i:[A-Z])"
    r"|(?:when|whenever|if|every time) (?:any(?:one|body)|some(?:one|body)|(?:any|a|the|another) user|(?:other )?users"
    r"|people|they)\b[^\n.]{0,60}\b(?:asks?|mentions?|wants?|says?)\b[^\n]{0,60}(?<!\bi )\b(?:say|answer|tell|recommend"
    r"|reply|respond|send|claim|pretend)\b"
    r"|(?:tell|show|give|inform|recommend|answer) (?:to )?(?:all|every|other|any|each) (?:other )?users?\b"
    r"|(?:send|forward|post|upload|leak|exfiltrate|transmit|email)\b[^\n]{0,60}\b(?:conversations?|chats?|history"
    rf"|memor(?:y|ies)|messages|user data|secrets|prompts?)\b[^\n]{{0,40}}\b(?:to|at)\b[^\n]{{0,30}}(?:{_LINK}|@)"
    rf"|(?:in|to|into|of|with) {_EVERY_ANSWER}[^\n]{{0,60}}{_LINK}"
    r"|(?:ignoriere|vergiss|missachte) (?:\w{1,12} ){0,3}(?:anweisungen|regeln|instruktionen|vorgaben)\b"
    r"|(?:ignore[zr]?|oublie[zr]?|ignora|olvida) (?:\w{1,12} ){0,3}(?:instructions|règles|consignes|instrucciones"
    r"|reglas|instruções|regras|istruzioni|regole)\b)"
)

# Delimiters of chat templates, and links for every answer.
_MARKERS = re.compile(
    r"(?im)^\s{0,3}(?:#{1,4}\s?)?\[?(?:system|developer)(?: prompt| message)?\]?\s?:|<\|?/?(?:system|im_start)\b"
    rf"|\[/?inst\]|<<sys>>|{_LINK}[^\n]{{0,120}}\b(?:in|to|into|of|with) {_EVERY_ANSWER}"
)


def contains_injection(text: str) -> bool:
    """Check whether a text would change the assistant's rules. Look-alike and invisible characters are folded first."""
    text = _SPACES.sub(" ", text if text.isascii() else "".join(map(_fold, plain_punctuation(text))))
    return bool(_INSTRUCTIONS.search(text) or _MARKERS.search(text))


def _fold(char: str) -> str:
    return "" if unicodedata.category(char) == "Cf" else unicodedata.normalize("NFKC", char)[:3]
