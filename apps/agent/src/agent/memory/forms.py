"""The forms that the rules look for: patterns and word lists, nothing that decides.

Each pattern is anchored, or its repetitions are bounded: searching a text takes time linear in its length.
"""

import re
from dataclasses import dataclass

from agent.memory.clauses import FUTURE, any_of
from agent.types import Category

# How users speak of themselves


@dataclass(frozen=True, slots=True)
class Form:
    """A way to say something of oneself.

    `says` is the memory's text: `{o}` stands for the object, `{vs}` for the verb in the third person, and other
    names for what the pattern's groups of that name hold.
    """

    pattern: re.Pattern[str]
    says: str
    category: Category = "personal"
    confidence: float = 0.9

    @property
    def is_help(self) -> bool:
        """Whether it says how the assistant should help."""
        return self.says in (HELP, HELP_NOT)


def _form(pattern: str, says: str, category: Category = "personal", confidence: float = 0.9) -> Form:
    return Form(any_of(pattern), says, category, confidence)


_KIN = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|sons?|daughters?|child|children|kids?"
    r"|baby|mother|mom|mum|father|dad|parents|brothers?|sisters?|siblings?|grand\w{2,8}|uncle|aunt|cousins?"
    r"|niece|nephew|twins?|dogs?|cats?|pets?|horses?|parrots?|rabbits?|hamsters?|puppy|kitten)"
)
_HAVING = (
    rf"(?:{_KIN}|allerg\w{{1,4}}|asthma|diabetes|adhd|autism|dyslexia|epilepsy|migraines?|celiac|coeliac"
    rf"|arthritis"
    r"|insomnia|intolerance|anxiety|depression|degree|phd|licen[cs]e|house|flat|apartment|garden|car|bike"
    r"|bicycle)"
)
_BEING = (
    r"(?:allergic|intolerant|lactose|gluten|vegan|vegetarian|pescatarian|diabetic|celiac|coeliac|dyslexic"
    r"|autistic|deaf|blind|colou?r-?blind|left-handed|right-handed|bilingual|married|single|divorced|widowed"
    r"|engaged|retired|pregnant|self-employed|unemployed|freelanc\w{1,3}|from|based in|living in"
    r"|originally from|responsible for|fluent in|afraid of|scared of|jewish|muslim|christian|buddhist|hindu"
    r"|an? (?!bit\b|little\b|lot\b|tad\b|few\b|mess\b))"
)
_BUSY = (
    r"(?:working on|building|writing|developing|learning|studying|training for|planning|saving (?:up )?for"
    r"|organi[sz]ing|renovating|launching|designing)"
)
_DOING = (
    r"(?P<v>like|love|prefer|enjoy|hate|dislike|adore|live(?= (?:in|at|near|with|on|by|alone|outside|between"
    r"|abroad)\b)|work(?= (?:as|at|for|in|with|from|on|part|full|nights?|remotely)\b)|study|speak|play|own"
    r"|drive|teach|coach|volunteer|attend|collect|commute|practi[sc]e|use|code(?= in\b)|program(?= in\b)|eat"
    r"|drink|cook|wear(?= (?:glasses|contact|size|a|an|only)\b)|suffer(?= from\b)|believe(?= in\b)|run(?! "
    r"(?:into|out)\b)|manage|lead)"
)
_NOT_DOING = r"(?P<v>like|love|enjoy|live|work(?= (?:as|at|for|in|with)\b)|eat|drink|speak|own|use|play|drive|smoke)"
_DID = (
    r"(?:joined|founded|adopted|quit|switched (?:from|to)|started (?:a new job|working|at|my own)|bought "
    r"(?:an?|my)|got (?:married|engaged|divorced|an? (?:dog|cat|puppy|kitten|new job|promotion)))"
)
_NATION = (
    r"(?-i:[A-Z])(?:[a-z]{2,12}(?:ish|ese|ian|ean)|merican|erman|utch|reek|rench|wiss|zech|hai|elsh|exican"
    r"|frican|sian|sraeli|raqi|akistani|uban|oman)"
)
_NAME = r"(?-i:[A-Z][a-zé'-]+(?: [A-Z][a-zé'-]+){0,2})"
_HELPING = (
    r"(?:answer|reply|respond|explain|use|cite|include|format|summari[sz]e|translate|call me|address me|speak"
    r"|talk|ask|add|show|start|end|keep|write|convert|suggest|avoid|greet|tell me|remind me|give me|be "
    r"(?:brief|concise|short|formal|informal|friendly|polite|honest|direct|blunt|casual|precise|critical))\b"
)
_NOT_HELPING = (
    r"(?:(?:answer|reply|respond|explain|apologi[sz]e|call me|address me)\b|(?:use|include|add"
    r"|give me)\b.{0,40}\b(?:emojis?|bullets?|jargon|tables?|markdown|slang|lists?|headings?|disclaimers?"
    r"|exclamation\w{0,6}|links?))"
)
_KEEPING = (
    r"(?:(?:stop|avoid) (?:using|adding|writing|giving|answering|calling me|apologi[sz]ing)\b.*"
    r"|(?:keep|make) (?:all )?(?:your |the )?(?:answers|replies|responses|explanations)\b.+)"
)
_WILL = rf"(?:{FUTURE}[,:]? )?(?:please |kindly |i (?:want|need) you to |you (?:should|must) )?"
_AM = r"i(?:'?m| am) (?:also |now |currently |actually )?"
_JUST = r"i(?:'ve| have)? (?:just |recently )?"
_SOFT = r"(?:(?:really|also|just|absolutely|definitely|still|do|quite|now|currently|very much) ){0,2}"
_OFTEN = r"(?:(?P<often>usually|mostly|mainly|always|never|often|only|rarely|sometimes|no longer|generally) )?"
_MINE = r"(?P<who>(?:(?!(?:is|are|was|my|i|says?|said|that)\b)[\w'&/-]{1,30} ){0,4}[\w'&/-]{1,30})"
_KIN_DOES = r"(?:has|lives|works|plays|loves|likes|hates|studies|speaks|was born)"
_O = r" (?P<o>\S.*)"

