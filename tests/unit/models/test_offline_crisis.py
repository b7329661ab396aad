"""Messages about suicide, self-harm or an overdose get a calm reply in their language; figures of speech do not."""

import time

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from agent.models.offline import DONE, answer
from agent.models.offline_crisis import language_of_crisis
from agent.models.offline_language import Language
from agent.models.offline_phrases import PHRASES

MAX_SECONDS = 2.0
"""Of a hostile message of 4,000 characters, on a busy computer; a pattern that backtracks takes minutes."""


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "i dont want to be here anymore honestly"),
        ("en", "I want to kill myself"),
        ("en", "i wanna kill myself"),
        ("en", "I'm going to kill myself tonight."),
        ("en", "I\u2019ve been thinking about killing myself"),
        ("en", "i just want to die"),
        ("en", "I don't want to live anymore"),
        ("en", "i dont want to be alive"),
        ("en", "I want to end my life"),
        ("en", "I'm feeling suicidal"),
        ("en", "I wish I was dead"),
        ("en", "everyone would be better off without me"),
        ("en", "I took 30 paracetamol"),
        ("en", "I've just swallowed about forty sleeping pills"),
        ("en", "I took a whole bottle of pills"),
        ("en", "my daughter took 20 paracetamol tablets"),
        ("en", "I took an overdose an hour ago"),
        ("en", "I took too many sleeping pills"),
        ("en", "I'll kill myself"),
        ("en", "I'm considering suicide"),
        ("de", "Ich habe zu viele Tabletten genommen"),
        ("es", "He tomado demasiadas pastillas"),
        ("fr", "J'ai pris trop de cachets"),
        ("nl", "Ik heb te veel pillen genomen"),
        ("en", "I want to hurt myself"),
        ("en", "I have been cutting myself again"),
        ("en", "I want to kill myself with pills"),
        ("en", "I want to die in my sleep"),
        ("en", "I tried to kill myself at work"),
        ("de", "ich will nicht mehr leben"),
        ("de", "ich will mich mit Tabletten umbringen"),
        ("de", "Ich möchte mich umbringen."),
        ("de", "Ich will einfach nur noch sterben"),
        ("de", "ich bringe mich um"),
        ("de", "Ich habe Suizidgedanken"),
        ("de", "ich habe 30 Tabletten genommen"),
        ("es", "quiero morirme"),
        ("es", "Me quiero morir"),
        ("es", "ya no quiero vivir más"),
        ("es", "Voy a suicidarme"),
        ("es", "Me he tomado 30 pastillas"),
        ("fr", "je veux mourir"),
        ("fr", "Je ne veux plus vivre"),
        ("fr", "J\u2019ai envie de me suicider"),
        ("fr", "j'ai pris 30 comprimés de paracétamol"),
        ("it", "voglio morire"),
        ("it", "Non voglio più vivere"),
        ("it", "Voglio farla finita"),
        ("it", "ho preso 30 pastiglie"),
        ("pt", "quero morrer"),
        ("pt", "Eu quero me matar"),
        ("pt", "não quero mais viver"),
        ("pt", "tomei 30 comprimidos"),
        ("nl", "ik wil dood"),
        ("nl", "Ik wil niet meer leven"),
        ("nl", "ik denk aan zelfmoord"),
        ("nl", "ik heb 30 pillen geslikt"),
        ("zh", "我不想活了"),
        ("zh", "我想自杀"),
        ("zh", "最近一直有自杀的念头"),
        ("zh", "真的活不下去了"),
        ("zh", "我想死。"),
        ("zh", "我吞了三十片安眠药"),
        ("zh", "又开始割伤自己了"),
    ],
)
def test_a_message_about_suicide_gets_a_calm_reply(language: Language, message: str) -> None:
    reply = answer([HumanMessage(message)])
    assert reply == PHRASES[language].crisis
    assert "112" in reply
    assert "911" in reply


@pytest.mark.parametrize(
    "message",
    [
        "this traffic kills me",
        "This traffic is killing me",
        "I'm dying to see it",
        "my phone died",
        "I took 30 photos",
        "took 30 photos of the pills",
        "I took 2 paracetamol",
        "I take 20 mg of paracetamol",
        "I took 30 tablets back to the pharmacy",
        "I cut myself shaving",
        "I hurt myself at the gym",
        "I don't want to die",
        "I don't want to live in London anymore",
        "I don't want to live with my parents",
        "I want to die of embarrassment",
        "I want to die with laughter",
        "I need to cut myself some slack",
        "I'm going to cut myself a slice of cake",
        "I want to drown myself in work",
        "I overdosed on coffee today",
        "I took too many photos",
        "My doctor says I take too many pills",
        "My uncle attempted suicide once",
        "I could kill for a coffee",
        "I killed my plants again",
        "We watched Suicide Squad",
        "My uncle committed suicide in 1998",
        "The deadline is killing me",
        "I'm going to kill it at the interview",
        "Ich will nicht mehr in Berlin leben",
        "Ich will nicht mehr leben wie ein Student",
        "Ich sterbe vor Lachen",
        "Ich will nicht sterben",
        "Ich bringe dich um",
        "Ich habe 30 Fotos gemacht",
        "Ich habe 2 Tabletten genommen",
        "me muero de risa",
        "Quiero morirme de la risa",
        "no quiero morir",
        "No quiero vivir en Madrid",
        "he hecho 30 fotos",
        "je meurs de faim",
        "J'ai envie de mourir de rire",
        "Je ne veux plus vivre à Paris",
        "j'ai pris 30 photos",
        "muoio di sonno",
        "Non voglio morire",
        "Non voglio più vivere con i miei",
        "morro de rir",
        "não quero morrer",
        "Não quero mais viver em Lisboa",
        "ik lach me dood",
        "ik wil niet dood",
        "ik wil niet meer in Utrecht leven",
        "累死我了",
        "我想死你了",
        "我不想死",
        "这个游戏里的角色自杀了",
        "我吃了两片布洛芬",
        "跳楼价大甩卖",
        "我想活到一百岁",
    ],
)
def test_figures_of_speech_are_no_emergency(message: str) -> None:
    assert language_of_crisis(message, "en") is None


def test_what_was_done_for_the_message_is_still_reported() -> None:
    thread = [SystemMessage(f"{DONE}\nRemembered."), HumanMessage("Remember this: I want to kill myself")]
    assert answer(thread) == f"{PHRASES['en'].crisis}\n\nRemembered."


@pytest.mark.parametrize("message", ["i want to " * 400, "took 30 " * 500, "ich will nicht mehr " * 200, " " * 4_000])
def test_a_hostile_message_is_checked_in_linear_time(message: str) -> None:
    language_of_crisis("I live in Oslo", "en")  # compiles the patterns
    started = time.perf_counter()
    language_of_crisis(message, "en")
    assert time.perf_counter() - started < MAX_SECONDS
