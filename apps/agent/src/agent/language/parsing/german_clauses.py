"""The word order of German clauses: "dass ich montags nie kann" is stored as "Ich kann montags nie"."""

import re

_SUBJECT = re.compile(
    r"(?P<first>ich)|(?P<plural>wir|meine eltern|meine (?:kinder|töchter|söhne))"
    r"|(?P<third>er|sie|es|man|(?:mein|dein|unser|sein|ihr)e? [A-ZÄÖÜ][\wäöüß-]{1,30})(?= )",
    re.IGNORECASE,
)
# Irregular forms, and the endings of all others.
_VERBS = {
    "first": re.compile(r"bin|kann|muss|will|darf|mag|soll|weiß|war|hatte|möchte|[a-zäöüß]{2,20}(?<!i)e"),
    "third": re.compile(r"ist|hat|kann|muss|will|darf|mag|soll|wird|war|hatte|möchte|weiß|[a-zäöüß]{2,20}t"),
    "plural": re.compile(r"sind|waren|hatten|[a-zäöüß]{2,20}en"),
}
_NO_VERB = re.compile(
    r"heute|gern|gerne|gerade|bitte|k?eine[nrms]?|[mds]eine[nrms]?|ihre[nrms]?|unsere[nrms]?|alle[nrms]?|viele[nrms]?"
    r"|beiden?|jede[nrms]?|diese[nrms]?|welche[nrms]?|ohne|lange|zuhause|hause|beste|erste|letzte|nächste|neue[nrms]?"
    r"|alte[nrms]?|kleine[nrms]?|nicht|jetzt|oft|seit|mit|gut|erst|fast|selbst|meist|sonst|überhaupt|recht|laut|alt"
    r"|gegen|wegen|zwischen|neben|morgen|gestern|wochen|außen|eben|oben|unten|\w+(?:[lr]ich|ig|isch)e[nrms]?"
)
_PREFIXED = re.compile(
    r"(?P<prefix>auf|ab|an|aus|ein|mit|vor|nach|los|weg|um|zu|teil|fern|fest|zurück|kennen)"
    r"(?P<verb>(?!tworte|onniere|arme|rme|beite|hme\b|ge\b|be\b)[a-zäöüß]{3,20})"
)


def to_main_clause(text: str) -> str:
    """A German subordinate clause without its conjunction, in the order of a main clause; other texts as they are."""
    subject = _SUBJECT.match(text)
    if subject is None or "," in text:
        return text
    words = text[subject.end() :].split()
    pattern = _VERBS[str(subject.lastgroup)]
    if not words[1:] or _is_verb(words[0], pattern) or not _is_verb(words[-1], pattern):
        return text
    *rest, verb = words
    prefixed = _PREFIXED.fullmatch(verb)
    order = [prefixed["verb"], *rest, prefixed["prefix"]] if prefixed else [verb, *rest]
    return " ".join((subject[0], *order))


def _is_verb(word: str, pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(word) is not None and _NO_VERB.fullmatch(word) is None
