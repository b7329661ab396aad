"""Patterns of clauses in which users describe themselves."""

from agent.language.facts.filters import RELATIVES
from agent.language.facts.instruction_patterns import INSTRUCTION_PATTERNS, PLEASE
from agent.language.facts.templates import CONTRACTED, HABIT, NAMED, NO_OBJECT, POSSESSIVE, WISH, rule

# Building blocks of the patterns; `(?-i:…)` requires a capital.
_POSSESSIONS = (
    rf"(?:{RELATIVES}|all?erg\w{{1,4}}|asthma|diabetes|adhd|autism|dyslexia|epilepsy|migraines?|bad (?:back|knees?"
    rf"|hips?)|celiac|coeliac"
    r"|arthritis|insomnia|intolerance|anxiety|depression|degree|phd|licen[cs]e|house|flat|apartment|garden|car|bike"
    r"|bicycle)"
)
_STATES = (
    r"(?:(?!really|only|actually|probably|hardly)[a-z]{3,12}ly )?(?:red-green )?(?:all?ergic|asthmatic|intolerant"
    r"|lactose|gluten|vegan|vegetarian|pescatarian|diabetic|celiac|coeliac|dyslexic|autistic"
    r"|deaf|blind|colou?r[ -]?blind|(?:left|right)[ -]handed|hard of hearing|bilingual|married|single|divorced|widowed"
    r"|engaged(?! in\b)|retired|pregnant|self-employed|unemployed|freelanc\w{1,3}|from|based in|living in"
    r"|originally from"
    r"|responsible for|the (?:oldest|eldest|youngest|middle|only) |in my (?:\w{4,7}) year (?:of|at) |fluent in"
    r"|afraid of|scared of|on (?:an? (?:[\w-]{1,20} ){1,3}diet|insulin|medication)|jewish"
    r"|muslim|christian|catholic|protestant|buddhist|hindu|sikh|atheist|agnostic"
    r"|into (?!this\b|it\b|the\b|that\b)|on the (?:autism |adhd )?spectrum"
    r"|an? (?!(?:\w{1,12} )?(?:bit|little|lot|tad|few|hour|minute|customer|user|subscriber|stranger|mess|idiot|genius"
    r"|wreck|zombie|disaster|fool|moron|loser|ghost"
    r"|joke"
    r"|millionaire|failure|burden|god|goddess|legend|machine|potato|vampire)\b))"
)
_ACTIVITIES = (
    r"(?:working on|building|writing(?! to\b)|developing|learning|studying|training for|planning|preparing for"
    r"|saving (?:up )?for"
    r"|organi[sz]ing|renovating|restoring|launching|designing|migrating|raising|looking after|expecting(?= .{0,30}\b"
    r"(?:child|kid|baby|boy|girl|twins|son|daughter)\b)|trying to(?= (?:eat|drink|lose|quit|learn|cut|stop|save|sleep"
    r"|get fit)\b))"
)
_HABIT_VERBS = (
    r"(?P<v>like|love|prefer|enjoy|hate|dislike|adore|live(?= (?:in|at|near|with|on|by|alone|outside|between"
    r"|abroad)\b)|work(?= (?:as|at|for|in|with|from|on|part|full|nights?|remotely)\b)|study"
    r"|speak(?! (?:fluent sarcasm|from|for|up|out|with|about|too)\b)|play|own(?! up\b)|drive"
    r"|smoke|vape|teach"
    r"|coach|volunteer|attend|collect(?! (?:data|logs|metrics|my|the)\b)|commute|practi[sc]e|use|code(?= in\b)"
    r"|program(?= in\b)|eat|drink|cook"
    r"|wear(?= (?:glasses|contact|size|a|an|only)\b)|suffer(?= from\b)|believe(?= in\b)|run(?! (?:into|out)\b)|manage"
    r"|lead|maintain|deploy|listen(?= to\b)|look(?= after\b)|take(?= care of\b)|grow(?! (?:older?|up|impatient|tired"
    r"|weary|fond|apart|increasingly)\b)|breed|raise"
    r"|keep(?= (?:bees|chickens|hens|goats|sheep|horses)\b)|sell|sing|paint|swim|read(?= (?:mostly|mainly|a lot)\b))"
)
_NEGATABLE_VERBS = (
    r"(?P<v>like|love|enjoy|live|work(?= (?:as|at|for|in|with)\b)|eat|drink|speak|own|use|play|drive|smoke)"
)
_NO_HABITS = (
    r"(?:know|want|need|have|see|get|care|think|understand|believe|remember|feel|trust|mind|recall|hear|say|mean|seem"
    r"|find"
    r"|wish|hope|expect|recogni[sz]e|bother|do|be|give|take|make|even|go there|come)\b"
)
_FOODS = (
    r"(?:coffee|tea|alcohol|meat|sugar|dairy|gluten|cigarettes|carbs|caffeine|chocolate|wine|beer|bread|fish|pork|beef"
    r"|soda|cheese|milk|eggs|social media|smoking|drinking|vaping|gambling)\b"
)
_PASTIMES = (
    r"(?:being|eating|drinking|smoking|vaping|using|playing|working (?:at|for|as|in|from)|taking|doing|running|wearing"
    r"|learning|studying|liking|loving|enjoying|driving|dancing|swimming|teaching|going to|cycling|volunteering"
    r"|singing)\b"
)
_LIFE_EVENTS = (
    r"(?:joined|founded|adopted|switched (?:over )?(?:from|to)|retired from|turned \d{1,3}(?! into)"
    rf"|(?:stopped|quit) {_PASTIMES}|(?:quit|stopped having) {_FOODS}"
    r"|quit (?:my |the )?(?:job|band|choir|team|gym|club)|left (?:my|the) (?:old )?job|resigned from"
    r"|started (?:eating|drinking|smoking) .{2,30} again|(?:was|got|been) (?:laid off|fired|made redundant)"
    r"|(?:replaced|swapped|traded(?: in)?) (?:my|our) .{2,40}? (?:with|for|by)|got rid of (?:my|our)"
    r"|(?:broke|split) up(?! (?:the|a|this|into)\b)"
    r"|started (?:a new job|working|at|my own|learning|playing|studying|teaching)"
    r"|passed (?:my|the) (?:.{1,30} )?(?:exam|test)|(?:was|got) diagnosed with|broke my (?:\w{4,5} )?(?:arm|leg|ankle"
    r"|wrist|foot|toe|finger|hip|nose|back|ribs?|elbow|hand|knee|shoulder)"
    r"|lost my job|got promoted|bought (?:an?|my|our) (?:[\w-]{1,15} ){0,3}(?:house|home|flat|apartment|condo|car|van"
    r"|bike|boat|farm"
    r"|motorcycle|cabin|cottage|piano|guitar|violin|dog|puppy|camper|land|shop|business)"
    r"|sold (?:my|our)|got (?:married|engaged|divorced|an? (?:dog|cat|puppy|kitten|new job|promotion)))"
)
_NATIONALITY = (
    r"(?-i:[A-Z])(?:[a-z]{2,12}(?:ish|ese|ian|ean)|merican|erman|utch|reek|rench|wiss|zech|hai|elsh|exican"
    r"|frican|sian|sraeli|raqi|akistani|uban|oman)"
)
_NAME = r"(?-i:[A-Z][a-zé'-]+(?: [A-Z][a-zé'-]+){0,2})"
_I_AM = r"i(?:'?m| am) (?:also |now |currently |actually )?"
_WE_ARE = r"(?:i(?:'?m| am)|we(?:'?re| are)) (?:also |now |currently |actually )?"
_I_JUST = r"(?:i|we)(?:'?ve| have)? (?:just |recently |finally |now |already |also ){0,2}"
_ADVERBS = r"(?:(?:really|also|just|absolutely|definitely|still|do|quite|now|currently|very much) ){0,2}"
_FREQUENCY = r"(?:(?P<often>usually|mostly|mainly|always|never|often|only|rarely|sometimes|no longer|generally) )?"
_OWNED = r"(?P<who>(?:(?!(?:is|are|was|my|i|says?|said|that)\b)[\w'&/-]{1,30} ){0,4}[\w'&/-]{1,30})"
_RELATIVE_VERBS = (
    r"(?:has(?! (?:eaten|broken|fallen|taken|stolen|bitten|written|given|forgotten|gone|left|lost|been|the|to|just"
    r"|already"
    r"|\w{3,12}ed)\b)|lives|works|plays|loves|likes|hates|studies|speaks|teaches|runs|owns|drives|eats|was born"
    r"|moved to"
    r"|(?:doesn'?t|does not|can'?t|cannot) (?:have|live|work|play|like|speak|eat|drink|drive|hear|see|walk|read))\b"
)
_ATTRIBUTES = r"(?:name|deadline|due date|birthday|age|colou?r|make|model|address|size|title|topic|subject)"
_INABILITIES = r"(?:doesn'?t|does not|can'?t|cannot) (?:drive|drink|smoke|swim|walk|see|hear|speak|read)$"
_COMPANY = r"(?:startup|company|business|shop|team|lab|band|employer|firm|studio)"
_COMPANY_VERBS = r"(?:makes|builds|sells|uses|develops|runs on|employs|has|is based in)\b"
_HABIT_ADVERBS = r"(?P<often>usually|mostly|mainly|always|never|only|rarely|seldom|hardly ever|generally)"
_NON_HABIT_VERBS = (
    r"(?:wonder|hope|wish|worry|miss|can|could|will|would|should|might|must|may|shall|am|bought|left|sold|won|saw|ran"
    r"|wish|now|still|really|even|then|drank|slept|spent|paid|ask|ate|be|been|came|did|do|fail|feel|felt|forget|found|gave|get|got|had|have|hear"
    r"|heard|just|knew|know|lost"
    r"|made|mean|met|need|read|said|saw|see|seem|sent|tell|think|thought|told|took|tried|try|understand|understood|want"
    r"|was|went|wonder|wrote)\b"
)
_ROLES = (
    r"(?:vegetarian|vegan|pescatarian|diabetic|parent|mother|father|mum|mom|dad|student|teacher|nurse|doctor|lawyer"
    r"|engineer|developer|programmer|designer|musician|writer|farmer|beginner|freelancer|manager|scientist|researcher)"
)
_OBJECT = r" (?P<o>\S.*)"
_NO_LONGER = r"(?:any ?more|any longer)"
# When a habit takes place.
_OFTEN = (
    r"(?:every (?:single |other )?\w{1,30}|each \w{1,30}|(?:once|twice|\w{1,30} times) (?:a|per)"
    r" (?:day|week|month|year)|(?:at"
    r"|on) weekends"
    r"|on \w{3,6}days|daily|most (?:days|mornings|evenings|weekends))\b"
)
_WHEN = (
    rf"(?:{_OFTEN}|in my (?P<free>spare|free) time|in the (?:mornings?|evenings?|summer|winter)|during the week"
    rf"|after work"
    r"|by (?:day|night)|(?:since|for) (?:\w{1,12} ){0,3}(?:years|months|\d{4}))"
)
_PERSON = (
    r"(?:(?:best |good |close )?friend|neighbou?r|room-?mate|flat-?mate|house-?mate|boss|manager)"
    r"(?: (?-i:[A-Z])[a-zé'-]{1,20})?"
)


