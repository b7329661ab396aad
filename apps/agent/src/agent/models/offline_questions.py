"""What a question asks for, such as an age, a time or a place, and which statements contain it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from agent.language.dates.words import NUMBERS, date_words
from agent.language.parsing.sentences import compile_any, plain_punctuation
from agent.language.requests.questions import is_personal
from agent.models.offline_jobs import states_job
from agent.models.offline_language import Language, known_language

MAX_WORDS_WITHOUT_MARK = 5
"""A longer message without a question mark may be a statement: "donde vivo hace frío en invierno"."""

_DATE_CODES = frozenset("MWDFY")  # of months, weekdays, days, full dates and years
_MORE_NUMBERS = (
    "thirteen fourteen sixteen seventeen eighteen nineteen forty fifty sixty seventy eighty ninety hundred twee drie"
    " vijf zes zeven negen tien twaalf twintig dertig veertig vijftig"
)
_AMBIGUOUS_NUMBERS = frozenset({"one", "once", "un", "uno", "una", "eins", "um", "uma"})
_LATIN_NUMBERS = {word for word in NUMBERS if word.isalpha() and word[0] < "\u0250"}
_NUMBER_WORDS = "|".join(sorted({*_LATIN_NUMBERS, *_MORE_NUMBERS.split()} - _AMBIGUOUS_NUMBERS))
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUMBER = compile_any(rf"\d|\b(?:{_NUMBER_WORDS})\b")
_AGE_NUMBER = rf"(?:1[01]\d|\d{{1,2}}|(?:{_TENS})-\w{{3,5}}|{_NUMBER_WORDS})"
_AGE = compile_any(
    rf"\b{_AGE_NUMBER}[ -](?:(?:and a half|1/2) )?(?:years?|yrs?|yo|months?|weeks?|jahre?|monate?|wochen|años?|meses"
    r"|ans|mois|anni|mesi|anos?|jaar|maanden)\b(?! ago)",
    r"(?:\b(?:is|am|are|i'm|turn(?:s|ed|ing)?|aged?(?: is)?|ist|bin|wird|werde|wurde|tiene|tengo|cumpl\w{1,5}|a|ai|ha"
    rf"|ho|tem|tenho|word|wordt)|'s|,) (?:now |just |only |already |jetzt |gerade |schon )?{_AGE_NUMBER}\b"
    r"(?! ?(?:%|[.,:/]\d|€|\$|[ap]m\b|uhr\b|kg\b|k?m\b|cm\b|lbs?\b|kilos?\b|feet\b|foot\b|minutes?\b|hours?\b|days?\b"
    r"|miles?\b|weeks pregnant\b|cats?\b|dogs?\b|kids?\b|children\b|hijos\b|kinder\b|enfants\b|figli\b|filhos\b))",
    r"\b(?:born|geboren|nac[ií]\w{0,3}|née?|nat[oa]|nasceu|nasci)\b.{0,30}\d{4}",
)
_CLOCK = compile_any(
    r"\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?(?:[ap]\.?m\b|o'clock|uhr|h\b|uur)",
    r"\b(?:at|um|gegen|alle|às|om|à) \d{1,2}\b|\ba las? (?:\d{1,2}|\w{3,6})\b|\b(?:noon|midnight|mittags|mediodía"
    r"|midi)\b",
    r"\b(?:next|last|this|every|nächste\w?|letzte\w?|jede\w?|próxim[oa]|cada) (?:week|month|year|day|morning|evening"
    r"|summer|winter|spring|autumn|weekend|woche|monat|jahr|tag|sommer|semana|mes|año|verano|mês|ano)\b",
    r"\b(?:spring|summer|autumn|winter|christmas|easter|weihnachten|ostern|navidad|noël|natale|natal|kerst)\b",
    r"\b(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|januari|februari|maart|mei|augustus)\b",
    r"\b\d{1,2}(?:st|nd|rd|th)\b",
)
_CAPITAL = r"[A-ZÀ-ÖØ-Þ]"
_DATE_NAMES = (
    "Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|March|März|April|May|Mai|June?|Juni|July?|Juli|Aug(?:ust)?|Sept?(?:ember)?"
    "|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?|Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?"
    "|Sundays?|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Christmas|Easter|Weihnachten|Ostern"
)
_PLACE = re.compile(
    r"\b(?:[Ii]n|[Aa]t|[Nn]ear|[Ff]rom|[Tt]o|[Bb]ei|[Bb]eim|[Ii]m|[Aa]us|[Nn]ach|[Ee]n|[Aa]u?|[Àà]|[Cc]hez|[Cc]erca de"
    r"|[Dd]e|[Dd]a|[Ee]m|[Nn][oa]|[Tt]e|[Bb]ij|[Uu]it|[Pp]resso) (?:(?:the|der|die|dem|den|la|le|el|il|o|a|un|una"
    rf"|einer?|an?|my|our) )?(?!(?:{_DATE_NAMES})\b){_CAPITAL}"
)
_NAME = re.compile(rf"(?<=[\w,:] ){_CAPITAL}[\w'-]*|\b(?:named|called|heißt|llama|appelle|chiama|chama|heet) \w")
_OWN = compile_any(
    r"\W{0,8}(?:(?:hi|hiya|hey|hello|ok|so|hallo|hola|salut|bonjour|ciao|olá|oi|hoi)\b\W{0,3}){0,2}"
    r"(?:mi chiamo|me llamo|me chamo|chamo-me|i|i'm|im|i've|am|is|was|works?|lives?|age|turned|turns|teaches|runs"
    r"|studies|retired|job|profession|tengo"
    r"|soy|trabajo|vivo|cumpl\w{1,3}|ich|j|je|ho|sono|lavoro|abito|tenho|sou|trabalho|moro|ik"
    r"|got|working|promoted|became|start(?:s|ed|ing)?|join(?:s|ed|ing)?|accepted|hired)\b"
)
_OWN_VERB = compile_any(
    r"\b(?:trabajo|vivo|tengo|soy|estoy|llamo|hago|juego|toco|estudio|conduzco|hablo|prefiero|tomo|debo|nací|peso|mido"
    r"|gano|desayuno|ceno|abito|lavoro|ho|faccio|gioco|suono|studio|guido|parlo|preferisco|prendo|devo|moro|trabalho"
    r"|tenho|sou|estou|chamo|faço|jogo|estudo|dirijo|falo|prefiro|nasci|minhas?|meus?|nossas?|miei|mie|nostr[oaie]|ik"
    r"|mij|mijn|ons|onze)\b"
)
_ELLIPSIS = compile_any(
    r"\A\W*(?!(?:really|why|how|who|when|where|seriously|sure|right|ok(?:ay)?|yes|no|and)\b)[^\W\d_][\w'-]+ ?\?+\s*\Z",
    r"\A\W*(?:and |so |y |et |und |e |en )?(?:what|which|any|how many|welche[srnm]?|quel(?:le)?s?|qué|cuál(?:es)?"
    r"|cuánt[oa]s|quale|quali|quanti|quante|qual|quais|quant[oa]s|welke?)"
    r"(?: (?!(?:is|are|was|were|do|does|did|has|have|can|will|should|would|time|day|date|people|one|of|on|in|at|about"
    r"|else)\b)[^\W\d_][\w'-]*){1,2}\W*\Z",
)
_SELF = compile_any(
    r"\b(?:i|i'm|i've|ich|je|j'\w+|yo|io|eu|ik)\b|\b(?:soy|tengo|trabajo|vivo|hago|lavoro|faccio|sono|sou|trabalho)\b",
    r"\b(?:my (?:job|work|profession)|mein beruf|meine arbeit|mon (?:métier|boulot|travail)|mijn (?:werk|baan))\b",
)
_QUESTION_START = compile_any(
    r"\W{0,8}(?:(?:de|a|con|en) )?(?:donde|cuando|quien(?:es)?|cual(?:es)?|cuant[oa]s?|como) (?:es|son|vivo|trabajo"
    r"|nac\w+|me|se|tengo|tiene[ns]?|estoy|estudio|vive|trabaja|años)\b|\W{0,8}(?:wo|wie|wann|wer|was|welche[rs]?|où"
    r"|quand"
    r"|quel(?:le)?s?|qui|comment|combien|dove|quando|chi|quanti|quale|come|onde|quem|qual|quantos|waar|wie|wanneer"
    r"|hoe|hoeveel|welke?)\b"
)


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """What a question asks for."""

    asked: re.Pattern[str]
    """The words that ask for it."""
    is_answer: Callable[[str], bool]
    """Whether a statement contains it."""
    is_reliable: bool = False
    """Whether other statements are certainly no answer."""
    names_itself: bool = False
    """Whether the words that ask for it occur in no answer, as "old"."""
    verbs: re.Pattern[str] | None = None
    """Further words of such questions that answers need not contain, as "turn"."""


def _has_date(text: str) -> bool:
    return any(word.code in _DATE_CODES for word in date_words(text)) or _CLOCK.search(text) is not None


def _contains(*patterns: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: any(pattern.search(text) for pattern in patterns)


AGE = QuestionKind(
    compile_any(
        r"\b(?:how old|what age|(?:what(?:'s| is)|tell me) (?:[\w']{1,20} ){1,3}age|wie alt|cu[aá]ntos años|qué edad"
        r"|quel âge|quanti anni|quantos anos|qual a idade|hoe oud)\b"
    ),
    _contains(_AGE),
    is_reliable=True,
    names_itself=True,
    verbs=compile_any(r"\b(?:turn(?:s|ed|ing)?|now|wird|wordt|cumple|va avoir|compie|faz)\b"),
)
COUNT = QuestionKind(
    compile_any(
        r"\b(?:how (?:many|much|high|heavy|tall)|wie ?viele?|wie (?:hoch|teuer|groß|schwer)|cu[aá]nt[oa]s?|combien"
        r"|quant[ioae]|quant[oa]s|hoeveel|hoe (?:hoog|duur|groot|zwaar))\b"
    ),
    _contains(_NUMBER),
    names_itself=True,
)
TIME = QuestionKind(
    compile_any(
        r"\b(?:when|what (?:time|day|date)|which (?:day|date)|wann|um wie ?viel uhr|an welchem tag|cu[aá]ndo|a qué hora"
        r"|qué día|quand|à quelle heure|quel jour|a che ora|che giorno|quando|a que horas|que dia|wanneer|hoe laat)\b"
    ),
    _has_date,
    is_reliable=True,
)
PLACE = QuestionKind(
    compile_any(r"\b(?:where|wo|woher|wohin|a?d[oó]nde|où|dove|onde|waar)\b|\A\W*ou\b"), _contains(_PLACE)
)
PERSON = QuestionKind(
    compile_any(r"\b(?:who|whom|wer|wem|wen|qui[eé]n(?:es)?|qui|chi|quem)\b|\bwie (?:is|zijn|was|ben)\b"),
    _contains(_NAME),
)
NAME = QuestionKind(
    compile_any(
        r"\b(?:names?|called|namen|heißt|heißen|heiße|nombres?|llaman?|prénoms?|appelle(?:nt)?|nomi|chiamano?|chiama"
        r"|nomes?|chamam?|heet|heten)\b"
    ),
    _contains(_NAME),
    is_reliable=True,
    names_itself=True,
)
JOB = QuestionKind(
    compile_any(
        r"\bwhat (?:do|does|did) .{1,60}? do(?: for work| for a living)?\W*\Z|\bwas (?:macht|mache|arbeite[tn]?)"
        r" .{1,60}|\bqué (?:hace|hago)\b|\ba qué se dedica|\ba qué me dedico|\bque fait .{1,60}|\bcosa fa(?:ccio)?\b"
        r"|\bje fais quoi\b|\bfais-je dans la vie\b"
        r"|\bche lavoro|\bo que .{0,60}?\b(?:faz|faço)\b|\bwat (?:doet|doe)\b"
    ),
    states_job,
    is_reliable=True,
)
REASON = QuestionKind(
    compile_any(r"\b(?:why|how come|warum|wieso|weshalb|por qué|pourquoi|perché|por que|porqu[eê]|waarom)\b"),
    _contains(
        compile_any(
            r"\b(?:because|cos|cause of|since|so that|due to|thanks to|weil|wegen|damit|porque|por culpa"
            r"|parce qu\w{1,2}|car|à cause|perché|a causa|por causa|omdat|vanwege)\b"
        )
    ),
    is_reliable=True,
)
ORIGIN = QuestionKind(
    compile_any(
        r"\A\W*where (?:am i|was i born|d(?:o|id) i come)(?: originally)?(?: from)?\W*\Z",
        r"\b(?:woher (?:komme|stamme) ich|wo bin ich (?:geboren|aufgewachsen)|de dónde soy|dónde nací"
        r"|waar kom ik vandaan|d'où (?:je viens|viens-je)|je viens d'où|di dove sono|da dove vengo"
        r"|de onde (?:eu )?(?:sou|venho))\b",
    ),
    _contains(
        compile_any(
            r"\b(?:from|born in|grew up in|native of|aus|geboren in|aufgewachsen in|soy de|nací en|viens d[eu]|née? à"
            r"|vengo da|sono di|nat[oa] a|sou d[eoa]|nasci em|kom uit|geboren in)"
            rf" (?:the |der |den |dem |la |el |les? )?(?-i:{_CAPITAL})"
        )
    ),
)
"""A question about the user's origin; `kind_of` takes it for one about a place."""
KINDS = (AGE, REASON, JOB, TIME, COUNT, PLACE, PERSON, NAME)