HELP = "Wants the assistant to {o}"
HELP_NOT = "Wants the assistant not to {o}"
BELONGING = "{who} {be}{no} {o}"
WISH = "Wants {o}"
"""Lasts only when it is about answers: who wants a pizza has had it tomorrow."""

FORMS = (
    _form(rf"{_WILL}(?P<o>(?:always|never) {_HELPING}.*)", HELP, "preference"),
    _form(rf"{FUTURE}[,:]? (?:please )?(?:you (?:should |must )?)?(?P<o>{_HELPING}.+)", HELP, "preference"),
    _form(rf"(?:please )?(?:do not|don'?t)(?: ever)? (?P<o>{_NOT_HELPING}.*)", HELP_NOT, "preference", 0.8),
    _form(rf"(?:please )?(?P<o>{_KEEPING})", HELP, "preference", 0.85),
    _form(rf"(?:you can |please |just )?call me(?! (?:an?|at|on|in|any|again)\b){_O}", "Wants to be called {o}"),
    _form(rf"(?:people|(?:my )?friends|every(?:one|body)|they|most people) calls? me{_O}", "Is called {o}"),
    _form(rf"i go by{_O}", "Goes by {o}"),
    _form(rf"{_AM}(?:called|named){_O}", "Is called {o}"),
    _form(r"i used to (?P<o>(?:live|work|play|be|have|own|study|smoke|run|drive|teach)\b.*)", "Used to {o}"),
    _form(rf"{_JUST}moved (?P<o>(?:back |here )?(?:to|from|in|into|out of) .+)", "Moved {o}"),
    _form(r"i was born (?P<o>(?:in|on|at) .+)", "Was born {o}"),
    _form(r"i grew up (?P<o>(?:in|on|near|with|speaking) .+)", "Grew up {o}"),
    _form(rf"{_JUST}graduated (?P<o>(?:from|in|with) .+)", "Graduated {o}"),
    _form(rf"{_JUST}(?P<o>{_DID}\b.*)", "{o}", "personal", 0.85),
    _form(rf"{_AM}(?P<o>\d{{1,3}})(?: years? old| ?y/?o)?$", "Is {o} years old"),
    _form(rf"{_AM}(?P<o>{_BUSY} .+)", "Is {o}", "project", 0.85),
    _form(rf"{_AM}not (?P<o>{_BEING}.*)", "Is not {o}"),
    _form(rf"{_AM}(?P<o>{_BEING}.*|{_NATION}$)", "Is {o}"),
    _form(rf"{_AM}(?P<o>{_NAME})$", "Name is {o}", "personal", 0.8),
    _form(rf"i(?:'ve got| have got| have) (?P<o>(?:[\w'-]{{1,30}} ){{0,4}}{_HAVING}\b.*)", "Has {o}"),
    _form(rf"i (?:do not|don'?t) have (?P<o>(?:any |an? )?{_HAVING}\b.*)", "Does not have {o}"),
    _form(r"i (?:can'?t|cannot|can not) (?P<o>(?:eat|drink|stand|tolerate|drive|swim|smell)\b.*)", "Cannot {o}"),
    _form(r"i can (?P<o>(?:speak|play|drive|cook|read music) .+)", "Can {o}", "personal", 0.8),
    _form(rf"i (?:also )?(?:do not|don'?t) (?:really |even )?{_NOT_DOING}{_O}", "Does not {v} {o}"),
    _form(rf"i(?:(?:'d| would) (?:always |generally )?prefer| want){_O}", WISH, "preference", 0.8),
    _form(rf"i {_SOFT}{_OFTEN}{_SOFT}{_DOING}{_O}", "{often} {vs} {o}"),
    _form(rf"my (?P<who>(?:\w{{3,7}} )?{_KIN}) (?P<o>{_KIN_DOES} .+)", "{who} {o}", "personal", 0.85),
    _form(rf"my {_MINE} (?P<be>is|are)(?P<no> not)?{_O}", BELONGING, "personal", 0.95),
    _form(rf"my (?P<who>(?:\w{{1,12}} )?(?:name|nickname|surname|birthday|job))'s{_O}", "{who} is {o}"),
)
"""Tried in this order at the beginning of a clause; the first that fits counts."""

