"""Requests to remember a statement, in the forms of eight languages."""

import pytest

from agent.language.requests.memory_requests import memory_requests


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("denk dran, dass ich keine Milch trinke", "ich keine Milch trinke"),
        ("vergiss bitte nicht, dass ich Linkshänder bin", "ich Linkshänder bin"),
        ("bitte speicher dir ab, dass mein Auto grau ist", "mein Auto grau ist"),
        ("nicht vergessen: Oma hat am 3. Juni Geburtstag", "Oma hat am 3. Juni Geburtstag"),
        ("Memo an dich: Abgabe ist am 15. März", "Abgabe ist am 15. März"),
        ("que no se te olvide que no tomo leche", "no tomo leche"),
        ("apúntate que mi vuelo sale el 12 de mayo", "mi vuelo sale el 12 de mayo"),
        ("tienes que saber que voy en silla de ruedas", "voy en silla de ruedas"),
        ("n'oublie surtout pas que je suis gauchère", "je suis gauchère"),
        ("mets ça dans ta mémoire : mamie fête ses 80 ans", "mamie fête ses 80 ans"),
        ("il faut que tu saches que je suis en fauteuil", "je suis en fauteuil"),
        ("devi sapere che sono in sedia a rotelle", "sono in sedia a rotelle"),
        ("salva questo: la mia macchina è grigia", "la mia macchina è grigia"),
        ("anota aí que meu voo é dia 12 de maio", "meu voo é dia 12 de maio"),
        ("você precisa saber que sou cadeirante", "sou cadeirante"),
        ("vergeet alsjeblieft niet dat ik linkshandig ben", "ik linkshandig ben"),
        ("sla even op dat mijn auto grijs is", "mijn auto grijs is"),
        ("je moet weten dat ik in een rolstoel zit", "ik in een rolstoel zit"),
        ("你得记住我十月搬家", "我十月搬家"),
        ("帮我记下来:交稿是3月15号", "交稿是3月15号"),
        ("jot down that I wear a size 9", "I wear a size 9"),
        ("don't let me forget I don't drink milk", "I don't drink milk"),
        ("commit this to memory: deadline is 15 March", "deadline is 15 March"),
        ("mental note: I'm left-handed", "I'm left-handed"),
    ],
)
def test_a_request_names_what_to_remember(message: str, text: str) -> None:
    [request] = memory_requests(message)
    assert (request.action, request.scope, request.text) == ("remember", "statement", text)


@pytest.mark.parametrize(
    "message",
    [
        "Speicher: 16 GB, reicht das für Blender?",
        "denk mal drüber nach",
        "nicht vergessen zu atmen lol",
        "schreib dir auf keinen Fall was Falsches",
        "guarda che bello",
        "mets le four à 180",
        "note de frais: comment ça marche ?",
        "sla op als pdf, hoe doe ik dat",
        "记得小时候我们常去河边",
        "store: open 9 to 5 on weekdays",
        "memorize the periodic table, any tips?",
        "don't let me forget is a great song",
    ],
)
def test_other_messages_with_the_same_words_are_no_requests_to_remember(message: str) -> None:
    assert not memory_requests(message)