def kind_of(question: str) -> QuestionKind | None:
    """What a question asks for; None if its form does not tell."""
    return next((kind for kind in KINDS if kind.asked.search(question)), None)


def without_kind(question: str, kind: QuestionKind | None) -> str:
    """A question without the words that occur in no answer."""
    if kind is None or not kind.names_itself:
        return question.replace("for a living", "for work").replace("dans la vie", "travail")
    rest = kind.asked.sub(" ", question)
    return kind.verbs.sub(" ", rest) if kind.verbs else rest


def concerns_user(question: str) -> bool:
    """Check whether a question is about the user, also by a verb in the first person ("¿Dónde trabajo?")."""
    return is_personal(question) or has_own_verb(question) or is_elliptical(question)


def is_elliptical(question: str) -> bool:
    """Check for a question that only names a topic ("Which car?", "Any pets?")."""
    return _ELLIPSIS.match(question) is not None


def asks_about_self(question: str) -> bool:
    """Check whether a question is about the user's own actions, state or job ("Where do I work?")."""
    return _SELF.search(question) is not None


def has_own_verb(question: str) -> bool:
    """Check for a verb or pronoun in the first person, in languages that need no pronoun."""
    return _OWN_VERB.search(question) is not None


def is_about_self(statement: str) -> bool:
    """Check whether a statement begins with the user's own attribute ("Is 34 years old", "Tengo 34 años")."""
    return _OWN.match(statement) is not None


def states_own_origin(statement: str) -> bool:
    """Check whether a statement says where the user comes from ("Originally from Cork", "Is a plumber from Dundee")."""
    has_own_start = statement.casefold().startswith(("originally ", "from ", "born ", "came ", "grew up "))
    return (has_own_start or is_about_self(statement)) and ORIGIN.is_answer(statement)


def is_unmarked_question(clause: str) -> bool:
    """Check for a short question in another language than English without its marks ("donde trabajo")."""
    plain = plain_punctuation(clause)
    is_short = len(plain.split()) <= MAX_WORDS_WITHOUT_MARK
    return is_short and known_language(plain) != "en" and _QUESTION_START.match(plain) is not None


CONJUNCTIONS: dict[Language, str] = {
    "en": " and ",
    "de": " und ",
    "es": " y ",
    "fr": " et ",
    "it": " e ",
    "pt": " e ",
    "nl": " en ",
    "zh": "还有",
}
