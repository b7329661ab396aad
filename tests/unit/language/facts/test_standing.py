"""Statements that matter for every answer are recognised in several languages, and others are not."""

import time

import pytest

from agent.language.facts.standing import MAX_MESSAGE_CHARS, MAX_STATEMENT_CHARS, standing_topic, standing_topics

MESSAGES = {
    "health": """
        I'm allergic to peanuts
        I'm deathly allergic to shellfish
        I'm type 1 diabetic
        We're expecting our second kid
        I've been sober for 3 years
        I was diagnosed with lupus last year
        I take warfarin
        I take bisoprolol 2.5 mg
        Ich nehme morgens Ramipril 5 mg
        I had a triple bypass in 2019
        Ich habe eine Nussallergie und bin Diabetikerin
        Ich bin schwanger
        Soy alérgica a los cacahuetes
        Estoy embarazada
        Je suis allergique aux noix
        Je suis enceinte
        我对花生过敏
        我有高血压
    """,
    "access": """
        I use a wheelchair
        I can't hear well on my left side
        I am color-blind
        Ich sitze im Rollstuhl
        Ich bin schwerhörig
        Uso una silla de ruedas
        Je suis malvoyant
        我坐轮椅
    """,
    "diet": """
        I'm vegan
        I don't eat pork
        i cant eat gluten
        We keep kosher
        I gave up drinking alcohol
        Ich bin Vegetarierin
        Ich esse kein Fleisch
        Soy vegetariano
        Je suis végétarienne
        Je ne mange pas de viande
        我吃素
    """,
    "name": """
        My name is Anna
        I go by Bee
        Call me Sam
        Ich heiße Lena
        Me llamo Lucía
        Je m'appelle Chloé
        我叫小明
    """,
    "pronouns": """
        My pronouns are they/them
        Meine Pronomen sind sie/ihr
    """,
    "home": """
        I live in Oslo
        I moved to York
        I just moved to Berlin last month
        I'm based in Lyon
        Ich wohne in Köln
        Wir sind nach Hamburg gezogen
        Vivo en Sevilla
        J'habite à Lyon
        我住在上海
        私は東京に住んでいます
    """,
    "time_zone": """
        I'm in the Europe/Oslo time zone
        My time zone is UTC+2
        我的时区是东八区
    """,
    "family": """
        We broke up in March
        I got divorced
        I have two kids
        we have twins
        My wife's name is Eva
        I'm married
        Ich habe zwei Töchter
        Tengo dos hijas
        J'ai trois enfants
        我有两个孩子
    """,
    "work": """
        I quit my job in May
        I was laid off
        I work as a nurse
        I code in Rust
        I'm a retired teacher
        I mostly write Go
        I run a small bakery
        I'm studying law
        Im a nurse on night shifts
        Ich arbeite als Krankenpfleger
        Trabajo como enfermera
        Je travaille à l'hôpital
        我是一名护士
    """,
    "languages": """
        I speak Norwegian
        My first language is Tamil
        Ich spreche nur Deutsch
        Hablo español
        Je parle italien
        我的母语是粤语
    """,
}
MEMORIES = {
    "health": ["Has a peanut allergy", "Is pregnant", "Takes lithium"],
    "access": ["Is deaf", "Uses a screen reader"],
    "diet": ["Is vegan", "Does not eat pork"],
    "name": ["Is called Anna", "Wants to be called Bee", "Nickname is RS"],
    "pronouns": ["Pronouns are she/her"],
    "home": ["Lives in Oslo", "Moved to York"],
    "family": ["Has two children", "Daughter is called Nora", "Is married"],
    "work": ["Works at Equinor", "Is a nurse"],
    "languages": ["Speaks Norwegian"],
}
OTHER_MESSAGES = """
    I like jazz
    I'm training for a marathon
    I play the violin
    I'm planning a trip to Japan
    My sister studied in Bergen
    I bought a Canon R6
    I'm reading Dune
    I love Python snakes
    We meet on Tuesdays
    My car is a Volvo
    I want to live forever
    I moved my couch to the garage
    I watched a movie about a baker
    Ich spiele Geige
    Ich habe ein neues Fahrrad
    Me gusta el café
    Estoy leyendo una novela
    J'aime le jazz
    Je joue du piano
    我喜欢爬山
    我在学钢琴
"""
NO_STATEMENTS = """
    Am I allergic to peanuts?
    What do vegans eat?
    Is my wife called Eva?
    Where do I live?
    Recommend a vegan restaurant.
    Translate: I am allergic to nuts.
    She said: "I am allergic to nuts and I live in Oslo."
    "I live in Oslo and I have two kids", he said.
    Write a story about a nurse who lives in Oslo.
    Bin ich schwanger?
    Wo wohne ich?
    ¿Dónde vivo?
    Hello!
    你好
"""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(("topic", "text"), [(topic, text) for topic in MESSAGES for text in _lines(MESSAGES[topic])])
def test_a_message_has_the_topic_of_its_statement(topic: str, text: str) -> None:
    assert topic in standing_topics(text)
    assert topic in standing_topics(f"Hi there! {text}. What do you think?")


@pytest.mark.parametrize(("topic", "text"), [(topic, text) for topic in MEMORIES for text in MEMORIES[topic]])
def test_a_memory_has_the_topic_of_its_statement(topic: str, text: str) -> None:
    assert standing_topic(text) == topic


@pytest.mark.parametrize("text", [*_lines(OTHER_MESSAGES), "Likes jazz", "Hates olives", "Drives a Tesla", ""])
def test_other_statements_have_no_topic(text: str) -> None:
    assert standing_topics(text) == set()
    assert standing_topic(text) is None


@pytest.mark.parametrize("text", _lines(NO_STATEMENTS))
def test_questions_requests_and_quotations_have_no_topic(text: str) -> None:
    assert standing_topics(text) == set()


def test_a_message_has_the_topics_of_all_its_statements() -> None:
    assert standing_topics("I'm vegan. I live in Oslo! How do I cook?\nI have two kids.") == {"diet", "home", "family"}


def test_the_topic_that_matters_most_for_safety_is_the_topic_of_a_memory() -> None:
    assert standing_topic("Lives in Oslo and is allergic to nuts") == "health"


def test_long_texts_are_not_examined() -> None:
    filler = "x" * MAX_STATEMENT_CHARS
    assert standing_topic(f"Is vegan {filler}"[:MAX_STATEMENT_CHARS]) == "diet"
    assert standing_topic(f"Is vegan {filler}") is None
    sentences = "I like it. " * (MAX_MESSAGE_CHARS // 11)
    assert standing_topics(f"{sentences[:-40]}I am vegan.") == {"diet"}
    assert standing_topics(f"{sentences}{sentences[:40]}I am vegan.") == set()


@pytest.mark.parametrize(
    "part",
    [
        "a ",
        "i am ",
        "my ",
        "i have ",
        "«",
        "i'm a a ",
        "work ",
        "i ",
        "- ",
        "ich habe ",
        "soy ",
        "我",
        "\n",
        ". I am ",
        '"I ',
        "> ",
    ],
)
def test_the_time_is_at_most_linear(part: str) -> None:
    small, large = (_seconds((part * (kilobytes * 1_024))[: kilobytes * 1_024]) for kilobytes in (16, 64))
    assert large <= 4 * 3 * small + 0.05


def _seconds(text: str) -> float:
    """The shortest of three runs."""
    durations = []
    for _ in range(3):
        started = time.thread_time()
        standing_topics(text)
        standing_topic(text)
        durations.append(time.thread_time() - started)
    return min(durations)
