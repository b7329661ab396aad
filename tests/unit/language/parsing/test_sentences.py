"""A full stop after an abbreviation or a title does not end a sentence."""

import pytest

from agent.language.parsing.sentences import sentences
from support.growth import MAX_GROWTH, growth

ONE_SENTENCE = [
    "a consulta da Bruna com a dra. Helena é quarta às 15h",
    "o sr. Costa é meu vizinho",
    "la dott.ssa Rossi mi ha visitato",
    "il dott. Bianchi mi segue da anni",
    "la sig.ra Verdi abita sopra",
    "l'avv. Neri mi difende",
    "Mme. Dupont garde ma fille",
    "Mlle. Petit est ma prof",
    "Frau Dr. Weber ist meine Ärztin",
    "meine Tochter bzw. ihr Freund kommt mit",
    "tengo alergias, p.ej. al polen",
    "tengo alergias, p. ej. al polen",
    "la Sra. García es mi casera",
    "la dra. Ruiz me opera el lunes",
    "dhr. Jansen is mijn huisbaas",
    "mevr. de Vries past op",
    "ik sport veel, bijv. tennis",
    "mieszkam przy ul. Polnej w Łodzi",
    "mam alergie, np. na pyłki",
    "prof. Nowak to mój promotor",
    "ich mag Obst, z. B. Kirschen",
    "ich arbeite Teilzeit, d.h. vormittags",
    "wir wohnen ca. 10 km entfernt",
    "evtl. ziehen wir nach Bonn",
    "Rev. Smith married us",
    "Capt. Morgan was my granddad",
    "o Prof. Lima é meu orientador",
    "Dr. Kaya benim doktorum",
    "Nr. 5 ist mein Haus",
    "I live in St. Ives",
    "la prof.ssa Neri è mia zia",
    "o Dr. Silva me operou",
    "a sra. Dona Ana mora comigo",
    "Hr. Schmidt ist mein Chef",
    "mein Haus kostet 2 Mio. Euro",
    "mevr. dr. Smit is mijn tandarts",
    "mw. Bakker woont boven",
    "mieszkam przy kościele św. Anny",
    "inż. Kowalski to mój brat",
    "Sgt. Pepper is my cat",
    "el Lic. Gómez me ayuda",
    "moro na av. Paulista 100",
    "l'ing. Costa lavora con me",
    "M. Dubois est mon voisin",
    "ich mag u.a. Kaffee",
    "Miete ist 900 inkl. Strom",
    "wir kommen ggf. später",
    "meine Tante wohnt in der Goethestr. 5",
    "ks. Marek uczy moje dzieci",
    "ik woon bij drs. de Boer",
]
TWO_SENTENCES = [
    "I have to go. My son is ill.",
    "me tengo que ir. Mañana vuelvo.",
    "I take vitamin D3. My wife takes iron.",
    "c'est là où il est. Je suis triste.",
    "np. I live in Oslo",
    "Mein Hund ist alt. Er heißt Rex.",
    "She is my prof at uni. I like her.",
    "Ich bin 30. Meine Frau ist 29.",
    "I love tea, etc. My wife hates it.",
    "Vivo en Lima. Mi perro es Taco.",
    "ho due figli. Vivono a Bari.",
    "ik wil dat niet. Mijn zus wel.",
    "lubię koty. Mam dwa.",
    "call me. I am free.",
    "he is a star. He lives in Bath.",
    "Ich fahre Rad. Mein Mann läuft.",
    "J'ai un chien. Il est vieux.",
    "tengo que salir. Mi hijo espera.",
    "mam kota. Jest rudy.",
    "my dad is 70. He plays golf.",
    "gosto de pão. Minha mãe faz.",
    "I work at Lidl. You?",
    "mio figlio va via. Sono triste.",
    "il dort mal. Il a 3 ans.",
    "hij is ziek. Ik kook.",
]


def count(text: str) -> int:
    return sum(any(map(str.isalnum, text[start:stop])) for start, stop in sentences(text))


@pytest.mark.parametrize("text", ONE_SENTENCE)
def test_an_abbreviation_does_not_end_a_sentence(text: str) -> None:
    assert count(text) == 1


@pytest.mark.parametrize("text", TWO_SENTENCES)
def test_other_words_end_a_sentence(text: str) -> None:
    assert count(text) == len(["first", "second"])


@pytest.mark.parametrize("unit", ["dr. ", "a. ", "...", "bzw. A"])
def test_sentences_are_found_in_linear_time(unit: str) -> None:
    assert growth(lambda text: list(sentences(text)), unit) < MAX_GROWTH