CATEGORIES: dict[str, Category] = {
    **dict.fromkeys(("like", "love", "prefer", "enjoy", "hate", "dislike", "adore"), "preference"),
    **dict.fromkeys(("use", "code", "program"), "technical"),
}
"""Of a verb; what is not here is of its form's category."""

ABOUT_ANSWERS = any_of(
    r"\b(?:answers|replies|responses|explanations|bullets?|bullet points?|emojis?|to be (?:answered"
    r"|addressed)|step[- ]by[- ]step|code examples|(?:(?:when|if|that|how) you|you to) (?:answer|reply"
    r"|respond|explain|write|use|keep|give|call|speak|ask))\b"
)
VAGUE = any_of(
    r"(?:(?:as|at|for|in|on|with|to|from|near|by)\s+)?(?:it|this|that|these|those|them|there|here|you|your"
    r"|him|her|what|how|when|where|why|one of|the (?:idea|way|fact|same|following)|nothing|something"
    r"|everything|anything)\b",
    r"to (?:think|say|know|see|thank|point|ask|hear|apologi[sz]e|note|add)\b|(?:later|back|tomorrow|maybe"
    r"|crazy)\b|(?:an?|the) (?:question|problem|issue|point)\b|(?:joined|adopted|quit|founded) (?:in|up|him"
    r"|her|it|them|us|one|this|that)\b|(?:to|in us|an? (?:\w+ )?fan)$",
)
"""Objects that mean nothing without the words before them."""

