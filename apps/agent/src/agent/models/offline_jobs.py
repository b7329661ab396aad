"""Statements about a person's job or employer, in seven languages."""

from agent.language.parsing.sentences import compile_any

_CAPITAL = r"(?-i:[A-ZÀ-ÖØ-Þ])"
_NO_JOB = (
    r"(?!(?:vegetarian|vegan|pescatarian|c[oe]+liac|fan|member|diabetic|morning|night|early|big|huge|bit|single|twin"
    r"|only|oldest|youngest|middle|left|right)\b)"
)
_WORK = compile_any(
    r"\b(?:work(?:s|ed|ing)?|job|employed|self-employed|retired|unemployed|profession|teach(?:es|ing)?|runs an?"
    r"|arbeite(?:t|n)?|beruf|rentner(?:in)?|trabaj(?:o|a|ar)|dedic[ao]|jubilad[oa]|travaille[rz]?|bosse|retraitée?"
    r"|lavor(?:o|a|are)|pensionat[oa]|trabalh(?:o|a|ar)|aposentad[oa]|werk(?:t|en)?|gepensioneerd)\b"
)
_TITLE = compile_any(
    rf"(?:\b(?:is|am)|'m|'s) (?:an?|the) {_NO_JOB}\w|\b(?:ist|bin) (?:eine? )?{_CAPITAL}\w|\b(?:es|soy|est|suis|sono"
    rf"|sou"
    r"|ben) (?!(?:muy|más|très|plus|molto|più|muito|mais|heel|de|del|all?[éeè]rgi\w{2,6}|v[eé]g[eé]tari\w{2,6}"
    r"|v[eé]gan\w?)\b)"
    r"\w{4}"
    r"|(?:^|\s)(?:è|é) (?:un[oa]? |uma? )?(?!molto|muito|allergi|alérgi)\w{4}|\bis een \w",
    r"\bfaccio (?:il|la|l')|\bfaço de\b",
    rf"\b(?:i'm|i am|ich bin|soy|je suis|sono|sou|ik ben) (?:(?:die|der|el|la) )?{_CAPITAL}[\w'-]+, (?:\d\d,? )?"
    rf"(?:(?:an?|un[ae]?|een) )?{_NO_JOB}\w{{3}}",  # "I'm Marek, 52, a bus driver"
)
# A promotion, or the start of a job: it says where a person works, or as what, without the word "work".
_START = compile_any(
    r"\bpromot(?:ed|ion)\b|\b(?:made|offered|hired) me\b|\b(?:got|accepted|offered) (?:an?|the|my|this) (?:\w{2,12} )?"
    r"(?:job|role|position|post|offer|promotion|apprenticeship|internship)\b",
    rf"\bstart(?:s|ed|ing)? (?:(?:work|working|my new job|a new job) )?(?:at|with|as)(?: an?)? {_CAPITAL}"
    rf"|\bstart(?:s|ed"
    rf"|ing)? (?:work|working|as an?)\b|\bjoin(?:s|ed|ing) {_CAPITAL}|\b(?:offer|hired|contract) (?:from|by|at|with)"
    rf" {_CAPITAL}",
    rf"\b(?:fange|fängt|beginne|beginnt)\b.{{1,40}} bei {_CAPITAL}|\bals {_CAPITAL}\w|\bbefördert\b",
    rf"\b(?:empiezo|empecé|empieza|entro|entré) en {_CAPITAL}|\bascendi\w{{2,5}}\b|\b(?:commence|démarre) chez\b"
    r"|\bpromue?\b|\bpassée? (?:responsable|chef|cheffe|manager|cadre|directeur|directrice)\b",
    rf"\b(?:inizio|comincio|inizia|comincia) (?:da|in|alla|presso) {_CAPITAL}|\bpromoss[oa]\b|\bpromovid[oa]\b"
    rf"|\b(?:começo|comecei|começa|entro|entrei) (?:na|no|em) {_CAPITAL}|\bbegint? .{{1,40}}\bbij {_CAPITAL}",
)
_GIVEN_TO_USER = compile_any(
    r"\b(?:made|promoted|hired|offered) me\b|\bme han\b|\bmi hanno\b|\bmich\b.{1,40}\bbefördert\b|\bme promov\w+"
)


def states_job(text: str) -> bool:
    """Check whether a statement says what a person does for a living, or where."""
    return any(pattern.search(text) for pattern in (_WORK, _START, _TITLE))


def begins_job_of_user(text: str) -> bool:
    """Check whether a statement says that the user was given a job ("They made me shift supervisor")."""
    return _GIVEN_TO_USER.search(text) is not None and states_job(text)
