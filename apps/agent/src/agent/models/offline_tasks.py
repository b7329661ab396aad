"""Requests that need a language model: tasks, instructions and advice, for which few memories of the user matter."""

from agent.language.parsing.sentences import compile_any
from agent.models.offline_questions import has_own_verb

_TASK = compile_any(
    r"\bhow (?:do|can|could|would|should|does) (?:i|we|you|one)\b(?! (?:\w+ ){0,3}?me\b)|\bhow to\b"
    r"|\bwie (?:kann|könnte|soll|sollte|lerne"
    r"|mache|repariere|koche|baue|schreibe) (?:ich|man|wir)\b",
    r"\bcómo (?:puedo|podemos|se puede|se hace|hago)\b|\bcomment (?:puis-je|je peux|peut-on|faire|on)\b|\bcome (?:posso"
    r"|si fa|faccio a|possiamo)\b|\bcomo (?:posso|faço|se faz|podemos)\b|\bhoe (?:kan|moet|maak|leer) (?:ik|je|men)\b",
    r"\A\W*(?:(?:please|can you|could you|would you|help me(?: to)?) )*(?:write|draft|compose|translate|proofread"
    r"|fix|correct"
    r"|summari[sz]e|rewrite|explain|describe|calculate|convert|define|list|tell me (?:a|about)|give me (?:a|an"
    r"|some))\b",
    r"\A\W*(?:(?:bitte|kannst du) )*(?:schreib\w?|übersetz\w?|erklär\w?|korrigier\w?|berechne)\b|\A\W*(?:escríbe\w*"
    r"|escribe|traduce|explica\w*|explíca\w*|écris|traduis|explique|scrivi\w*|traduci|spiega\w*|escreve|traduz|schrijf"
    r"|vertaal|leg uit)\b",
)
_ADVICE = compile_any(
    r"\b(?:should|can|could|shall|may|might|would) (?:i|we|you)\b|\b(?:recommend|suggest|ideas?|advi[cs]e|tips?|help"
    r"|plan|what to)\b",
    r"\b(?:soll\w{0,3}|kann\w{0,2}|könn\w{1,4}|darf|dürf\w{1,4}) (?:ich|wir|du)\b|\b(?:empfiehl|empfehl\w{1,3}"
    r"|schlag|tipps?"
    r"|ideen?)\b",
    r"\b(?:puedo|podemos|puedes|debo|debería|recomi\w{3,6}|consejos?|sugi\w{3,6})\b|\b(?:puis-je|je peux|peux-tu"
    r"|dois-je"
    r"|devrais|conseil\w{0,4}|recommand\w{1,4}|idées?)\b",
    r"\b(?:posso|possiamo|puoi|dovrei|devo|consigli\w{0,2}|idee)\b|\b(?:podemos|podes|deveria|recomend\w{1,4}"
    r"|sug[ei]r\w{1,5}"
    r"|dicas?)\b|\b(?:kan|moet|zal|mag) (?:ik|je|we)\b|\b(?:aanraden|tips?)\b",
    r"应该|应當|該不該|推荐|推薦|建议|建議|适合|可以|能不能|怎么办",
)
_FIRST_PERSON = compile_any(
    r"\b(?:i|i'\w{1,2}|me|my|mine|myself|we|we'\w{1,2}|our|us|ich|mein\w*|mir|mich|wir|unser\w*|uns|mi|mis|yo|nos"
    r"|nuestr[oa]s?|je|mon|ma|mes|moi|nous|notre|mio|mia|miei|noi|meus?|minhas?|noss[oa]s?|eu|ik|mijn|mij|ons"
    r"|onze)\b|\bj'|[我咱]"
)


def is_task(question: str) -> bool:
    """Check for a request for instructions or a text, whose answer is not about the user."""
    return _TASK.search(question) is not None


def asks_for_advice(question: str) -> bool:
    """Check for a request for a recommendation, or for something about a day ("What's on tonight?")."""
    is_personal = has_own_verb(question) or _FIRST_PERSON.search(question) is not None
    return _ADVICE.search(question) is not None or not is_personal
