"""Patterns of clauses in which users say how they want to be helped."""

from agent.language.facts.templates import CONDITIONAL, INSTRUCTION, PROHIBITION, WISH, FactPattern, rule
from agent.language.parsing.sentences import FROM_NOW_ON, WHENEVER_I

_ASSIST_VERBS = (
    r"(?:answer|reply|respond|explain|use|list|provide|give(?! up\b| in\b| way\b)|cite|include|format|summari[sz]e"
    r"|translate|call me|address me|speak"
    r"|talk|ask|add|show|start|end|keep|write|convert|suggest|avoid|greet|tell me|remind me|give me|double-?check"
    r"|check|round|spell|quote|skip|assume|be "
    r"(?:brief|concise|short|formal|informal|friendly|polite|honest|direct|blunt|casual|precise|critical))\b"
)
_UNWANTED_STYLES = (
    r"(?:(?:(?:answer|reply|respond|explain)\b(?! (?:that|this|it)\b)|apologi[sz]e|call me|address me|sugar-?coat"
    r"|lecture|patroni[sz]e|flatter|ramble)\b"
    r"|(?:use|include|add|give me)\b.{0,40}\b(?:emojis?|bullets?|jargon|tables?|markdown|slang|lists?"
    r"|headings?|disclaimers?|exclamation\w{0,6}|links?))"
)
_STYLE_REQUESTS = (
    r"(?:(?:stop|avoid) (?:using|adding|writing|giving|answering|calling me|apologi[sz]ing|ending|starting|asking"
    r"|repeating|saying|calling)\b.*"
    r"|(?:keep|make) (?:all )?(?:your |the )?(?:answers|replies|responses|explanations)\b.+)"
)
_INSTRUCTION_START = (
    r"(?:no|just|only|always|never|do not|don'?t|show|give|answer|reply|respond|explain|use|include|start|add)\b"
)
PLEASE = r"(?:please|pls|plz|kindly)"
_REQUEST_PREFIX = (
    rf"(?:{FROM_NOW_ON}[,:]? )?(?:{PLEASE} |i (?:want|need|would like) you to |i'd like you to |you (?:should|must) )?"
)


def _instruction(pattern: str, template: str = INSTRUCTION, confidence: float = 0.9) -> FactPattern:
    return rule(pattern, template, confidence, "preference")


INSTRUCTION_PATTERNS = (
    _instruction(rf"{_REQUEST_PREFIX}(?P<o>(?:always|never) {_ASSIST_VERBS}.*)"),
    _instruction(rf"{FROM_NOW_ON}[,:]? (?:please )?(?:you (?:should |must )?)?(?P<o>{_ASSIST_VERBS}.+)"),
    _instruction(rf"{_REQUEST_PREFIX}(?P<o>{_ASSIST_VERBS}.{{1,120}}?) {FROM_NOW_ON}$"),
    _instruction(rf"(?:{PLEASE} )?(?:do not|don'?t)(?: ever)? (?P<o>{_UNWANTED_STYLES}.*)", PROHIBITION, 0.8),
    _instruction(rf"(?:{PLEASE} )?(?P<o>{_STYLE_REQUESTS})", confidence=0.85),
    _instruction(
        rf"(?:{PLEASE} )?(?P<o>(?:always )?be (?:(?:\w{{3,12}}ly )?(?:honest|direct|blunt|brief|concise|critical"
        rf"|frank|strict)"
        r" (?:with me|in your answers)).*)"
    ),
    _instruction(
        rf"(?:{PLEASE} )?(?P<o>explain (?:things|everything)(?: to me)? (?:step[- ]by[- ]step|in|with|like) ?.*)"
    ),
    _instruction(
        r"(?P<o>no (?:more )?(?:emojis?|bullet points|bullets|jargon|small talk|disclaimers|apologies|fluff|spoilers))"
        r"(?: ever| please| at all|,? please|,? thanks)*$",
        CONDITIONAL,
        0.8,
    ),
    _instruction(
        rf"(?P<o>(?:short|brief|concise|long|detailed|simple) (?:answers|replies|responses|explanations)(?: only)?)"
        rf"(?:,? (?:{PLEASE}|always)){{0,2}}$",
        WISH,
        0.8,
    ),
    _instruction(rf"(?:{PLEASE} )?(?P<o>(?:speak|talk) to me (?:like|as|in) .+|treat me (?:like|as) .+)"),
    _instruction(rf"(?P<o>{WHENEVER_I}, (?:{PLEASE} )?{_INSTRUCTION_START}.+)", CONDITIONAL, 0.85),
)
