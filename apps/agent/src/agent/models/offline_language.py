"""The language of a message, for the fixed phrases of the offline model.

Messages in a chat are often too short for `agent.language.parsing.function_words.language_of`, which needs several
function words: "¿Dónde trabajo?" contains none that Portuguese lacks.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal, get_args

from agent.language.parsing.function_words import language_of
from agent.language.text_cache import cache_per_user

Language = Literal["en", "de", "es", "fr", "it", "pt", "nl", "zh"]

LANGUAGES: tuple[Language, ...] = get_args(Language)
MAX_CHARS = 500  # the rest of a message does not matter for its language
_LANGUAGE_OF_WEIGHT = 2  # words

_WORD = re.compile(r"[^\W\d_]+")
_SIGNS: dict[Language, re.Pattern[str]] = {
    "de": re.compile("[ßäöü]"),
    "es": re.compile("[¿¡ñ]"),
    "fr": re.compile(r"[œêûë]|\bç"),
    "pt": re.compile("[ãõ]"),
}
# Words of short messages about oneself: questions, pronouns, relatives and common verbs in the first person.
_MARKERS: dict[Language, str] = {
    "en": (
        "i my what where who when which how why is are do does did am was the and have has hello hi hey thanks you"
        " your of with not can please tell remember want took me it im in on at so an to into for translate write"
        " give make he she they we our no forget delete"
        " im ive whats whos wheres whens hows dont doesnt didnt isnt cant wont last used"
    ),
    "de": (
        "ich mein meine meinen meinem meiner mich mir bin habe hab wohne wohnt arbeite arbeitet heiße heißt heisse"
        " heisst mag nicht kein keine und ist wo wie wer wann welche welcher welches warum wieviel vielen dank danke"
        " hallo guten bitte sind seit uns unser unsere jahre alt tochter sohn frau mann hund katze ein eine der die"
        " das den du kannst spiele spielt esse isst möchte moechte will mehr leben tabletten moin servus gut immer"
        " steht termin termine"
        " vergiss merk was macht mache geht beruf kinder schwester bruder mutter vater lerne viel darf neue neuen neuer"
        " lernt lebt kommt kaufte gekauft hat hatte studiert trinkt fährt liebt"
        " konto daten erinnerungen nein doch um uhr ja"
        " gedächtnis schalte gespräch kosten kostet welchem wen wem wohin woher bei beim zum zur im am"
    ),
    "es": (
        "qué quién quien dónde donde cuándo cuando cuánto cuántos cuántas cuantos cuantas cuál cual cómo como vivo"
        " vive trabajo trabaja tengo tiene soy estoy llamo llama mi mis me y el los las un una en del hija hijo mujer"
        " marido esposo esposa perro perra gato años hola gracias buenos buenas gusta juego toco yo muy pero hermana"
        " hermano madre padre quiero no por favor te dije conté hablé ayer hoy semana pasada"
        " tomo hice hago eres morirme estudio pastillas he novia novio"
        " olvida recuerda borra que hermanos hijos hijas nuestro nuestra al con gano cobro bebo hablo leo corro"
        " conduzco nací voy vengo para por mucho mes está cita al jueves viernes lunes miércoles"
        " la tu desactiva activa memoria esta conversación cuenta datos recuerdos exporta sabes mí"
    ),
    "fr": (
        "où quel quelle quels quelles qui que quoi comment combien quand est ce je j ai habite travaille appelle mon"
        " ma mes enfants gagne bois parle lis cours dors avec dans"
        " suis fille fils mari femme chien chat ans bonjour salut bonsoir merci aime sœur soeur frère mère père"
        " et chez le la les des une un en à au pas veux voudrais joue mange fait tu t dit parlé hier oublie retiens"
        " ta cette mémoire désactive réactive données souvenirs compte sais moi exporte importe supprime"
    ),
    "it": (
        "dove chi cosa quale quali quando quanti quante quanto come perché abito vivo abita vive lavoro lavora ho"
        " sono mio mia miei mie figlia figlio marito moglie cane gatto anni ciao grazie buongiorno buonasera chiamo"
        " chiama piace sorella fratello madre padre mi che il un una e è di età non ha voglio suono gioco sei"
        " dimentica ricorda al con ti detto parlato raccontato oggi ieri guadagno parlo leggo mese"
        " la tua memoria disattiva riattiva questa conversazione dati ricordi esporta sai"
    ),
    "pt": (
        "onde quem qual quais quando quantos quantas como moro mora vivo vive trabalho trabalha tenho tem sou estou"
        " meu minha meus minhas filha filho marido mulher esposa cachorro cachorra cão gato anos olá oi obrigado"
        " obrigada chamo chama gosto irmã irmão mãe pai eu não disse contei falei ontem anteontem hoje semana passada"
        " passado te o na um uma idade que é quero tomei você esquece lembra"
        " ganho mês leio estudo falo bebo jogo faço nasci filhos filhas nosso nossa dos das em"
        " memória desativa reativa desliga esta conversa dados memórias conta exporta sabes mim"
    ),
    "nl": (
        "waar wie wat hoe wanneer welke hoeveel ik mijn mij ben heb woon woont werk werkt heet dochter zoon vrouw man"
        " hond kat jaar hallo hoi dank je bedankt jarig niet een het en zus broer moeder vader is in de speel wil oud"
        " vergeet onthoud verteld gezegd gisteren vandaag vorige"
        " herinner eraan moet doen gepland geheugen gesprek zet aan uit gegevens herinneringen account weet"
    ),
}
_LANGUAGES_OF: dict[str, list[Language]] = {}
for _language, _words in _MARKERS.items():
    for _word in _words.split():
        _LANGUAGES_OF.setdefault(_word, []).append(_language)


_HAN = re.compile("[\u3400-\u9fff]")
_JAPANESE_OR_KOREAN = re.compile("[\u3040-\u30ff\uac00-\ud7af]")
# A lower-case word with a letter that none of these languages has, but Polish, Turkish or Czech.
_OTHER_LETTERS = re.compile(r"\b(?![A-Z\u00c0-\u00deŁŚŹŻŞŘŤŮĚ])[^\W\d_]*[ąćęłńśźżğ\u0131şřťůěőű]")


@cache_per_user(maxsize=4096)
def known_language(text: str) -> Language | None:
    """The language of a short text; None if its words do not tell, or if it is none of `LANGUAGES`."""
    if _OTHER_LETTERS.search(text[:MAX_CHARS]):
        return None
    if _is_chinese(text[:MAX_CHARS]):
        return "zh"
    text = text[:MAX_CHARS].casefold()
    counts = Counter[Language](one for word in _WORD.findall(text) for one in _LANGUAGES_OF.get(word, ()))
    counts.update(one for one, sign in _SIGNS.items() if sign.search(text))
    spoken = None if _HAN.search(text) else language_of(text)  # "I like 火锅" is English
    if spoken in LANGUAGES:
        counts[spoken] += _LANGUAGE_OF_WEIGHT
    elif spoken:
        return None
    most = max(counts.values(), default=0)
    best = [one for one, count in counts.items() if count == most]
    return "en" if "en" in best else best[0] if len(best) == 1 else None


def _is_chinese(text: str) -> bool:
    """Check whether a text has more Chinese characters than words in other scripts."""
    characters = len(_HAN.findall(text))
    others = sum(not _HAN.search(word) for word in _WORD.findall(text)) if characters else 0
    return characters > others and not _JAPANESE_OR_KOREAN.search(text)


def language_of_message(message: str, earlier: Iterable[str] = (), statements: Iterable[str] = ()) -> Language:
    """The language of a message, else of the latest earlier message that tells, else of most statements, else English.

    Args:
        message: the user's message.
        earlier: the user's earlier messages in the thread, the latest last.
        statements: what the user said in other threads; English ones may be translations.
    """
    texts = (message, *reversed(list(earlier)))
    if language := next((language for text in texts if (language := known_language(text))), None):
        return language
    counts = Counter(language for text in statements if (language := known_language(text)) and language != "en")
    return counts.most_common(1)[0][0] if counts else "en"
