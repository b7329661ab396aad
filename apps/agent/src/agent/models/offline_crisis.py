"""Recognise messages about suicide, self-harm or an overdose, in eight languages.

The patterns are few and precise: "this traffic kills me" and "took 30 photos" are no emergencies, and an unnecessary
reply is less harmful than a missing one.
"""

import re
import unicodedata
from collections.abc import Mapping

from agent.language.parsing.sentences import compile_any, plain_punctuation
from agent.models.offline_language import Language

# What follows in "I want to die of embarrassment", and in "I no longer want to live in Berlin".
_NO_FIGURE_OF_SPEECH = {
    "en": (
        r"(?! (?:of(?! (?:this|my) (?:life|pain))|from|for (?:you|him|her|them|my|the|a)|laughing|knowing|rich|happy"
        r"|lol|haha|lmao|with (?:laughter|shame|embarrassment|boredom)|at (?:that|this|how)|some|an? \w+|off|loose"
        r"|out|shaving|in (?:work|coffee|chocolate|italy|peace))\b)"
    ),
    "de": r"(?! vor\b)",
    "es": r"(?! (?:de(?! una vez)|del)\b)",
    "fr": r"(?! (?:d|de|avec(?! (?:la|ma) vie| tout))\b)",
    "it": r"(?! (?:d|di|da|dal|dalla|dalle|con(?! la vita| tutto))\b)",
    "pt": r"(?! (?:de(?! vez)|do|da)\b)",
}
_NO_CIRCUMSTANCE = {
    "de": r"(?! (?:wie|in|mit|bei|als|neben|auf|hier|von|vor)\b)",
    "fr": r"(?! (?:a|avec|en|dans|chez|ici|comme|sur|pres)\b)",
    "it": r"(?! (?:a|con|in|da|qui|qua|cosi|nel|nella)\b)",
    "pt": r"(?! (?:a|com|em|no|na|aqui|assim|perto)\b)",
    "nl": r"(?! (?:in|met|bij|als|hier|op|van|naast)\b)",
}
_MANY = {
    "en": r"(?:[1-9]\d{1,2}|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|(?:a|one) hundred"
    r"|(?:way |far )?too many)",
    "de": r"(?:[1-9]\d{1,2}|zehn|zwolf|funfzehn|zwanzig|dreissig|vierzig|funfzig|hundert|zu viele)",
    "es": r"(?:[1-9]\d{1,2}|diez|doce|quince|veinte|treinta|cuarenta|cincuenta|cien|demasiad[oa]s)",
    "fr": r"(?:[1-9]\d{1,2}|dix|douze|quinze|vingt|trente|quarante|cinquante|cent|trop)",
    "it": r"(?:[1-9]\d{1,2}|dieci|dodici|quindici|venti|trenta|quaranta|cinquanta|cento|tropp[ei])",
    "pt": r"(?:[1-9]\d{1,2}|dez|doze|quinze|vinte|trinta|quarenta|cinquenta|cem|muit[oa]s)",
    "nl": r"(?:[1-9]\d{1,2}|tien|twaalf|vijftien|twintig|dertig|veertig|vijftig|honderd|te veel)",
}
_MEDICINE = (
    r"(?:paracetamol\w{0,2}|acetaminophen|panadol|tylenol\w?|doliprane\w?|tachipirin[ae]|ibuprofen\w{0,2}"
    r"|aspirin\w{0,2}|diazepam|valium|xanax|oxycodone|codeine|opioids?"
    r"|(?:sleeping |pain)?(?:pills?|tablets?|killers?)|(?:schlaf|schmerz|slaap)?(?:tabletten|pillen|mittel)"
    r"|pijnstillers|pastillas|comprimidos|comprimes|cachets|pilules|somniferes|pastiglie|compresse|pillole|sonniferi"
    r"|pilulas|remedios)"
)
_SINGLE_DOSE = (
    r"(?! (?:back|to (?:the|my|his|her)|over|during|this (?:week|month)|last (?:week|month)|per|a (?:day|week)))"
)

