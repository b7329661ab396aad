"""The word order of German and Dutch clauses: "dass ich montags nie kann" is stored as "Ich kann montags nie"."""

import re
from collections.abc import Sequence

_GERMAN_SUBJECT = re.compile(
    r"(?P<first>ich)|(?P<plural>wir|meine eltern|meine (?:kinder|töchter|söhne))"
    r"|(?P<third>er|sie|es|man|(?:mein|dein|unser|sein|ihr)e? [A-ZÄÖÜ][\wäöüß-]{1,30})(?= )",
    re.IGNORECASE,
)
# Irregular forms, and the endings of all others.
_GERMAN_VERBS = {
    "first": re.compile(r"bin|kann|muss|will|darf|mag|soll|weiß|war|hatte|möchte|[a-zäöüß]{2,20}(?<!i)e"),
    "third": re.compile(r"ist|hat|kann|muss|will|darf|mag|soll|wird|war|hatte|möchte|weiß|[a-zäöüß]{2,20}t"),
    "plural": re.compile(r"sind|waren|hatten|[a-zäöüß]{2,20}en"),
}
_NO_GERMAN_VERB = re.compile(
    r"heute|gern|gerne|gerade|bitte|k?eine[nrms]?|[mds]eine[nrms]?|ihre[nrms]?|unsere[nrms]?|alle[nrms]?|viele[nrms]?"
    r"|beiden?|jede[nrms]?|diese[nrms]?|welche[nrms]?|ohne|lange|zuhause|hause|beste|erste|letzte|nächste|neue[nrms]?"
    r"|alte[nrms]?|kleine[nrms]?|nicht|jetzt|oft|seit|mit|gut|erst|fast|selbst|meist|sonst|überhaupt|recht|laut|alt"
    r"|gegen|wegen|zwischen|neben|morgen|gestern|wochen|außen|eben|oben|unten|\w+(?:[lr]ich|ig|isch)e[nrms]?"
)
_GERMAN_PREFIXED = re.compile(
    r"(?P<prefix>auf|ab|an|aus|ein|mit|vor|nach|los|weg|um|zu|teil|fern|fest|zurück|kennen)"
    r"(?P<verb>(?!tworte|onniere|arme|rme|beite|hme\b|ge\b|be\b)[a-zäöüß]{3,20})"
)
_DUTCH_SUBJECT = re.compile(
    r"(?:ik|wij|we|hij|zij|ze|het|men|(?:mijn|onze|ons|zijn|haar) [a-z][\w-]{1,30})(?= )", re.IGNORECASE
)
_DUTCH_AUXILIARY = re.compile(
    r"ben|bent|is|zijn|was|waren|heb|hebt|heeft|hebben|had|hadden|kan|kun|kunnen|moet|moeten|wil|willen|mag|mogen|zal"
    r"|zullen|word|wordt|worden|ga|gaat|gaan"
)
# A word after the subject that is no verb, so that the verb is the last word.
_NO_DUTCH_VERB = re.compile(
    r"geen|een|de|het|mijn|onze|ons|zijn|haar|niet|niets|nooit|altijd|vaak|soms|meestal|graag|liever|al|nog|ook|heel|erg|veel"
    r"|weinig|elke|iedere|alle|allergisch|vegetarisch|vanaf|sinds|morgen|vandaag|volgende|komende|vorige|alleen|samen"
    r"|in|op|aan|bij|met|van|voor|naar|tegen|zonder|tot|per|om|over|uit|onder|door|als|\d{1,4}|'s"
)
_CLAUSE = frozenset({"dat", "die", "omdat", "want", "als", "of"})
"""Words that introduce another clause."""
_DUTCH_PREFIXED = re.compile(
    r"(?P<prefix>op|af|aan|uit|mee|weg|terug|thuis|samen)(?P<verb>sta|kom|ga|neem|bel|woon|werk|hou|geef|zet|maak|blijf)t?"
)


def to_main_clause(text: str) -> str:
    """A subordinate clause without its conjunction, in the order of a main clause; other texts as they are."""
    if "," in text:
        return text
    if german := _GERMAN_SUBJECT.match(text):
        return _join(german[0], _order_german(text[german.end() :].split(), str(german.lastgroup))) or text
    if dutch := _DUTCH_SUBJECT.match(text):
        return _join(dutch[0], _order_dutch(text[dutch.end() :].split())) or text
    return text


def _join(subject: str, words: Sequence[str]) -> str:
    return " ".join((subject, *words)) if words else ""


def _order_german(words: Sequence[str], person: str) -> Sequence[str]:
    """The words after the subject, with the verb first; empty if it is not the last word."""
    pattern = _GERMAN_VERBS[person]
    if not words[1:] or _is_german_verb(words[0], pattern) or not _is_german_verb(words[-1], pattern):
        return ()
    return _with_verb_first(words, len(words) - 1, _GERMAN_PREFIXED)


def _is_german_verb(word: str, pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(word) is not None and _NO_GERMAN_VERB.fullmatch(word) is None


def _order_dutch(words: Sequence[str]) -> Sequence[str]:
    """The words after the subject, with the finite verb first; empty if it is not at the end."""
    if not words[1:] or _DUTCH_AUXILIARY.fullmatch(words[0]) or not _CLAUSE.isdisjoint(words):
        return ()
    last, begins_without_verb = len(words) - 1, _NO_DUTCH_VERB.fullmatch(words[0].casefold()) is not None
    places = range(last, 0 if begins_without_verb else max(0, last - 2), -1)
    verb = next((n for n in places if _DUTCH_AUXILIARY.fullmatch(words[n])), None)
    if verb is None and begins_without_verb and words[-1].isalpha() and words[-1].islower():
        verb = None if _NO_DUTCH_VERB.fullmatch(words[-1]) else last
    return () if verb is None or words[verb - 1] == "te" else _with_verb_first(words, verb, _DUTCH_PREFIXED)


def _with_verb_first(words: Sequence[str], verb: int, separable: re.Pattern[str]) -> Sequence[str]:
    rest = [*words[:verb], *words[verb + 1 :]]
    if prefixed := separable.fullmatch(words[verb]):
        stem = words[verb][len(prefixed["prefix"]) :]
        return [stem, *rest, prefixed["prefix"]]
    return [words[verb], *rest]
