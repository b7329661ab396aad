"""Messages that correct an earlier message, and similar ones that do not."""

import pytest

from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-05T10:00:00+00:00"


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(old.strip(), new.strip()) for old, _, new in (line.partition("|") for line in text.strip().splitlines())]


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        I love mushrooms | I hate mushrooms
        I really enjoy jazz. | I don't like jazz any more.
        I hate cilantro | turns out I love cilantro now
        I like horror films | I can't stand horror films
        I'm a big fan of Coldplay | I'm not a fan of Coldplay anymore
        I'm vegan | I'm not vegan anymore
        I'm a vegetarian, by the way. | I'm no longer a vegetarian.
        I've been vegan for six years | I stopped being vegan last month
        I'm vegan | I'm vegetarian now
        I'm vegetarian. | I've gone back to eating meat.
        I'm 29 | I turned 30 yesterday!
        I'm 41 years old. | I'm 42 now
        Call me Bob | my name is Robert
        My name is Bob. | my name is Robert
        My name is Anna Berg | I changed my name to Anna Holm.
        I go by Sam | I go by Alex now
        I live in Oslo | I've relocated to Madrid
        I live in Leeds. | We moved to York in September.
        I'm based in Hamburg | I'm now based in Zurich
        I've been living in Turin since 2019. | I live in Genoa now.
        I live in Rome with my sister | I don't live in Rome anymore
        I work at Acme | I quit my job at Acme
        I work for Nokia. | I no longer work for Nokia.
        I work at the bakery on High Street | I quit my job
        I work at Acme | I now work for Globex
        I work at Siemens as a tester. | I just started a new job at Bosch.
        I work for Shell | I was laid off last week
        I work as a nurse | I now work as a teacher
        I'm married to Ana | we broke up
        I'm married. | I got divorced.
        I have a girlfriend | we split up in May
        I'm single | I got engaged!
        I'm engaged | We got married on Saturday
        my favourite colour is blue | my new favourite colour is green
        My favorite food is ramen | my favourite food is pho now
        My pronouns are she/her | my pronouns are they/them now
        My time zone is CET | my timezone is America/Chicago now
        Please always answer in German. | From now on, answer in English.
        I use Windows | I switched from Windows to Linux
        I drive a Golf | I replaced my Golf with a Tesla
        My phone is an iPhone 12 | my new phone is a Pixel 9
        I own a Golf. | I sold my Golf
        I drink coffee every morning | I gave up coffee
        I smoke a pack a day | I quit smoking
        I eat meat | I stopped eating meat in June
        I play tennis on Sundays | I don't play tennis anymore because of my elbow
        I run every morning | I used to run but my knee gave up
        I'm pregnant | I'm no longer pregnant
        I'm lactose intolerant | it turns out I'm not lactose intolerant
        I don't like olives | I like olives now
        I don't drive | I drive now
        I work as a nurse | I'm not a nurse, I'm a paramedic
        I can't swim | I can swim, just badly
        I can drive | I can't drive any more
        My wife is called Ellen | My wife is called Elin
        My boss is called Steve | my boss's name is Olga
        I have a son called Max | I don't have a son, that was my nephew
        I'm unemployed | I'm no longer unemployed
        Ich wohne in Hamburg. | Ich bin nach Berlin gezogen.
        Ich heiße Katja | Ich heiße jetzt Karim
        Ich bin vegan | Ich bin nicht mehr vegan
        Ich bin verheiratet. | Wir haben uns getrennt.
        Meine Lieblingsfarbe ist Blau | Meine Lieblingsfarbe ist jetzt Grün
        Ich liebe Pilze | Ich mag keine Pilze mehr
        Ich bin 29 | Ich bin jetzt 30
        Ich arbeite bei Bosch | Ich arbeite jetzt bei Siemens
        Vivo en Sevilla | Me he mudado a Bilbao
        Me llamo Lucía | Ahora me llamo Lucas
        Soy vegano | Ya no soy vegano
        Tengo 29 años | He cumplido 30 años
        Me encantan las setas | Ya no me gustan las setas
        Estoy casada | Me he divorciado
        Mi color favorito es el azul | Mi color favorito ahora es el verde
        J'habite à Lyon | J'ai déménagé à Nantes
        Je m'appelle Claire | Je m'appelle maintenant Clara
        Je suis végétarien | Je ne suis plus végétarien
        J'ai 29 ans | J'ai maintenant 30 ans
        J'adore le fromage | Je n'aime plus le fromage
        Je suis mariée | Je suis divorcée
        Je travaille chez Renault | Je travaille maintenant chez Airbus
    """),
)
def test_a_correction_contradicts_the_earlier_message(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        I hate mushrooms in soup | I love mushrooms on pizza
        I love mushrooms on pizza | I hate mushrooms in soup
        I love coffee | I hate instant coffee
        I live in Oslo | I work in Bergen
        I live in Oslo | My brother lives in Madrid
        I live in Oslo | My brother moved to Madrid
        I live in Oslo | I'm visiting Paris
        I live in Oslo | I'm in Paris this week
        I live in Oslo | I might move to Madrid next year
        I live in Oslo | If I lived in Madrid I would be happier
        I live in Oslo | I'd love to live in Madrid
        I live in Oslo | I grew up in Madrid
        I live in Oslo | I used to live in Madrid
        I live in Oslo | We moved to a bigger flat
        I live in Oslo | I moved to Python last year
        I live in Oslo | Do I live in Madrid?
        I live in Oslo | My friend said: I live in Madrid.
        I live in Oslo | I live in Oslo with my cat
        My name is Robert | Call me Bob
        My name is Robert | My cat's name is Tiger
        My name is Robert | My middle name is Lee
        My name is Robert | My name is Robert Miles
        I'm 29 | My daughter turned 3
        I'm 29 | I'm 180 cm tall
        I'm vegan | My sister is not vegan anymore
        I'm vegan | Is it bad that I'm not vegan?
        I'm vegan | I cooked meat for my guests
        I'm vegan | My dog eats meat
        I work at Acme | My wife works at Globex
        I work at Acme | My wife quit her job
        I work at Acme | I also work at Globex on weekends
        I work at Acme | I work from home
        I work at Acme | I work as a tester
        I work at Acme | I quit smoking
        I work as a nurse | I work as a volunteer at the shelter on Sundays
        I'm married to Ana | My parents got divorced
        I'm married | I have two kids
        I have a girlfriend | I have a dog
        my favourite colour is blue | my favourite food is pizza
        my favourite band is Blur | my favourite band is on tour
        my favourite band is Blur | my daughter's favourite band is Abba
        I use Windows | I use Linux at work
        I drive a Golf | My dad sold his Golf
        I drive a Golf | I sold my bike
        I drink tea | I gave up coffee
        I drink wine | I quit smoking
        I drink two litres of water a day | I don't drink
        I drive my kids to school every morning | I don't drive at night
        I play tennis | I don't play golf
        I play the violin | My son doesn't play the violin anymore
        I have a cat | I don't have a dog
        I have a son called Max | I don't have a daughter
        I work as a nurse | My wife is not a nurse
        I can't swim | My son can swim
        I can't swim | I can ski
        I can't eat nuts | I can eat bread
        My wife is called Ellen | My wife's sister is called Elin
        I like tea | I like coffee
        I like my job | I hate my commute
        I'm allergic to nuts | I'm not allergic to cats
        I run every morning | I don't run a company
        Please always answer in German. | How do I answer in English?
        Please answer in German from now on. | Translate this in English.
        Ich wohne in Hamburg. | Ich arbeite in Berlin.
        Ich wohne in Hamburg. | Mein Bruder wohnt in Berlin.
        Ich bin vegan | Meine Frau ist nicht mehr vegan
        Ich liebe Pilze | Ich mag keine Oliven
        Vivo en Sevilla | Trabajo en Bilbao
        Vivo en Sevilla | Mi hermano vive en Madrid
        Me gusta el café | No me gusta el té
        J'habite à Lyon | Je travaille à Nantes
        J'habite à Lyon | Ma soeur habite à Paris
        J'aime le fromage | Je n'aime pas le vin
    """),
)
def test_a_similar_message_contradicts_nothing(earlier: str, later: str) -> None:
    assert not contradicts(later, earlier, stated_at=STATED_AT)