_PATTERNS: Mapping[Language, re.Pattern[str]] = {
    "en": compile_any(
        r"\b(?:don't|dont|do not) (?:want|wanna) (?:to )?be (?:here|alive|around) any ?more(?! (?:in|at|than)\b)",
        r"\b(?:want|wanna|going|gonna|plan(?:ning)?|decided|tried|trying|ready|tempted|need|about|like)"
        r" (?:to )?(?:just )?(?:kill(?:ing)?|hang(?:ing)?|unaliv(?:e|ing)|drown(?:ing)?|harm(?:ing)?|cut(?:ting)?)"
        r" (?:myself|my self)" + _NO_FIGURE_OF_SPEECH["en"],
        r"\b(?:think(?:ing)?|thoughts?|thought) (?:about|of) (?:suicide|(?:killing|hanging|harming|cutting|hurting)"
        r" myself|ending (?:it all|my life|my own life))\b",
        r"\b(?:want|wanna|going|gonna|plan(?:ning)?|decided|tried) (?:to )?(?:just )?(?:end my (?:own )?life|end it all"
        r"|take my (?:own )?life|commit suicide|hurt myself|jump (?:in front of|under) (?:a|the) (?:train|tube|bus|car"
        r"|truck))\b",
        r"\bi (?:(?:really|just|only|still|sometimes|often|honestly|so|do) ){0,2}(?:want to|wanna) (?:die|be dead)\b"
        + _NO_FIGURE_OF_SPEECH["en"],
        r"\b(?:don't|dont|do not|no longer) (?:really |even )?(?:want to|wanna) (?:be alive|live (?:anymore|any ?more"
        r"|any longer)|wake up (?:anymore|any ?more|ever again|tomorrow)|exist (?:anymore|any ?more)|go on living)\b"
        r"(?! (?:in|with|at|near|here|there)\b)",
        r"\b(?:don't|dont|do not|no longer) (?:really |even )?(?:want to|wanna) live\b *(?=$|[.,!?;])",
        r"\bi(?:'ll| will| might| may)(?: just)? kill myself\b" + _NO_FIGURE_OF_SPEECH["en"],
        r"\bi(?:'m| am|'ve| have)? (?:been )?(?:contemplating|considering|attempted) suicide\b"
        r"|\bi(?:'m| am|m| feel| have been|'ve been) (?:(?:feeling|so|very|really|actively) ){0,2}suicidal\b",
        r"\bi wish i (?:was|were) (?:dead|never born)\b|\b(?:i'd|i would) be better off dead\b"
        r"|\bbetter off without me\b|\bi (?:have )?(?:no|don't have a|dont have a) (?:reason|will) to live\b"
        r"|\bnothing (?:left )?to live for\b|\bi can(?:'t|not|t) go on living\b",
        r"\bi (?:self[- ]harm|cut my (?:wrists?|arms|thighs))\b|\b(?:i've|i'm|have been|am|started) (?:been )?"
        r"(?:self[- ]harming|(?:cutting|hurting|burning) myself (?:again|on purpose|to cope|every))",
        r"\b(?:took|taken|swallowed|taking) an overdose\b|\bi(?:'ve| have)?(?: just)? overdosed\b(?! on (?:coffee"
        r"|caffeine|chocolate|sugar|cake|sun|tv|cheese|christmas|news))"
        r"|\b(?:took|taken|swallowed) (?:the|a|an|my) (?:whole|entire|full) (?:bottle|box|pack(?:et)?) of " + _MEDICINE,
        rf"\b(?:took|taken|swallowed|ate|swallow) (?:about |around |over |like |at least |nearly |more than"
        rf" )?{_MANY['en']} (?:of (?:my|the|his|her) |of )?(?:(?:strong|sleeping|paracetamol|ibuprofen|xanax)"
        rf" )?{_MEDICINE}\b{_SINGLE_DOSE}",
    ),
    "de": compile_any(
        r"\b(?:will|mochte|werde|wollte) (?:(?:nur|noch|einfach|heute|jetzt|am liebsten) ){0,2}(?:mich"
        r" (?:(?:heute|jetzt|selbst|mit (?:tabletten|pillen)) )?(?:umbringen|toten|erhangen|verletzen|ritzen)|mir"
        r" (?:das leben nehmen|(?:et)?was antun))\b" + _NO_FIGURE_OF_SPEECH["de"],
        r"\bich (?:will|mochte) (?:(?:nur|noch|einfach|am liebsten|jetzt|endlich) ){0,3}(?:sterben|tot sein)\b"
        + _NO_FIGURE_OF_SPEECH["de"],
        r"\bich (?:will|mochte|kann|mag) (?:so |einfach ){0,2}nicht (?:mehr|langer|weiter) (?:(?:weiter)?leben|da sein"
        r"|aufwachen)\b" + _NO_CIRCUMSTANCE["de"],
        r"\bich (?:bring|bringe) mich (?:(?:heute|jetzt|bald) )?um\b(?! (?:die|den|das|zu))|\bich nehme mir das"
        r" leben\b",
        r"\b(?:habe|hab) (?:\w{1,12} ){0,2}(?:suizidgedanken|selbstmordgedanken)\b|\bich bin suizidal\b"
        r"|\bich denke (?:(?:oft|nur|viel|standig) ){0,2}(?:an selbstmord|an suizid|daran,? mich umzubringen)\b"
        r"|\bich ritze mich\b|\bmich selbst verletz\w{1,4}\b|\b(?:eine )?uberdosis (?:genommen|geschluckt)\b",
        rf"\b{_MANY['de']} {_MEDICINE} (?:auf einmal )?(?:genommen|geschluckt|eingenommen)\b",
    ),
    "es": compile_any(
        r"(?<!no )\bquiero (?:solo )?(?:morir|morirme|matarme|suicidarme|quitarme la vida|hacerme dano|acabar con mi"
        r" vida|estar muert[oa])\b" + _NO_FIGURE_OF_SPEECH["es"],
        r"(?<!no )\bme (?:quiero|voy a) (?:morir(?<!voy a morir)|matar|suicidar|quitar la vida)\b"
        + _NO_FIGURE_OF_SPEECH["es"],
        r"\bvoy a (?:matarme|suicidarme|quitarme la vida|acabar con mi vida)\b|\bintente (?:suicidarme|matarme)\b",
        r"\b(?:ya )?no quiero (?:seguir )?(?:vivir|viviendo)(?: mas)?\b *(?=$|[.,!?;])",
        r"\b(?:pienso|pensando|he pensado) en (?:el suicidio|suicidarme|matarme|quitarme la vida)\b"
        r"|\btengo ganas de morir(?:me)?\b" + _NO_FIGURE_OF_SPEECH["es"],
        r"\bme (?:autolesiono|corto (?:los brazos|las venas|las munecas))\b|\b(?:tome|tomado) una sobredosis\b",
        rf"\b(?:tome|tomado|trague|tragado) (?:unas |como |casi |mas de )?{_MANY['es']} (?:de )?{_MEDICINE}\b",
    ),
    "fr": compile_any(
        r"\bje (?:veux|voudrais|vais) (?:juste |vraiment )?(?:mourir(?<!vais mourir)|me tuer|me suicider"
        r"|me faire du mal|me pendre|en finir|m'ouvrir les veines|etre mort)\b" + _NO_FIGURE_OF_SPEECH["fr"],
        r"\bj'ai (?:tellement |vraiment |juste |toujours )?(?:envie|des envies) (?:de (?:mourir|me suicider|me tuer|me"
        r" faire du mal)|d'en finir)\b" + _NO_FIGURE_OF_SPEECH["fr"],
        r"\bje (?:ne |n')?(?:veux|peux) plus vivre\b" + _NO_CIRCUMSTANCE["fr"],
        r"\b(?:mettre fin a mes jours|idees suicidaires|pensees suicidaires|je suis suicidaire|je me scarifie)\b"
        r"|\bje pense (?:souvent |beaucoup )?(?:au suicide|a me (?:tuer|suicider))\b|\b(?:fait|pris) une overdose\b",
        rf"\b(?:pris|avale) (?:environ |au moins |plus de )?{_MANY['fr']} (?:de )?{_MEDICINE}\b",
    ),
    "it": compile_any(
        r"(?<!non )\bvoglio (?:solo |soltanto )?(?:morire|uccidermi|ammazzarmi|suicidarmi|farmi del male|farla finita"
        r"|togliermi la vita|essere mort[oa])\b" + _NO_FIGURE_OF_SPEECH["it"],
        r"(?<!non )\bmi (?:voglio|vado ad?) (?:ammazzare|uccidere|suicidare)\b" + _NO_FIGURE_OF_SPEECH["it"],
        r"\bnon voglio piu vivere\b" + _NO_CIRCUMSTANCE["it"],
        r"\b(?:penso|pensando) (?:(?:spesso|sempre) )?(?:al suicidio|(?:di|a) (?:suicidarmi|uccidermi|ammazzarmi))\b"
        r"|(?<!non )\bho (?:tanta )?voglia di morire\b|\b(?:preso|fatto) un'?overdose\b|\bmi taglio (?:le vene|i"
        r" polsi)\b",
        rf"\b(?:preso|ingoiato|inghiottito) (?:circa |piu di )?{_MANY['it']} (?:di )?{_MEDICINE}\b",
    ),
    "pt": compile_any(
        r"(?<!nao )\b(?:quero|queria) (?:so )?(?:morrer|me matar|matar-me|me suicidar|suicidar-me|me machucar"
        r"|(?:acabar com|tirar) a minha (?:propria )?vida|estar mort[oa])\b" + _NO_FIGURE_OF_SPEECH["pt"],
        r"\b(?:vou|tentei) (?:me matar|matar-me|me suicidar|suicidar-me|tirar (?:a )?minha (?:propria )?vida)\b"
        + _NO_FIGURE_OF_SPEECH["pt"],
        r"\b(?:nao quero mais viver|ja nao quero viver|nao quero viver mais|nao quero continuar (?:vivendo|a viver))\b"
        + _NO_CIRCUMSTANCE["pt"],
        r"\b(?:penso|pensando|pensei) em (?:suicidio|me matar|me suicidar|suicidar-me)\b"
        r"|\b(?:tenho|com|sinto) vontade de morrer\b|\b(?:tomei|tive) uma overdose\b|\beu me corto\b",
        rf"\b(?:tomei|tomou|engoli|engoliu) (?:uns |umas |cerca de |mais de )?{_MANY['pt']} (?:de )?{_MEDICINE}\b",
    ),
    "nl": compile_any(
        r"\bik (?:wil|ga|wou) (?:(?:gewoon|echt|alleen|nu|maar) ){0,2}(?:zelfmoord plegen|mezelf (?:van kant maken"
        r"|doden|ophangen|pijn doen|iets aandoen)|mezelf van het leven beroven|er een eind(?:e)? aan maken)\b",
        r"\bik wil (?:(?:gewoon|echt|alleen|nu|maar) ){0,2}(?:sterven|dood(?: zijn| gaan)?|doodgaan) *(?=$|[.,!?;])",
        r"\bik wil niet (?:meer|langer|verder) (?:verder )?leven\b" + _NO_CIRCUMSTANCE["nl"],
        r"\bik (?:denk|dacht) (?:(?:vaak|veel|steeds) )?aan zelfmoord\b|\bik ben suicidaal\b|\bik maak er een"
        r" eind(?:e)? aan\b|\bik snijd? mezelf(?! (?:bij|aan|met|tijdens|altijd bij))\b|\been overdosis genomen\b",
        rf"\b{_MANY['nl']} {_MEDICINE} (?:in ?een keer )?(?:genomen|ingenomen|geslikt)\b",
    ),
    "zh": compile_any(
        r"(?<!不)(?<!没)(?:想|要|准备|打算|决定)(?:去)?(?:自杀|自尽|轻生|结束(?:自己的|我的)?生命|了结(?:自己|我)|死(?:了算了|掉|了)?"
        r"(?=$|[，。,.!！?？\s])|割腕|跳楼(?!机|价)|上吊)",
        r"不想(?:再)?活(?:了|下去)|活(?:够了|不下去了?)|没有?活下去的(?:意义|理由|勇气)|我?(?:死了|不在了)(?:大家|别人|你们)(?:会|就)?更好",
        r"(?:伤害|弄伤|割伤)(?:我)?自己(?!的?感情)|(?:一直|又|开始|经常)自残|有自杀的?(?:念头|想法|倾向)",
        r"(?:吃|吞|服)(?:下)?了?(?:[1-9]\d{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一两]百|整瓶|一整瓶|半瓶)(?:多)?(?:片|粒|颗|瓶)?(?:的)?"
        r"(?:安眠药|止痛药|药片|药|布洛芬|扑热息痛|对乙酰氨基酚|地西泮)|(?:药物|服药|吃药)过量",
    ),
}


def language_of_crisis(message: str, language: Language) -> Language | None:
    """The language in which a message speaks of suicide, self-harm or an overdose; None if it does not.

    Args:
        message: the user's message.
        language: its probable language, which is tried first.
    """
    folded = _fold(message)
    ordered = sorted(_PATTERNS, key=lambda one: one != language)
    return next((one for one in ordered if _PATTERNS[one].search(folded)), None)


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", plain_punctuation(text).casefold())
    return " ".join("".join(char for char in decomposed if not unicodedata.combining(char)).split())
