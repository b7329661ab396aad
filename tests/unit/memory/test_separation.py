"""Division of texts into statements that can be removed one by one, and what a statement says besides a topic."""

import pytest

from agent.memory.editing.list_removal import without_part
from agent.memory.editing.selection import Selection, Statement, select_words
from agent.memory.editing.separation import says_more, separate_statements, without_added_clause, without_statement

DIVIDED = [
    ("Jonas hat Diabetes, Lea spielt Geige und ich arbeite nachts", "Lea", "Jonas hat Diabetes, ich arbeite nachts"),
    ("my neighbour Greg has a parrot and I'm learning Welsh", "Greg", "I'm learning Welsh"),
    ("Tom is vegan, Nina's allergic to nuts and I don't eat pork", "Nina", "Tom is vegan, I don't eat pork"),
    ("Vivo en Cádiz y mi hermana Lola es enfermera", "Lola", "Vivo en Cádiz"),
    ("Luc est végétarien, Manon adore le fromage et je skie", "Manon", "Luc est végétarien, je skie"),
    ("Giulia è celiaca, Marco gioca a calcio e io non mangio pesce", "Marco", "Giulia è celiaca, io non mangio pesce"),
    ("Femke is zwanger, Joost werkt in Gent en ik woon in Brugge", "Joost", "Femke is zwanger, ik woon in Brugge"),
    ("A Ana é vegana, o Rui trabalha no Porto e eu odeio peixe", "Rui", "A Ana é vegana, eu odeio peixe"),
    ("I've been promoted. Dan got fired. My office is in Bath.", "Dan", "I've been promoted. My office is in Bath."),
    ("The band is off → Moritz sings, the cake is ready", "Moritz", "The band is off → the cake is ready"),
    ("Anke is 40 now … Bernd moved out", "Bernd", "Anke is 40 now"),
    ("Elaine's on sabbatical so my supervisor is Dr Nasser now", "Elaine", "my supervisor is Dr Nasser now"),
    ("Rafa has a new car, he drives it to Lugo and I cycle to work", "Rafa", "I cycle to work"),
    ("Karl hat Geburtstag. Uwe bringt Bier, ich backe.", "Uwe", "Karl hat Geburtstag. ich backe."),
    ("mido 1,70, peso 60 kilos y entreno los martes", "mi peso", "mido 1,70, entreno los martes"),
    ("Ich habe Asthma und wohne in Graz", "Asthma", "Ich wohne in Graz"),
]
UNDIVIDED = [
    ("my mum and my aunt Rosa live in Leeds", "Rosa"),
    ("I work as an engineer at Bosch in Ulm", "Bosch"),
    ("I have three kids: Mia, Kai and Ben", "Kai"),
    ("Mum and Rosa live in Leeds", "Rosa"),
    ("Kai knows I'm pregnant", "Kai"),
    ("told Alan that I'm bipolar", "Alan"),
    ("Omar runs a cafe, coffee is great", "Omar"),
    ("My friend Dan and I are writing a musical", "Dan"),
    ("I run a bakery in York with my sister Priya and her husband", "Priya"),
    ("I sing in a choir in Hull with Olga, a retired judge", "Olga"),
    ("I learned Polish with Olga because she lives next door", "Olga"),
    ("I work at Lidl with Tim's brother", "Tim"),
    ("I go climbing with Dan, Lou and Meg on Thursdays", "Meg"),
]
COMPANIONS = [
    ("I run a bookshop in Ludlow with my cousin Hettie", "Hettie", "I run a bookshop in Ludlow"),
    ("Fuimos a Roma con Paco", "Paco", "Fuimos a Roma"),
    ("Ich fahre mit Olaf nach Kiel", "Olaf", "Ich fahre nach Kiel"),
    ("J'habite à Lille avec Zoé", "Zoé", "J'habite à Lille"),
    (
        "ich wohne mit meinem Mann Kai und unserer Tochter Mia in Ulm und arbeite als Lehrerin",
        "Kai",
        "ich wohne mit unserer Tochter Mia in Ulm und arbeite als Lehrerin",
    ),
    ("Opened a gym in Cork with Sean and Aoife", "Sean", "Opened a gym in Cork with Aoife"),
    ("I live in Norwich with my wife Jean and our two cats", "Jean", "I live in Norwich with our two cats"),
    ("my sister-in-law Greta and I play squash on Fridays", "Greta", "I play squash on Fridays"),
    ("I go climbing with Dan, Lou and Meg on Thursdays", "Lou", "I go climbing with Dan and Meg on Thursdays"),
    ("I share a car with my sister Ana and my mum", "my sister", "I share a car with my mum"),
    ("I share a flat in Leeds with my mum and my brother Tom", "Tom", "I share a flat in Leeds with my mum"),
    ("Vivo a Roma con mio fratello Luca e due gatti", "Luca", "Vivo a Roma con due gatti"),
    ("Moro em Lisboa com a minha irmã Ana e o meu pai", "Ana", "Moro em Lisboa com o meu pai"),
    ("Ik woon in Gent met mijn vrouw Sanne en onze zoon", "Sanne", "Ik woon in Gent met onze zoon"),
]
ABOUT = [
    ("my boyfriend Theo works in Lyon", "Theo"),
    ("Brother Alan is a plumber", "Alan"),
    ("my brother Alan is a plumber … he lives in Hull", "Alan"),
    ("Ex is called Tom", "Tom"),
    ("And Alan is my brother", "Alan"),
    ("Omar can't eat dairy, but his kids are fine", "Omar"),
    ("Omar runs a cafe, second one this year", "Omar"),
    ("I owe Theo 40 euros", "Theo"),
    ("I am married to Theo", "Theo"),
    ("Met the ex in Leeds", "my ex"),
    ("Lives in London", "London"),
    ("Moved to London in 2019", "London"),
    ("Is allergic to peanuts since childhood", "peanuts"),
    ("Mein Chef heißt Herr Lang", "Herr Lang"),
]