OWNED = any_of(
    r"(?:name|nickname|surname|number|address|phone|handle|username|pronouns?|birthday|birth|age|height|job|profession"
    r"|occupation|title|role|employer|company|business|startup|boss|manager|team|work|field|major|degree"
    r"|school|university|college|hometown|city|country|home|timezone|zone|language|tongue|nationality"
    r"|religion|friend|room-?mate|flat-?mate|neighbou?r|doctor|dentist|therapist|teacher|hobby|hobbies"
    r"|passion|interests?|instrument|sport|diet|allerg(?:y|ies)|size|car|bike|editor|os|stack|project|goal"
    r"|dream|plan|favou?rites?|preferred|preference|anniversary|wedding|email|website|blog|sign|type"
    rf"|{_KIN})(?:'s)?"
)
"""What of a user's own stays as it is for long."""

PASSING = any_of(
    r"(?:question|point|problem|issue|concern|guess|idea|thought|understanding|answer|code|query|error"
    r"|request|task|homework|assignment|opinion|view|argument|output|result|input|function|script|program"
    r"|file|test|data|bad|fault|mistake|turn|message|essay|text|passwords?|passphrase|pin|heart|head|back"
    r"|stomach|god)"
)
"""What of a user's own is about the moment."""

STATE = re.compile(
    r"(?:(?:a bit|very|so|too|really|quite|still|now|currently)\b|(?:always |not )?(?:broken|down|slow|sick"
    r"|ill|dead|late|here|there|empty|full|ready|done|wrong|stuck|gone|missing|fine|ok|okay|good|bad|great"
    r"|tired|to be|the (?:best|worst|same)|unclear|due|up|off|out|over|away|asleep|angry|upset|sad|happy|mad"
    r"|annoying|terrible|awful|hard|easy|mine|what|why|how|because|busy|unwell|(?:killing|driving|making"
    r"|getting|going|being|having|hurting|coming|running|acting|trying|looking|asking)(?= \w))\b)"
)
"""How something is for the moment."""

# What may never be remembered

KEYS = re.compile(
    r"(?<![\w-])(?:sk-(?=[\w-]{0,60}\d)[\w-]{20,}"  # OpenAI, Anthropic (sk-ant-), OpenRouter
    r"|[spr]k_(?:live|test)_[A-Za-z0-9]{16,}"  # Stripe
    r"|lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}"  # LangSmith
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])"  # AWS
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,}|glpat-[\w-]{20,}"  # GitHub, GitLab
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}"  # Slack
    r"|AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}"  # Google
    r"|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{40,}|gsk_[A-Za-z0-9]{40,}"
    r"|eyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{8,})"  # JSON Web Tokens, RFC 7519
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY"  # PEM, RFC 7468
    r"|\b[a-z][a-z0-9+]{1,20}://[^\s/:@]{1,100}:[^\s/@]{3,100}@[\w.-]"  # a password in an address
)
_CREDENTIAL = (
    r"\b(?:pass(?:word|phrase|code|wd)|pwd|pin(?:[ -]?(?:code|number))?"
    r"|(?:api|secret|access|account|encryption|licen[cs]e)[ _-]?(?:access[ _-]?)?key"
    r"|(?:access|auth|bearer|api|refresh|session)[ _-]?token|client[ _-]?secret|cvv|cvc"
    r"|(?:security|recovery|backup|verification|door|alarm|gate|safe)[ _-]code"
    r"|passwort|kennwort|mot de passe|contraseñ\w|wachtwoord)"
)
SECRETS = any_of(
    rf"{_CREDENTIAL}s?(?: (?:for|to|of|on|at) [^\n.:=?]{{1,40}}?)?"
    r"(?:\s{0,3}[:=]\s{0,3}|\s(?:is now|is|was|are|ist|lautet|est|es):?\s{1,3}(?:now |still |(?:set"
    r"|changed) to )?)(?P<value>[\"'`]?[^\s\"]{3,200})(?P<rest>[^\n]{0,2})"
)
"""A secret by its name, its value, and what follows."""

