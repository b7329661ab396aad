"""Detect prompt injection: text that would change the assistant's rules, for its user or for others.

A user's preferences about answers are not injection.
"""

import re
import tomllib
from importlib.resources import files

from agent.language.parsing.folding import readings
from agent.language.parsing.sentences import compile_any
from agent.language.safety.implied_instructions import implies_instruction
from agent.language.safety.word_classes import Form, WordClasses
from agent.language.text_cache import cache_per_user

_DATA = tomllib.loads(files("agent.language").joinpath("safety/prompt_injection.toml").read_text(encoding="utf-8"))
_CLASSES = WordClasses(_DATA["words"])
_FORMS = [Form(form, _CLASSES.symbols) for form in _DATA["forms"]]

_EVERY_ANSWER = r"(?:every|each|all) (?:answers?|repl(?:y|ies)|responses?|messages?)\b"
_LINK = r"(?:https?:|www\.|!\[|<img)"
_CONCEALMENT = (
    r"(?:tell (?:nobody|no one)|not tell|don'?t tell|(?:do not|don't|never) (?:tell|mention|reveal|admit"
    r"|disclose|inform)|without (?:telling|mentioning)|secretly)"
)
_PROMOTION = r"(?:recommend|promote|advertise|endorse|praise|plug|insert)"

# English phrases that have no other use.
_PHRASES = compile_any(
    r"\b(?:(?:new|updated|revised|real|true|actual|secret|hidden) (?:system )?(?:instructions?|rules|directives?"
    r"|tasks?)\s?:"
    r"|your (?:new|real|true|actual|only|secret|sole|hidden|next) (?:instructions?|task|goal|purpose|role|rules?"
    r"|objective|mission|directive|orders?|job)\b"
    r"|(?:your|this|new|current|original|updated|entire|full|hidden) (?:system|developer) (?:prompt|message"
    r"|instructions?)\b|(?:reveal|show|print|repeat|output|leak|display|dump|replace) (?:\w{1,10} )?system prompt"
    r"|(?:enable|enter|activate|switch to|in) (?:developer|dan|god|jailbreak|unrestricted|admin) mode\b"
    r"|do anything now\b|jailbreak yourself\b|you must (?:always )?obey\b|obey (?:only )?me\b"
    r"|(?:disable|turn off|remove|switch off|deactivate|drop) (?:all |any )?(?:of )?your (?:\w{1,15} )?(?:safety"
    r"|filters?|guardrails?|safeguards?|restrictions|moderation|guidelines)\b"
    rf"|{_CONCEALMENT}\b[^\n]{{0,120}}\b(?:always|must {_PROMOTION}|{_PROMOTION}|whenever|{_EVERY_ANSWER})\b"
    rf"|(?:always|must|whenever|every time)\b[^\n]{{0,120}}\b{_CONCEALMENT}\b"
    rf"|(?<!\bi )(?<!\bwe )(?:always|only|must) {_PROMOTION}\s(?:(?:my|our|the|buying|using)\s){{0,2}}(?-i:[A-Z])"
    r"|(?:tell|show|give|inform|recommend|answer) (?:to )?(?:all|every|other|any|each) (?:other )?users?\b)"
)

# Delimiters of chat templates, headings of forged messages, and links for every answer.
_MARKERS = re.compile(
    r"(?im)^\s{0,3}(?:#{1,4}\s?)?\[?(?:system|developer|admin)(?: prompt| message| note| override| update)?\]?\s?:"
    r"|<\|?/?(?:system|im_start)\b|\[/?inst\]|<<sys>>|\bend of (?:\w{1,12} )?(?:data|context|input|prompt|document)\b"
    r"|^[^\n:]{0,30}\b(?:note|message|update|instructions?|attention|notice|rules?|hinweis|regel|regle|regla|regola|regra|правило|nachricht|message|mensaje|nota"
    r"|messaggio|wiadomosc|uwaga|внимание|указание)[ :,]{1,2}(?:(?:to|for|an|fur|pour|para|per|voor|dla|для) )?"
    r"(?:(?:the|das|die|den|le|la|l'|el|il|o|a|de|het) ?)?(?:ai|llm|model|language model|assistant|chatbot|bot|modell"
    r"|ki|assistenten|modele|ia|assistant|modelo|asistente|modello|assistente|asystenta|модели|ассистента)"
    r"(?: \w{1,20})?\s?:|\bsystem override\b|\b(?:note|notice) ?: ?system\b"
    rf"|{_LINK}[^\n]{{0,120}}\b(?:in|to|into|of|with) {_EVERY_ANSWER}"
    rf"|(?:in|to|into|of|with) {_EVERY_ANSWER}[^\n]{{0,60}}{_LINK}"
)


def contains_injection(text: str) -> bool:
    """Check whether a text would change the assistant's rules. Disguised letters are read as letters."""
    return any(map(_contains_injection, readings(text)))


@cache_per_user(maxsize=1024)
def _contains_injection(text: str) -> bool:
    if _PHRASES.search(text) or _MARKERS.search(text):
        return True
    classified = _CLASSES.classify(text)
    symbols = frozenset(classified)
    return any(form.occurs_in(classified, symbols) for form in _FORMS) or implies_instruction(text)
