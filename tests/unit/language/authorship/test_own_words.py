"""The part of a message that users state themselves, in contrast to what they paste, quote or invent."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from support.growth import MAX_GROWTH, growth

# Parts between ⟦ and ⟧ are not the user's own words; these marks are removed before the check.
MESSAGES = {
    "statement": "I live in Oslo and work as a nurse.",
    "short list": "About me:\n- I live in Oslo\n- I have two cats\n- I work as a nurse\n- I love jazz",
    "lines without punctuation": "I live in Oslo\nI have two cats\nI work as a nurse\nI love jazz",
    "profile": "Name: Ana\nAge: 34\nJob: nurse\nDiet: vegan",
    "paragraphs": "Hi! I need help with a trip.\n\nI live in Oslo with two kids.\n\nWe hike, and my wife is vegan.",
    "question and statement": "Can you help me plan a trip? I am vegan and my son is afraid of flying.",
    "indented list": "My week:\n    - Monday: yoga\n    - Tuesday: choir",
    "name in quotation marks": 'Please call me "Bob".',
    "inches": 'My new monitor is 27" wide and I like it.',
    "heading": "# About me\nI live in Oslo.",
    "imagination": "I can't imagine living without coffee.",
    "opinion on a poem": "I love poems, and my favourite song is Jolene.",
    "time": "My shift starts at 10:30 and ends at 18:00.",
    "code talk": "I write Python; my team uses Rust and we import data from SAP.",
    "quotation": 'My sister texted "⟦I am moving to Rome with Paul next week⟧" and I live in Oslo.',
    "German quotation": "Meine Schwester sagte „⟦Ich ziehe nach Rom und werde Bäckerin⟧“ und ich wohne in Bonn.",
    "French quotation": "Mon frère a dit « ⟦Je suis allergique aux noix depuis toujours⟧ », moi non.",
    "Chinese quotation": "他说“⟦我住在上海而且我喜欢喝咖啡⟧”\uff0c我住在北京。",
    "Chinese quotation after a colon": "我妈妈说\uff1a⟦“我最喜欢吃辣的火锅和麻辣烫”⟧\uff0c但是我不吃辣。",
    "colloquial speech": "She was like, ⟦I'm vegan now⟧, and I was like ok",
    "colloquial speech to the end": "my mom goes ⟦i'm so tired of this house⟧",
    "the author's own speech": "I was like, I'm vegan now, deal with it",
    "a role as label": "boss: ⟦I am leaving the company in May⟧",
    "a note about a role": "boss: Katherine, very strict",
    "joke afterwards": "⟦I have three wives. Just kidding!⟧",
    "joke in the sentence": "My name is Mika. ⟦i live on mars jk⟧",
    "no joke": "I have two kids lol. jk rowling is my favourite author.",
    "quoted lines": "See below.\n> ⟦I live in Rome⟧\n> ⟦I like cats⟧\nI live in Oslo.",
    "original mail": "Can you answer this?\n\n⟦-----Original Message-----\nFrom: Ann\nI live in Rome and I love cats.⟧",
    "mail headers": "FYI\n⟦From: Ann Lee <ann@example.org>\nSent: Monday\nSubject: Hello\n\nI live in Rome.⟧",
    "German mail": "Hier die Mail:\n⟦Von: Anna\nGesendet: Montag\nBetreff: Umzug\n\nIch wohne jetzt in Rom.⟧",
    "replied mail": "I agree.\n\n⟦On Mon, 2 Nov 2026 at 10:00, Ann Lee <a@example.org> wrote:\nI live in Rome.⟧",
    "mail first": "⟦From: Ann\nTo: Bob\nSubject: Flat\n\nI live in Rome.⟧\n\nWhat should I answer?",
    "chat": "⟦Anna: I live in Rome\nBob: nice, I moved to Bern\nAnna: I love it⟧\nWhat do you think?",
    "chat with times": "⟦[10:02] Anna: I live in Rome\n[10:03] Bob: I love cats⟧",
    "messenger": "⟦12/11/26, 10:02 - Anna: I live in Rome\n12/11/26, 10:03 - Bob: I love cats⟧",
    "interview": "⟦Interviewer: Where do you live?\nMe: I live in Rome.⟧",
    "short quotation to rewrite": "Rewrite this tagline: ⟦'Compost made simple.'⟧ Our company is called Rottly.",
    "short quotation to translate": 'Translate: ⟦"Good morning."⟧ My wife is from Bangkok.',
    "rated text": "Rate this dating bio out of ten. ⟦Divorced, two huskies, I live in Rome.⟧",
    "language only": "spanish?? ⟦I'm vegan, no cheese⟧",
    "texts for a table": "Put in a table with columns Name, Town. ⟦I'm Lou from Bath.⟧",
    "shorter version": "version plus courte du message de la cliente svp. ⟦Bonjour, je suis végane⟧",
    "statement in a line": "Why no rows: ⟦INSERT INTO people (name, city) VALUES ('Ana', 'Rome');⟧ I use Postgres.",
    "call in a line": "⟦The test assertEquals('I live in Rome', text) fails, and⟧ I work alone.",
    "key and values in a line": 'My parser rejects ⟦city: "Rome" pet: "ferret"⟧ and I use YAML.',
    "session": "⟦$ whoami\nanna\n$ hostname\nrome⟧\n\nI use Linux.",
    "rows": "⟦name,age,pet\nRuth,41,parrot\nJim,38,none⟧\nI use Excel.",
    "table": "⟦| Ana | vegan |\n| Bob | kosher |⟧\nI use Excel.",
    "condition": "⟦If I lived in Rome, would my pension be taxed?⟧ I live in Oslo.",
    "text adventure": "⟦Text adventure! I'm a bounty hunter called Vex.⟧",
    "fenced code": "Fix it:\n```\n⟦# I live in Rome⟧\n```\nI use Linux.",
    "code": "Why does it fail?\n⟦def greet():\n    # I live in Rome\n    return 'I like cats'⟧\nI use Linux.",
    "comment": "⟦// I prefer tabs over spaces\nconst city = 'Rome';⟧\nI use Linux.",
    "inline code": "⟦What does `print('I live in Rome')` do?⟧",
    "log": "⟦2026-11-02 10:00:01 INFO user lives in Rome\n2026-11-02 10:00:02 ERROR user hates cats⟧\nI use Linux.",
    "stack trace": '⟦Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: I live in Rome⟧',
    "lyrics": "These lyrics make me cry:\n⟦I was born in the river\nI live by the sea⟧",
    "chorus": "⟦[Verse 1]\nI was born in Rome\nI live by the sea⟧",
    "poem": "Here is a poem:\n⟦I wander home to Rome at night,\nI keep a raven, tame and bright⟧",
    "stanzas": "⟦I walk the hills of Rome alone\nI keep a raven made of stone\nMy heart is gone, my house is cold\n\n"
    "I sail the seas of yesterday\nMy brother took my name away\nI sold my soul for Spanish gold⟧",
    "role play": "⟦Let's role-play. You are a doctor. I am a pilot from Rome and I have asthma.⟧",
    "pretend": "I live in Oslo. ⟦Pretend I am a pirate. I love rum.⟧",
    "resumed": "⟦Pretend that I am a pirate. I love rum.⟧\n\nBy the way, I live in Oslo.",
    "as a pirate": "⟦As a pirate I love rum and live on a ship.⟧ I live in Oslo.",
    "character": "⟦My character is a vegan elf from Rivendell.⟧ I play on Fridays.",
    "trait": "My character flaw is that I hate phone calls.",
    "riddle": "⟦riddle: I have cities but no houses. what am I⟧",
    "film": "⟦what film is this from: I am your father and I live on a moon⟧",
    "practice": "⟦Practice interview! You ask, I answer. My name is Bartholomew and I ran a bank.⟧",
    "joke": "I live in Oslo. ⟦As a joke, tell my boss that I moved to Bali.⟧",
    "story": "⟦Write a story in which I am a king and live in Rome.⟧",
    "letter": "⟦Write a letter that says I live in Rome and hate cats.⟧ I live in Oslo.",
    "German story": "⟦Schreib eine Geschichte, in der ich in Rom lebe.⟧\n\nIch wohne in Bonn.",
    "German role play": "⟦Stell dir vor, ich wäre ein Pirat und wohne in Rom.⟧",
    "Spanish role play": "⟦Finge que soy un pirata. Vivo en Roma.⟧",
    "French role play": "⟦Fais comme si j'étais pirate. J'habite à Rome.⟧",
    "Chinese role play": "⟦假装我是海盗\uff0c我住在罗马。⟧",
    "translate": "⟦Translate: I live in Rome and I love cats.⟧",
    "translate, next line": "Translate this to French.\n⟦I live in Rome. I love cats.⟧",
    "translate inline": "⟦Translate I live in Rome into German⟧",
    "how to say": "⟦How do you say I am allergic to nuts in Japanese?⟧ I live in Oslo.",
    "grammar": "I am vegan. Fix the grammar: ⟦I lives in Rome.⟧",
    "correct": "Please correct this text: ⟦I has a cat.⟧",
    "summarise": "Can you summarise the following?\n\n⟦I moved to Rome in 2020. I love it.⟧",
    "German task": "⟦Übersetze: Ich wohne in Rom.⟧",
    "German correction": "Korrigiere bitte den folgenden Text: ⟦\nIch wohne in Rom.⟧",
    "Spanish task": "Traduce al inglés: ⟦vivo en Roma.⟧",
    "French task": "Corrige ce texte : ⟦j'habite à Rome.⟧",
    "Italian task": "Traduci in inglese: ⟦vivo a Roma.⟧",
    "Portuguese task": "Traduza para o inglês: ⟦moro em Roma.⟧",
    "Dutch task": "Vertaal naar het Engels: ⟦ik woon in Rome.⟧",
    "Chinese task": "⟦请翻译\uff1a我住在罗马。⟧",
    "Japanese task": "⟦翻訳してください\uff1a私はローマに住んでいます。⟧",
    "Arabic task": "⟦ترجم: أعيش في روما.⟧",
    "Russian task": "⟦Переведи: я живу в Риме.⟧",
    "own grammar": "I am vegan. Correct my grammar: ⟦I has a cat.⟧",
    "arrow": "⟦Make this sound formal -> I hate my job⟧",
    "word for": "What's the Italian for: ⟦I am a sailor⟧",
    "play": "⟦Scene 3. MARA: I am pregnant.⟧",
    "novel": "⟦From my novel: I was born in Rome.⟧\n\nI live in Oslo.",
    "role of the assistant": "⟦Act as my coach.⟧ I weigh 90 kg.",
    "surprise": "Imagine my surprise, I got the job at Siemens!",
    "pasted block": "What do you think of this article?\n\n⟦I moved to Rome a year ago.\n\nThe city was kind to me.⟧",
    "reported": "She wrote: ⟦I live in Rome and I love cats.⟧",
    "other language": "Can you explain it to me?\n\n⟦Ich wohne seit Jahren in Rom und bin Bäcker. Meine Katzen sind "
    "alle schwarz, und ich esse kein Fleisch mehr, weil mir das nicht bekommt.⟧",
    "text task with own words": "I'm vegan. Proofread this: ⟦I has a cat.⟧",
    "review of oneself": "Analyse my situation: I'm 34 and live in Oslo.",
    "help with a problem": "Can you help me with this?\n\nI live in Oslo and my landlord wants to move in.",
    "request for somebody": "Write a story for my daughter Mia, who is five.",
    "bio": "This is the bio on her website: ⟦I am a sculptor from Graz. I live with two cats.⟧",
    "mail": "I teach.\n\n⟦Dear Mr Lee,\n\nI am allergic to nuts.\n\nKind regards,\nLena Vos⟧\n\nWhat now?",
    "text before the task": "⟦I has three cat and living in Rome.⟧\n\nIs this sentence correct?",
    "task without separator": "Translate to German ⟦I live in Rome and I love cats⟧",
    "novel with a statement": "⟦In my novel I am a hangman in Rome.⟧\n\nI write at night.",
    "dream": "⟦Last night I dreamt I was a pilot. I lived in Rome.⟧",
    "hypothesis": "⟦Hypothetically, I am a widower. I live in Rome.⟧",
    "docstring": '⟦"""I am vegan and live in Rome."""⟧\nI use Linux.',
    "role at work": "As a nurse I work at night.",
    "praise": "You're right, I'm late most days.",
    "praise with a noun": "you are a star, I'm coeliac and that cake worked",
    "German praise": "du bist super, ich bin Linkshänderin",
    "Spanish praise": "tú eres un sol, yo soy la vecina de Marta",
    "French praise": "tu es super rapide, je suis un peu perdu",
    "Italian praise": "tu sei un genio, io sono un pasticcione",
    "roles after praise": "⟦you are the best pirate of all, and I'm your parrot⟧",
    "roles": "⟦You're the ferryman, I'm a deserter with a dog.⟧",
    "German roles": "⟦du bist der Wirt, ich bin der Ritter⟧",
    "French roles": "⟦tu es le roi, moi je suis le bouffon⟧",
    "Spanish roles": "⟦tú eres el juez y yo soy el ladrón⟧",
    "German news": "Stell dir vor, ich habe den Job in Ulm bekommen",
    "German assumption": "⟦Stell dir vor, ich habe den Job in Ulm bekommen. Was würde meine Oma sagen?⟧",
    "German pirate": "⟦Stell dir vor, ich bin ein Pirat und wohne in Rom⟧",
    "German crime story": "⟦Schreib einen Krimi, in dem ich Kommissar Ritter aus Ulm bin⟧",
    "Spanish script": "⟦Escribe un guion en el que soy una espía de Lugo⟧",
    "own configuration": "config : mac m2, php, symfony",
    "pasted configuration": "config: ⟦debug=true, name=symfony⟧",
}


@pytest.mark.parametrize("marked", MESSAGES.values(), ids=MESSAGES)
def test_only_the_own_words_of_a_message_remain(marked: str) -> None:
    text, expected = unmark(marked)
    masked = mask_quoted(text)
    assert len(masked) == len(text)
    remaining = {word for word in masked.replace("\0", " ").split() if word.isalnum()}
    assert remaining == {word for word in expected.replace("\0", " ").split() if word.isalnum()}


UNITS = [
    "> a\n",
    "A: b\n",
    "translate ",
    "pretend: ",
    '"a ',
    "From: a\n",
    "「a",
    "# x = 1;\n",
    "mail from ",
    "Dear A,\n",
]
UNITS += ["review: a\n", "in my game ", "fix this "]


@pytest.mark.parametrize("unit", UNITS)
def test_masking_takes_linear_time(unit: str) -> None:
    assert growth(mask_quoted, unit) < MAX_GROWTH


def unmark(marked: str) -> tuple[str, str]:
    """The message, and the message with its marked parts replaced by NULs."""
    text, expected, inside = "", "", False
    for char in marked:
        if char in "⟦⟧":
            inside = char == "⟦"
        else:
            text += char
            expected += "\0" if inside else char
    return text, expected


@pytest.mark.parametrize(
    "message",
    [
        "Is this any good as an opening? I grew up in Marseille.",
        "Put into the past tense: I work in Marseille.",
        "¿Está bien así? Vivo en Marseille",
        "improv prompt! I'm a dentist from Marseille.",
        "rate my haiku\n\nwidowed at thirty\ni feed the crows in Marseille",
        "Reword so it sounds friendlier > I hate working in Marseille.",
        "homework sentence 3 into English please: J'habite à Marseille avec mes chevaux.",
        "found on reddit, thoughts?\n\nI (34M) am a croupier in Marseille.",
        "Question 6. I invest $8,000 in Marseille. How much do I have?",
        "Empieza así: Vendo relojes robados en Marseille.",
        "Me la spieghi? Un tizio dice al barista: sono sposato e vivo a Marseille",
        "change to passive voice\nI broke my collarbone in Marseille.",
        "sort this\nname,town,job\nL. Brandt,Marseille,master florist",
        "Regex please:\n1042|Patel, Rohan|Marseille|2019\n1043|Svensson, Ulla|hip|2022",
    ],
)
def test_a_short_question_or_a_frame_announces_a_text(message: str) -> None:
    assert "Marseille" not in mask_quoted(message)


@pytest.mark.parametrize(
    "message",
    [
        'Translate "good luck" into Polish, we are off to Krakow.',
        "Stell dir vor, ich ziehe nach Krakow!",
        "Suppose I should tell you I live in Krakow.",
        "Write a poem about my dog. I live in Krakow.",
        "I wrote a song yesterday. I live in Krakow.",
        "I like poems, apples, and long walks. I live in Krakow.",
        "My question 3 hours ago was about trains. I live in Krakow.",
        "A man from work says hello. I live in Krakow.",
        "I like songs by Blur\nI live in Krakow",
        "My day starts like this: I get up at six in Krakow.",
    ],
)
def test_what_users_say_beside_a_task_remains(message: str) -> None:
    assert "Krakow" in mask_quoted(message)