# Matched against the beginning of a clause in this order; the first match wins.
PATTERNS = (
    *INSTRUCTION_PATTERNS,
    rule(
        rf"(?:you (?:can|may|could|should) )?(?:{PLEASE} |just )?(?:call me(?! (?:an?|at|on|in|any|again)\b)"
        rf"|address me as){_OBJECT}",
        "Wants to be called {o}",
    ),
    rule(rf"(?:people|(?:my )?friends|every(?:one|body)|they|most people) calls? me{_OBJECT}", "Is called {o}"),
    rule(rf"i go by{_OBJECT}", "Goes by {o}"),
    rule(rf"{_I_AM}(?:called|named){_OBJECT}", "Is called {o}"),
    rule(
        r"i used to (?P<o>(?:live|work|play|be|have|own|study|smoke|run|drive|teach|drink|eat|love|like|hate|enjoy"
        r"|speak|sing"
        r"|dance|cook|code|use|collect|swim|commute|volunteer)\b.*)",
        "Used to {o}",
    ),
    rule(rf"{_I_JUST}changed my (?P<what>(?:last |first )?name) to{_OBJECT}", "Changed {what} to {o}"),
    rule(rf"{_I_JUST}relocated (?P<o>(?:back |here )?(?:to|from) .+)", "Relocated {o}"),
    rule(rf"{_I_JUST}moved (?P<o>(?:back |here )?(?:to|from|in|into|out of) .+)", "Moved {o}"),
    rule(r"i was born (?P<o>(?:in|on|at) .+)", "Was born {o}"),
    rule(r"i grew up (?P<o>(?:in|on|near|with|speaking) .+)", "Grew up {o}"),
    rule(rf"{_I_JUST}graduated (?P<o>(?:from|in|with) .+)", "Graduated {o}"),
    rule(rf"{_I_JUST}(?:went|gone) back to (?P<o>\w{{2,12}}ing\b.*)", "Went back to {o}"),
    rule(rf"{_I_JUST}(?:gave|given) up (?:on )?(?P<o>(?:{_PASTIMES}|{_FOODS}).*)", "Gave up {o}"),
    rule(rf"{_I_JUST}(?P<o>{_LIFE_EVENTS}\b.*)", "{o}", 0.85),
    rule(rf"{_I_AM}(?P<o>\d{{1,3}})(?: years? old| ?y/?o)?(?: now)?$", "Is {o} years old"),
    rule(r"i have (?P<o>\d{2}) years$", "Is {o} years old"),
    rule(rf"(?:just |recently )(?P<o>{_LIFE_EVENTS}\b.*)", "{o}", 0.8),
    rule(
        r"(?P<o>(?:[a-z]{3,12}ly )?allergic to .+|(?:vegan|vegetarian|pescatarian|diabetic)(?: since .+| btw)?$)",
        "Is {o}",
        0.8,
    ),
    rule(rf"{_WE_ARE}(?P<o>moving (?:back )?to (?-i:[A-Z]).+)", "Is {o}", 0.85, "project"),
    rule(rf"{_WE_ARE}(?P<o>{_ACTIVITIES} .+)", "Is {o}", 0.85, "project"),
    rule(rf"{_I_JUST}been (?P<o>{_ACTIVITIES} .+)", "Has been {o}", 0.85, "project"),
    rule(
        rf"{_I_JUST}been (?P<o>(?:{_STATES}|living |working (?:as|at|for|in) |playing |teaching |in (?-i:[A-Z])).*)",
        "Has been {o}",
    ),
    rule(rf"{_I_AM}not (?P<o>{_STATES}.{{0,100}}?),? {_NO_LONGER}\b.*", "Is no longer {o}"),
    rule(rf"{_I_AM}(?P<no>not|no longer) (?P<o>{_STATES}.*)", "Is {no} {o}"),
    rule(rf"{_I_AM}(?P<o>{_STATES}.*|{_NATIONALITY}$)", "Is {o}"),
    rule(rf"{_I_AM}(?!{_NATIONALITY}\b)(?P<o>{_NAME}(?: from (?-i:[A-Z])[^,]{{1,40}})?)(?:, .+)?$", "Name is {o}", 0.8),
    rule(rf"as (?P<o>an? (?:[\w-]{{1,20}} ){{0,2}}{_ROLES}(?: (?:in|at|from|with|of) .+)?)$", "Is {o}", 0.85),
    rule(rf"(?:i|we)(?:'?ve(?: got)?| have(?: got)?) (?P<o>(?:[\w'-]{{1,30}} ){{0,4}}{_POSSESSIONS}\b.*)", "Has {o}"),
    rule(rf"i (?:do not|don'?t) have (?P<o>(?:any |an? )?{_POSSESSIONS}\b.*)", "Does not have {o}"),
    rule(r"i (?:can'?t|cannot|can not) (?P<o>(?:eat|drink|stand|tolerate|drive|swim|smell)\b.*)", "Cannot {o}"),
    rule(r"i can (?P<o>(?:speak|play|drive|cook|read music) .+)", "Can {o}", 0.8),
    rule(
        rf"i (?:do not|don'?t) (?:really "
        rf"|even )?(?!{_NO_HABITS})(?P<v>[a-z]{{2,20}}) (?P<o>\S.{{0,120}}?),? {_NO_LONGER}\b.*",
        "No longer {vs} {o}",
    ),
    rule(rf"i no longer (?!{_NO_HABITS})(?P<v>[a-z]{{2,20}}){_OBJECT}", "No longer {vs} {o}"),
    rule(
        r"i (?:do not|don'?t) (?P<v>drive|drink|smoke|swim|cook|ski|dance|vote)(?P<o>)(?: at all| alcohol)?$",
        "Does not {v}",
    ),
    rule(r"i (?:now |only )?(?P<v>drive|smoke|vape)(?P<o>)(?: now| again)?$", NO_OBJECT),
    rule(rf"i (?:also )?(?:do not|don'?t) (?:really |even )?{_NEGATABLE_VERBS}{_OBJECT}", "Does not {v} {o}"),
    rule(r"i now work (?P<o>(?:as|at|for|in) .+)", "Now works {o}"),
    rule(r"i work (?P<o>(?:as|at|for) .{1,120}?) now$", "Now works {o}"),
    rule(rf"i(?:(?:'d| would) (?:always |generally )?prefer| want){_OBJECT}", WISH, 0.8, "preference"),
    rule(rf"(?:i|we) {_ADVERBS}{_FREQUENCY}{_ADVERBS}{_HABIT_VERBS}{_OBJECT}", HABIT),
    rule(
        rf"i {_HABIT_ADVERBS} (?!{_NON_HABIT_VERBS})(?P<v>[a-z]{{2,20}}){_OBJECT}",
        HABIT,
        0.8,
        "preference",
    ),
    rule(
        rf"(?P<when>{_WHEN}),? i (?:also |mostly |usually )?(?!{_NON_HABIT_VERBS}"
        rf"|\w{{2,12}}ed\b)(?P<v>[a-z]{{2,20}}){_OBJECT}",
        "{vs} {o} {when}",
        0.8,
    ),
    rule(
        rf"i (?:(?P<often>now) )?(?:also )?(?!{_NON_HABIT_VERBS}"
        rf"|\w{{2,12}}ed\b)(?P<v>[a-z]{{2,20}}) (?P<o>(?:[\w'-]{{1,20}} ){{0,6}}{_OFTEN}.*)",
        HABIT,
        0.8,
    ),
    rule(
        rf"(?:my|our) (?P<who>(?:\w{{3,7}} )?{RELATIVES}) (?P<o>{_RELATIVE_VERBS} .+|{_INABILITIES})",
        "{who} {o}",
        0.85,
    ),
    rule(rf"(?:my|our) (?P<who>{_PERSON}) (?P<o>{_RELATIVE_VERBS} .+)", "{who} {o}", 0.85),
    rule(
        r"(?:me and my|my) (?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?)(?: and (?:i"
        r"|me))?(?: have)?(?: just)?"
        r" (?P<o>(?:broke|split) up(?! the\b).*|got (?:divorced|married|engaged)\b.*)",
        "{o}",
        0.85,
    ),
    rule(rf"(?:my|our) (?P<who>(?:\w{{1,12}} )?{_COMPANY}) (?P<o>{_COMPANY_VERBS} .+)", "{who} {o}", 0.85, "project"),
    rule(rf"the (?P<what>{_ATTRIBUTES}) of (?:my|our) {_OWNED} is{_OBJECT}", "{who}'s {what} is {o}"),
    rule(rf"(?:my|our) {_OWNED} (?P<be>is|are)(?P<no> not)?{_OBJECT}", POSSESSIVE, 0.95),
    rule(
        r"(?:the )?(?P<who>name)'?s (?P<o>[\w.'-]{2,30}(?: [\w.'-]{2,30})?)(?:,? (?:but|and|though) .+)?$", CONTRACTED
    ),
    rule(r"(?:my )?pronouns\s?[:=] ?(?P<o>\w{1,8}/\w{1,8}.*)", "Pronouns are {o}"),
    rule(rf"my (?P<who>(?:\w{{1,12}} )?(?:name|nickname|surname|birthday|job))'s{_OBJECT}", CONTRACTED),
    rule(rf"(?:my|our) {_OWNED}'s (?P<o>(?:an?|the|called|named) .+|(?-i:[A-Z0-9]).*)", CONTRACTED),
    rule(
        rf"{_I_JUST}studied (?P<o>(?!for\b|the\b|this\b|that\b|it\b|all\b|hard\b|until\b|a\b|your\b).+)", "Studied {o}"
    ),
    rule(
        rf"(?:my|our) (?P<who>{RELATIVES}) (?P<o>(?-i:[A-Z][a-zé'-]{{1,20}}))"
        r"(?:,| (?!(?:and|or|is|was|died|passed)\b)[a-z]).*",
        NAMED,
    ),
    rule(r"(?:i )?(?P<o>(?:moved to|born in|raised in|based in|originally from) (?-i:[A-Z]).*)", "{o}", 0.8),
    rule(r"i (?:now |currently )?(?P<o>working (?:as|at|in|for) .+)", "Is {o}", 0.85),
    rule(r"(?P<o>(?:mother|mum|mom|father|dad|parent) of (?:an?|two|three|four|five|twins|\d).*)", "Is {o}", 0.8),
)