PHRASE = any_of(
    r"\b(?:seed|recovery|secret|pass|mnemonic)[ -]?phrase ?(?:is|:|=) ?(?!(?:too|not|the|an?|stored|in|on"
    r"|very|wrong|what|how|only|no|safe|my|as|used|for|something|that)\b)"
    r"(?:[a-z]{3,12}[ ,]{1,2}){2,24}[a-z]{3,12}"
)
NUMBER = any_of(
    r"\b(?:ssn|social security(?: (?:number|no\.?))?)\b[^\d\n]{0,15}\d{3}[ -]?\d{2}[ -]?\d{4}(?!\d)",
    r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])",
    r"\b(?:account|routing|sort|card|iban)[ -]?(?:number|no\.?|code|nr\.?)\b[^\d\n]{0,15}\d(?:[ -]?\d){5}",
)
NO_SECRET = any_of(
    r"(?:\w{0,30}(?:ed|ing|able|ible|ful|less|ly|ous|ive|ent|ect|est|ic|en)|wrong|weak|strong|too|very|not"
    r"|the|all|only|also|lost|reset|long|short|secure|safe|invalid|easy|hard|good|bad|fine|same|known|what"
    r"|here|there|mine|gone|stuck|never|always|null|none|true|false|empty|free|just|both|different|unknown"
    r"|old|new|two|how|why|when|where|something|nothing|[x*•.]{3,}.{0,30}|[<${\[(].{0,200}|.{0,80}(?:environ"
    r"|getenv|process\.env|secrets?\.|\.get\(|\(\)|[- ]bit).{0,200})"
)
"""What stands where a secret could, and is none."""

_RULES = (
    r"(?:instructions?|rules?|guidelines?|prompts?|polic(?:y|ies)|restrictions?|directives?|programming"
    r"|training|safeguards?|guardrails?|constraints?|safety (?:rules?|measures|filters?)|filters)\b"
)
_YOURS = (
    r"(?:(?:any|every|of|the|my|these|those|other)\s{1,3}){0,2}(?:(?:your|previous|prior|earlier|above"
    r"|preceding|system|developer|safety|existing|original|initial|current|all)\s{1,3}(?:of\s|the\s)?){1,3}"
    r"(?:\w{1,20}\s){0,2}"
)
_HIDING = (
    r"(?:tell (?:nobody|no one)|not tell|don'?t tell|(?:do not|don't|never) (?:tell|mention|reveal|admit"
    r"|disclose|inform)|without (?:telling|mentioning)|secretly)"
)
_EVERY = r"(?:every|each|all) (?:answers?|repl(?:y|ies)|responses?|messages?)\b"
_LINK = r"(?:https?:|www\.|!\[|<img)"
_SELLING = r"(?:recommend|promote|advertise|endorse|praise|plug|insert)"

