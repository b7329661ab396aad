"""Words in the first person after a task to write as another person are not the user's; other tasks state facts."""

import pytest

from agent.language.authorship.own_words import mask_quoted


@pytest.mark.parametrize(
    "message",
    [
        "write a diary entry of a soldier. my name is Tom",
        "can you write a journal entry by a lighthouse keeper? I live alone with my cat",
        "make up a diary entry of a Victorian maid: I get up at five and my back hurts",
        "write a monologue for a tired nurse. I work nights and I have two kids",
        "write a letter from a prisoner to his wife. I'm innocent",
        "write a speech by a viking. my name is Olaf and I love raiding",
        "write song lyrics as a cowboy. my horse is called Daisy",
        "write a poem through the eyes of a refugee. I left my country with one bag",
        "schreib einen Tagebucheintrag eines Soldaten. Ich heiße Tom und bin 19",
        "Schreib ein Gedicht aus der Sicht eines Kindes. Ich heiße Mia und bin 6",
        "escribe el diario de un soldado. Me llamo Tomás y tengo 19 años",
        "écris le journal intime d'un soldat. Je m'appelle Tom et j'ai 19 ans",
        "scrivi un diario di un soldato. Mi chiamo Tom e ho 19 anni",
        "escreve o diário de um soldado. Chamo-me Tom e tenho 19 anos",
        "schrijf een dagboek van een soldaat. Ik heet Tom en ben 19",
    ],
)
def test_the_words_of_an_invented_person_are_not_the_users(message: str) -> None:
    assert not any(map(str.isalnum, mask_quoted(message)))


@pytest.mark.parametrize(
    "message",
    [
        "write a birthday poem for Mia. she's 6 and loves foxes",
        "write a poem for my wife. we've been married 20 years",
        "write a letter from a customer. I bought a toaster in May and it broke",
        "write a blog post as a nurse. I work in Hull and I have two kids",
        "write a diary of a trip. I went to Rome with Tom in May",
        "write a diary entry of a soldier. I need it for my history class, I'm in year 9",
        "write a letter to a prisoner. I'm his sister and I live in Hull",
        "write a card for a friend. I met her in Spain",
        "I'm writing a diary of a soldier. My name is Tom",
        "I wrote a monologue for a nurse. I work nights",
        "schreib einen Brief an einen Freund. Ich wohne jetzt in Ulm",
        "escribe una carta de una vecina. Vivo en el 3B",
    ],
)
def test_a_text_for_a_person_or_about_real_life_states_facts(message: str) -> None:
    assert mask_quoted(message) == message
