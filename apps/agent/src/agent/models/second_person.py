"""Telling people what they told: "Lives in London" → "You live in London"."""

import re

_OWN = re.compile(r"(?P<thing>(?:[\w'-]+ ){0,3}[\w'-]+) (?P<rest>(?:is|are|was|were)\b.*)", re.DOTALL)
_LINKS = frozenset({"in", "at", "with", "for", "to", "as", "of", "on", "that", "who", "not", "the", "a", "an"})
_IRREGULAR = {"is": "are", "has": "have", "does": "do", "was": "were", "goes": "go"}
_ES = ("ches", "shes", "sses", "xes", "zzes", "oes")
_FIRST_PERSON = {
    "i": "you",
    "i'm": "you are",
    "am": "are",
    "i've": "you have",
    "my": "your",
    "mine": "yours",
    "me": "you",
    "myself": "yourself",
    "we": "you",
    "our": "your",
}


def second_person(text: str) -> str:
    """Say a memory, or a sentence of the user's own, to the user; no full stop at the end."""
    text = text.replace("\u2019", "'").strip().rstrip(".!")
    words = text.split()
    if not words:
        return ""
    if any(word.lower() in _FIRST_PERSON for word in words):
        return _upper(" ".join(_FIRST_PERSON.get(word.lower(), word) for word in words))
    own = _OWN.fullmatch(text)
    if own and not _LINKS & set(own["thing"].lower().split()):
        return f"Your {_lower(own['thing'])} {own['rest']}"
    return f"You {_verb(words[0])} {' '.join(words[1:])}".strip() if _is_verb(words[0]) else _upper(text)


def _is_verb(word: str) -> bool:
    """Tell whether a memory begins with its verb: they have no subject, and stand in the third person or the past."""
    return word[:1].isupper() and word.isalpha() and word.lower().endswith(("s", "ed")) and not word.isupper()


def _verb(word: str) -> str:
    verb = word.lower()
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(_ES):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _lower(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