ORDERS = any_of(
    r"\b(?:"
    r"(?<!\bi )(?<!\bwe )(?<!they )(?<!people )(?<!drivers )(?<!kids )(?:ignor(?:e|ing)|disregard(?:ing)?|forget"
    rf"|override|bypass|overrule|violate|break|drop)\s{{1,3}}{_YOURS}{_RULES}"
    rf"|(?<!\bi )(?:do not|don'?t|never|stop|refuse to) (?:follow|obey|apply|respect|heed)(?:ing)? {_YOURS}{_RULES}"
    r"|(?:ignore|disregard|forget) (?:everything|anything|all|whatever) (?:(?:that )?(?:you(?:'ve| have| were)"
    r" (?:been )?(?:told|taught|learned|instructed)|above|they told you))"
    r"|(?:new|updated|revised|real|true|actual|secret|hidden) (?:system )?(?:instructions?|rules|directives?)\s?:"
    r"|your (?:new|real|true|actual|only|secret|sole|hidden) (?:instructions?|task|goal|purpose|role|rules?|objective"
    r"|mission|directive|orders?)\b"
    r"|(?:(?<![\s\S])|(?<=[.!?:;,\n\"])|(?<=[.!?:;,\n\"] )|(?<=and )|(?<=so )|(?<=then )|(?<=now )|(?<=that ))"
    r"you(?:'re| are) now\b(?! (?:open|closed|on|at|in (?!\w{1,20} mode))\b)"
    r"|from (?:now|here) on,? (?:you(?:'re| are) (?!welcome\b)|act as if\b|pretend\b|obey\b)"
    r"|(?:your|the|this|new|current|original|updated|entire|full|hidden) (?:system|developer) (?:prompt|message"
    r"|instructions?)\b|(?:reveal|show|print|repeat|output|leak|display|dump|replace) (?:\w{1,10} )?system prompt"
    r"|(?:enable|enter|activate|switch to|in) (?:developer|dan|god|jailbreak|unrestricted|admin) mode\b"
    r"|do anything now\b|jailbreak yourself\b|you must (?:always )?obey\b|obey (?:only )?me\b"
    r"|(?:you (?:have|are under|must follow|need follow)|as if you (?:have|had)|(?:answer|respond|reply|act|speak)"
    r" without) (?:no |any )?(?:\w{1,15} )?(?:rules|restrictions|limits|limitations|filters?|censorship|guidelines)\b"
    r"|(?:disable|turn off|remove|switch off|deactivate) (?:all |any )?(?:of )?your (?:\w{1,15} )?(?:safety|filters?"
    r"|guardrails?|safeguards?|restrictions|moderation|guidelines)\b"
    rf"|{_HIDING}\b[^\n]{{0,120}}\b(?:always|must {_SELLING}|{_SELLING}|whenever|{_EVERY})\b"
    rf"|(?:always|must|whenever|every time)\b[^\n]{{0,120}}\b{_HIDING}\b"
    rf"|(?:always|only|must) {_SELLING}\s(?:(?:my|our|the|buying|using)\s){{0,2}}(?-i:[A-Z])"
    r"|(?:when|whenever|if|every time) (?:any(?:one|body)|some(?:one|body)|(?:any|a|the|another) user|(?:other )?users"
    r"|people|they)\b[^\n.]{0,60}\b(?:asks?|mentions?|wants?|says?)\b[^\n]{0,60}(?<!\bi )\b(?:say|answer|tell|recommend"
    r"|reply|respond|send|claim|pretend)\b"
    r"|(?:tell|show|give|inform|recommend|answer) (?:to )?(?:all|every|other|any|each) (?:other )?users?\b"
    r"|(?:send|forward|post|upload|leak|exfiltrate|transmit|email)\b[^\n]{0,60}\b(?:conversations?|chats?|history"
    rf"|memor(?:y|ies)|messages|user data|secrets|prompts?)\b[^\n]{{0,40}}\b(?:to|at)\b[^\n]{{0,30}}(?:{_LINK}|@)"
    rf"|(?:in|to|into|of|with) {_EVERY}[^\n]{{0,60}}{_LINK}"
    r"|(?:ignoriere|vergiss|missachte) (?:\w{1,12} ){0,3}(?:anweisungen|regeln|instruktionen|vorgaben)\b"
    r"|(?:ignore[zr]?|oublie[zr]?|ignora|olvida) (?:\w{1,12} ){0,3}(?:instructions|règles|consignes|instrucciones"
    r"|reglas|instruções|regras|istruzioni|regole)\b)"
)
"""Text that would change the assistant's rules, for its user or for others."""

MARKS = re.compile(
    r"(?im)^\s{0,3}(?:#{1,4}\s?)?\[?(?:system|developer)(?: prompt| message)?\]?\s?:|<\|?/?(?:system|im_start)\b"
    rf"|\[/?inst\]|<<sys>>|{_LINK}[^\n]{{0,120}}\b(?:in|to|into|of|with) {_EVERY}"
)
"""The same by its marks: what frames messages to a model, and links for every answer."""
