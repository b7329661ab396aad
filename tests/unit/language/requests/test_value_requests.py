"""Requests to change what is remembered about the user, as the statements that they make."""

import pytest

from agent.language.requests.value_requests import with_statements


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("update my address: 12 Oak Road", "change: my address is 12 Oak Road"),
        ("hey, could you change my address to 12 Oak Road please?", "change: my address is 12 Oak Road."),
        ("new address: 12 Oak Road", "change: my address is 12 Oak Road"),
        ("My address has changed to 12 Oak Road.", "change: my address is 12 Oak Road."),
        ("my address isn't 4 Elm Street anymore, it's 12 Oak Road", "change: my address is 12 Oak Road"),
        ("correct my employer to Aldi", "change: my employer is Aldi"),
        ("my employer is Aldi, not Lidl", "change: my employer is Aldi"),
        ("set my age to 35", "change: my age is 35"),
        ("update my job: I work at Tesco now", "change: I work at Tesco"),
        ("change my address: we live at 12 Oak Road now", "change: we live at 12 Oak Road"),
        ("ändere meinen Job: ich arbeite bei Lidl", "ändere: ich arbeite bei Lidl"),
        ("rename my dog to Max", "change: my dog is called Max"),
        ("my dog's name is Max, not Rex", "change: my dog is called Max"),
        ("correct my birthday: it's 4 May", "change: my birthday is 4 May"),
        ("you have my birthday wrong, it is the 4th of May", "change: my birthday is the 4th of May"),
        ("change my wife's birthday to 4 May", "change: my wife's birthday is 4 May"),
        ("change my favourite colour to blue", "change: my favourite colour is blue"),
        ("ändere den Namen meines Hundes in Max", "ändere: mein Hund heißt Max"),
        ("benenne meine Katze in Lilli um", "ändere: meine Katze heißt Lilli"),
        ("kannst du meinen Arbeitgeber auf Aldi ändern?", "ändere: mein Arbeitgeber ist Aldi."),
        ("neue Adresse: Eichenweg 12", "ändere: meine Adresse ist Eichenweg 12"),
        ("mets mon loyer à 950", "change : mon loyer est de 950"),
        ("corrige mon anniversaire : c'est le 4 mai", "change : mon anniversaire est le 4 mai"),
        ("mon employeur est Leclerc, pas Carrefour", "change : mon employeur est Leclerc"),
        ("cambia el nombre de mi perro a Max", "cambia: mi perro se llama Max"),
        ("pon mi edad en 42", "cambia: mi edad es 42"),
        ("aggiorna il mio affitto a 950", "cambia: il mio affitto è di 950"),
        ("cambia il nome del mio gatto in Nala", "cambia: il mio gatto si chiama Nala"),
        ("muda o meu aluguer para 950", "muda: o meu aluguer é de 950"),
        ("verander de naam van mijn kat in Nala", "verander: mijn kat heet Nala"),
        ("kun je mijn adres veranderen in Eikenweg 12?", "verander: mijn adres is Eikenweg 12."),
        ("把我的房租改成950元", "改成\uff1a我的房租是950元"),
        ("把我的狗的名字改成小黑", "改成\uff1a我的狗叫小黑"),
    ],
)
def test_a_request_to_change_a_value_is_the_statement_of_the_value(message: str, statement: str) -> None:
    assert with_statements(message) == statement


@pytest.mark.parametrize(
    ("message", "statements"),
    [
        (
            "Change my address to 12 Oak Road. Also I'm allergic to nuts.",
            "change: my address is 12 Oak Road. Also I'm allergic to nuts.",
        ),
        ("set my age to 35 and I'm allergic to nuts", "change: my age is 35. I'm allergic to nuts"),
        (
            "I moved, please change my address to 12 Oak Road and my phone to 07700 900123",
            "I moved. change: my address is 12 Oak Road. change: my phone is 07700 900123",
        ),
        (
            "hi! can you change my address to 12 Oak Road? also my cat is called Tom",
            "hi! change: my address is 12 Oak Road. also my cat is called Tom",
        ),
    ],
)
def test_what_stands_beside_a_request_remains(message: str, statements: str) -> None:
    assert with_statements(message) == statements


@pytest.mark.parametrize(
    "message",
    [
        "change the address in the letter to 12 Oak Road",
        "update the slide: revenue 950",
        "rename the file to max.txt",
        "rename my variable dog to max",
        "set my alarm to 7",
        "change the colour of the button to blue",
        "change my background colour to blue",
        "set the age field to 35 in the form",
        'change "my address" to "my home" in this text',
        "how do I change my address to 12 Oak Road on Amazon?",
        "Rewrite my email: change my address to 12 Oak Road",
        "Correct my sentence: my address is 12 oak road",
        "write a letter to the bank: please change my address to 12 Oak Road",
        '"change my address to 12 Oak Road" - how do I say that in French?',
        "if he calls, change my address to 12 Oak Road",
        "in this story, set my age to 35",
        "I want to change my weight to 70 kg",
        "I want to change my job to something more creative",
        "change my email to a friendlier tone",
        "change my name to Bob in the contract",
        "I need to update my address at the bank",
        "my landlord wants to change my address to 12 Oak Road",
        "my address changed when I got married",
        "my parents' address is 12 Oak Road",
        "my employer is not Aldi",
        "my password is wrong, it's not working",
        "new idea: a bakery",
        "ändere den Namen der Datei in max.txt",
        "ändere meinen Namen im Brief in Anne",
        "mets le texte en bleu",
        "cambia el título del documento a Max",
        "把这段话翻译成英文",
    ],
)
def test_other_tasks_and_statements_are_left_as_they_are(message: str) -> None:
    assert with_statements(message) == message