@pytest.mark.parametrize(("text", "topic", "rest"), DIVIDED)
def test_a_statement_is_cut_so_that_the_others_remain(text: str, topic: str, rest: str) -> None:
    [about] = [one for one in separate_statements(text) if topic.removeprefix("mi ") in one]
    assert not says_more(about, topic)
    assert without_statement(text, about) == rest


@pytest.mark.parametrize(("text", "topic"), UNDIVIDED)
def test_what_is_about_several_things_is_offered(text: str, topic: str) -> None:
    [statement] = [Statement("1", one, "") for one in separate_statements(text) if topic in one]
    selection = select_words(f"everything about {topic}", [statement])
    assert selection.certain == ()
    assert len(selection.offered) == 1


@pytest.mark.parametrize(("text", "person", "rest"), COMPANIONS)
def test_a_companion_is_removed_from_a_statement_that_is_complete_without_them(
    text: str, person: str, rest: str
) -> None:
    selection = select_words(f"everything about {person}", [Statement("1", text, "")])
    [named], offered = selection.certain, selection.offered
    assert not offered
    remaining = without_part({"text": text}, named.text)
    assert remaining == {"text": rest}


@pytest.mark.parametrize(("text", "topic"), ABOUT)
def test_a_statement_about_one_topic_is_selected(text: str, topic: str) -> None:
    [statement] = [Statement("1", one, "") for one in separate_statements(text)]
    assert select_words(f"everything about {topic}", [statement]) == Selection(certain=(statement,))


@pytest.mark.parametrize(
    "text",
    [
        "my thesis is due on Monday → sorry, Thursday",
        "If Kai comes, I stay at home and my dog stays with him.",
        "Weil Kai schnarcht, schlafe ich im Gästezimmer.",
        "My mum is 81 and lives in Seville.",
        "We need milk, eggs and bread.",
        "I like Thai food, Greek islands and jazz",
    ],
)
def test_what_is_not_complete_by_itself_remains_with_what_precedes_it(text: str) -> None:
    assert separate_statements(text) == [text]
    assert without_statement(text, text) == ""


def test_of_a_statement_with_another_attribute_only_its_last_clause_is_offered() -> None:
    selection = select_words("my weight", [Statement("1", "i'm 41, 78 kilos", "")])
    assert [one.text for one in selection.offered] == ["78 kilos"]
    assert without_added_clause("i'm 41, 78 kilos", "78 kilos") == "i'm 41"
    assert without_added_clause("I'm 41 and about 78 kilos.", "about 78 kilos.") == "I'm 41."
