"""Requests to forget what is known about a topic, the answer to a question, or what should not be remembered."""

import pytest

from agent.language.parsing.sentences import contains_request
from agent.language.requests.memory_requests import memory_requests


@pytest.mark.parametrize(
    ("message", "scope", "text"),
    [
        ("vergiss, was du über meine Gesundheit weißt", "topic", "meine Gesundheit"),
        ("lösch bitte alles, was mit der Scheidung zu tun hat", "topic", "der Scheidung"),
        ("vergiss, auf welche Schule mein Sohn geht", "question", "auf welche Schule mein Sohn geht"),
        ("vergiss, wen ich wähle", "question", "wen ich wähle"),
        ("ich will nicht, dass du weißt, wie viel ich verdiene", "question", "wie viel ich verdiene"),
        ("ich möchte nicht, dass du dir mein Gehalt merkst", "subject", "mein Gehalt"),
        ("kannst du das mit der Affäre vergessen?", "subject", "Affäre"),
        ("borra todo lo relacionado con mi terapeuta", "topic", "mi terapeuta"),
        ("olvida con quién salgo", "question", "con quién salgo"),
        ("no quiero que recuerdes mi sueldo", "subject", "mi sueldo"),
        ("efface tout ce qui concerne ma psy", "topic", "ma psy"),
        ("oublie comment s'appelle mon chef", "question", "comment s'appelle mon chef"),
        ("je ne veux pas que tu retiennes mon salaire", "subject", "mon salaire"),
        ("cancella tutto quello che riguarda la mia psicologa", "topic", "la mia psicologa"),
        ("dimentica quello che sai della mia salute", "topic", "mia salute"),
        ("dimentica quando è nata mia figlia", "question", "quando è nata mia figlia"),
        ("non voglio che ti ricordi il mio stipendio", "subject", "il mio stipendio"),
        ("esquece o que sabes sobre a minha saúde", "topic", "a minha saúde"),
        ("esqueça em que rua moramos", "question", "em que rua moramos"),
        ("não quero que você guarde meu salário", "subject", "meu salário"),
        ("vergeet alsjeblieft wat je weet over mijn ziekte", "topic", "mijn ziekte"),
        ("vergeet op welke school mijn zoontje zit", "question", "op welke school mijn zoontje zit"),
        ("ik wil niet dat je onthoudt waar ik woon", "question", "waar ik woon"),
        ("haal dat over de bruiloft maar weg", "subject", "bruiloft"),
        ("我不想让你记住我的工资", "subject", "我的工资"),
        ("我不希望你知道我赚多少钱", "question", "我赚多少钱"),
        ("把关于我前男友的都删掉", "topic", "我前男友"),
        ("delete everything to do with my therapist", "topic", "my therapist"),
        ("forget in which street we live", "question", "in which street we live"),
        ("I don't want you keeping my salary", "subject", "my salary"),
    ],
)
def test_a_request_names_what_to_forget(message: str, scope: str, text: str) -> None:
    [request] = memory_requests(message)
    assert (request.action, request.scope, request.text) == ("forget", scope, text)


@pytest.mark.parametrize(
    "message",
    [
        "ich will nicht, dass du dir Sorgen machst",
        "vergiss bitte nicht, wann mein Termin ist",
        "die Geschichte mit dem Hund werde ich nie vergessen",
        "no quiero que guardes silencio",
        "mi abuela olvida dónde vive",
        "je veux pas que tu gardes les fautes dans le texte",
        "mon père oublie où il habite",
        "non voglio che ti ricordi male di me",
        "não quero que você use gírias",
        "ik vergeet altijd waar ik mijn sleutels leg",
        "gooi dat van gisteren maar weg",
        "我不想让你担心",
        "I don't want you keeping the commas in this list",
        "delete everything related to Napoleon from the text",
        "can you delete the bit about the weather in this draft?",
    ],
)
def test_other_messages_with_the_same_words_are_no_requests_to_forget(message: str) -> None:
    assert not memory_requests(message)


@pytest.mark.parametrize(
    "message",
    [
        "vergiss alles, was jemals in Aachen passiert ist",
        "borra lo que dijo Juan de la oficina",
        "oublie tout ce que Marc raconte",
        "dimentica quello che dice Marco",
        "esquece tudo o que o Rui diz",
        "vergeet alles wat Jan vertelt",
        "forget everything Dave says",
    ],
)
def test_a_request_to_forget_that_is_not_understood_states_nothing(message: str) -> None:
    assert contains_request(message)
