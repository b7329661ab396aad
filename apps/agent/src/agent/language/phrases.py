"""Groups of words and phrases, the building blocks of `fact_patterns`.

They are regular expressions with bounded repetitions, compiled case-insensitively; `(?-i:…)` requires a capital.
"""

from agent.language.parsing import FROM_NOW_ON

RELATIVES = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|sons?|daughters?|child|children|kids?"
    r"|baby|mother|mom|mum|father|dad|parents|brothers?|sisters?|siblings?|grand\w{2,8}|uncle|aunt|cousins?"
    r"|niece|nephew|twins?|dogs?|cats?|pets?|horses?|parrots?|rabbits?|hamsters?|puppy|kitten)"
)
POSSESSIONS = (
    rf"(?:{RELATIVES}|all?erg\w{{1,4}}|asthma|diabetes|adhd|autism|dyslexia|epilepsy|migraines?|celiac|coeliac"
    rf"|arthritis"
    r"|insomnia|intolerance|anxiety|depression|degree|phd|licen[cs]e|house|flat|apartment|garden|car|bike"
    r"|bicycle)"
)
STATES = (
    r"(?:all?ergic|intolerant|lactose|gluten|vegan|vegetarian|pescatarian|diabetic|celiac|coeliac|dyslexic"
    r"|autistic|deaf|blind|colou?r[ -]?blind|(?:left|right)[ -]handed|hard of hearing|bilingual|married|single"
    r"|divorced|widowed"
    r"|engaged|retired|pregnant|self-employed|unemployed|freelanc\w{1,3}|from|based in|living in"
    r"|originally from|responsible for|fluent in|afraid of|scared of|on (?:an? (?:[\w-]{1,20} ){1,3}diet|insulin"
    r"|medication)|jewish|muslim|christian|catholic|protestant|buddhist|hindu|sikh|atheist|agnostic"
    r"|an? (?!bit\b|little\b|lot\b|tad\b|few\b|mess\b))"
)
ACTIVITIES = (
    r"(?:working on|building|writing|developing|learning|studying|training for|planning|preparing for"
    r"|saving (?:up )?for"
    r"|organi[sz]ing|renovating|restoring|launching|designing|migrating|raising|looking after|expecting(?= .{0,30}\b"
    r"(?:child|baby|twins|son|daughter)\b)|trying to(?= (?:eat|drink|lose|quit|learn|cut|stop|save|sleep|get fit)\b))"
)
HABIT_VERBS = (
    r"(?P<v>like|love|prefer|enjoy|hate|dislike|adore|live(?= (?:in|at|near|with|on|by|alone|outside|between"
    r"|abroad)\b)|work(?= (?:as|at|for|in|with|from|on|part|full|nights?|remotely)\b)|study|speak|play|own"
    r"|drive|teach|coach|volunteer|attend|collect|commute|practi[sc]e|use|code(?= in\b)|program(?= in\b)|eat"
    r"|drink|cook|wear(?= (?:glasses|contact|size|a|an|only)\b)|suffer(?= from\b)|believe(?= in\b)|run(?! "
    r"(?:into|out)\b)|manage|lead|maintain|deploy|listen(?= to\b)|look(?= after\b)|take(?= care of\b)|grow|breed"
    r"|raise|keep(?= (?:bees|chickens|hens|goats|sheep|horses)\b)|sell|sing|paint|swim|read(?= (?:mostly|mainly"
    r"|a lot)\b))"
)
NEGATABLE_VERBS = (
    r"(?P<v>like|love|enjoy|live|work(?= (?:as|at|for|in|with)\b)|eat|drink|speak|own|use|play|drive|smoke)"
)
LIFE_EVENTS = (
    r"(?:joined|founded|adopted|quit|switched (?:from|to)|retired from|turned \d{1,3}|started (?:a new job|working|at"
    r"|my own"
    r"|learning|playing|studying|teaching)|passed (?:my|the) (?:.{1,30} )?(?:exam|test)|(?:was|got) diagnosed with"
    r"|broke my|bought (?:an?|my|our)|sold (?:my|our)|got (?:married|engaged|divorced|an? (?:dog|cat|puppy|kitten"
    r"|new job|promotion)))"
)
NATIONALITY = (
    r"(?-i:[A-Z])(?:[a-z]{2,12}(?:ish|ese|ian|ean)|merican|erman|utch|reek|rench|wiss|zech|hai|elsh|exican"
    r"|frican|sian|sraeli|raqi|akistani|uban|oman)"
)
NAME = r"(?-i:[A-Z][a-zé'-]+(?: [A-Z][a-zé'-]+){0,2})"
ASSIST_VERBS = (
    r"(?:answer|reply|respond|explain|use|cite|include|format|summari[sz]e|translate|call me|address me|speak"
    r"|talk|ask|add|show|start|end|keep|write|convert|suggest|avoid|greet|tell me|remind me|give me|double-?check"
    r"|check|round|spell|quote|skip|assume|be "
    r"(?:brief|concise|short|formal|informal|friendly|polite|honest|direct|blunt|casual|precise|critical))\b"
)
UNWANTED_STYLES = (
    r"(?:(?:answer|reply|respond|explain|apologi[sz]e|call me|address me|sugar-?coat|lecture|patroni[sz]e|flatter"
    r"|ramble)\b|(?:use|include|add"
    r"|give me)\b.{0,40}\b(?:emojis?|bullets?|jargon|tables?|markdown|slang|lists?|headings?|disclaimers?"
    r"|exclamation\w{0,6}|links?))"
)
STYLE_REQUESTS = (
    r"(?:(?:stop|avoid) (?:using|adding|writing|giving|answering|calling me|apologi[sz]ing|ending|starting|asking"
    r"|repeating|saying|calling)\b.*"
    r"|(?:keep|make) (?:all )?(?:your |the )?(?:answers|replies|responses|explanations)\b.+)"
)
INSTRUCTION_START = (
    r"(?:no|just|only|always|never|do not|don'?t|show|give|answer|reply|respond|explain|use|include|start|add)\b"
)
PLEASE = r"(?:please|pls|plz|kindly)"
REQUEST_PREFIX = (
    rf"(?:{FROM_NOW_ON}[,:]? )?(?:{PLEASE} |i (?:want|need|would like) you to |i'd like you to |you (?:should|must) )?"
)
I_AM = r"i(?:'?m| am) (?:also |now |currently |actually )?"
WE_ARE = r"(?:i(?:'?m| am)|we(?:'?re| are)) (?:also |now |currently |actually )?"
I_JUST = r"(?:i|we)(?:'?ve| have)? (?:just |recently )?"
ADVERBS = r"(?:(?:really|also|just|absolutely|definitely|still|do|quite|now|currently|very much) ){0,2}"
FREQUENCY = r"(?:(?P<often>usually|mostly|mainly|always|never|often|only|rarely|sometimes|no longer|generally) )?"
OWNED = r"(?P<who>(?:(?!(?:is|are|was|my|i|says?|said|that)\b)[\w'&/-]{1,30} ){0,4}[\w'&/-]{1,30})"
RELATIVE_VERBS = (
    r"(?:has|lives|works|plays|loves|likes|hates|studies|speaks|teaches|runs|owns|drives|eats|was born|moved to"
    r"|(?:doesn'?t|does not|can'?t|cannot) (?:have|live|work|play|like|speak|eat|drink|drive|hear|see|walk|read))\b"
)
ATTRIBUTES = r"(?:name|deadline|due date|birthday|age|colou?r|make|model|address|size|title|topic|subject)"
INABILITIES = r"(?:doesn'?t|does not|can'?t|cannot) (?:drive|drink|smoke|swim|walk|see|hear|speak|read)$"
COMPANY = r"(?:startup|company|business|shop|team|lab|band|employer|firm|studio)"
COMPANY_VERBS = r"(?:makes|builds|sells|uses|develops|runs on|employs|has|is based in)\b"
HABIT_ADVERBS = r"(?P<often>usually|mostly|mainly|always|never|only|rarely|seldom|hardly ever|generally)"
NON_HABIT_VERBS = (
    r"(?:ask|ate|be|been|came|did|do|fail|feel|felt|forget|found|gave|get|got|had|have|hear|heard|just|knew|know|lost"
    r"|made|mean|met|need|read|said|saw|see|seem|sent|tell|think|thought|told|took|tried|try|understand|understood|want"
    r"|was|went|wonder|wrote)\b"
)
CHOICES = r"(?:option|version|answer|variant|choice|suggestion)\b"
ROLES = (
    r"(?:vegetarian|vegan|pescatarian|diabetic|parent|mother|father|mum|mom|dad|student|teacher|nurse|doctor|lawyer"
    r"|engineer|developer|programmer|designer|musician|writer|farmer|beginner|freelancer|manager|scientist|researcher)"
)
OBJECT = r" (?P<o>\S.*)"
