"""What a request selects if its words and those of the memory differ, and whose things are meant."""

import pytest

from agent.language.requests.memory_requests import memory_requests
from agent.memory.editing.selection import Statement, select, select_words, with_continuations
from agent.memory.editing.separation import separate_statements

CERTAIN = [
    ("forget the Rangemaster", "Cooks on a Rangemaster at home"),
    ("Please forget about the fall", "I had a fall in the garden last week"),
    ("forget about the van", "Drives a van to work"),
    ("forget that Omar is allergic to cats", "my flatmate Omar is allergic to cats"),
    ("forget that i had a stress fracture", "had a stress fracture in my left foot in March"),
    ("Vergiss, dass ich kein Fleisch esse", "Isst kein Fleisch"),
    ("Vergiss, dass ich kein Fleisch esse", "ich esse seit Januar kein Fleisch mehr"),
    ("vergiss, dass ich Motorrad fahre", "fährt Motorrad"),
    ("oublie que je suis végétarien", "je suis végétarien depuis deux ans"),
    ("olvida que tengo asma", "tengo asma desde pequeño"),
    ("vergeet dat ik vegetariër ben", "ik ben vegetariër sinds 2020"),
    ("forget that I like jazz", "I like jazz and I work in Bonn at a bank"),
    ("forget that Zoe owed me money", "Zoe owes me 40 quid"),
    ("dimentica che Paolo mi deve dei soldi", "Paolo mi deve ancora 200 euro"),
    ("vergiss, dass Tim mir Geld schuldet", "Tim schuldet mir noch 80 Euro"),
    ("forget my number", "my number is 0161 496 0000"),
    ("zapomnij o tym, że Tomek nie je mięsa", "Mój mąż Tomek nie je mięsa"),
    ("vergeet dat Bart niet kan skiën", "mijn man Bart kan niet skiën vanwege zijn rug"),
    ("vergeet wat ik zei over Barts rug", "mijn man Bart kan niet skiën vanwege zijn rug"),
    ("olvida eso de que mi hermana está embarazada", "mi hermana está embarazada de gemelos"),
    ("oublie ça, que Luc a perdu son boulot", "Luc a perdu son boulot"),
    (
        "Vergiss bitte, dass Renate gegen Nüsse allergisch ist, das war Quatsch",
        "Renate ist allergisch gegen Nüsse, also keine Pralinen",
    ),
    ("zapomnij, że Marek szuka pracy, to był żart", "mój brat Marek szuka pracy"),
    ("vergiss das mit Anjas Freund", "Anjas Freund heißt Milan"),
]
UNTRUE = [
    ("vergeet dat ik allergisch ben voor schaaldieren, bleek niet te kloppen", "ik allergisch ben voor schaaldieren"),
    ("forget that I'm engaged, turns out he was lying", "I'm engaged"),
    ("vergiss, dass ich in Bonn wohne, das stimmt nicht mehr", "ich in Bonn wohne"),
    ("olvida que soy celíaco, al final no era eso", "soy celíaco"),
    ("oublie que je joue du piano, c'était une blague", "je joue du piano"),
    ("dimentica che sono vegano, non è vero", "sono vegano"),
    ("esquece que tenho um gato, era mentira", "tenho um gato"),
    ("vergeet dat ik allergisch ben voor noten, ei en soja", "ik allergisch ben voor noten, ei en soja"),
    ("forget that I live in Leeds, near the station", "I live in Leeds, near the station"),
]
OFFERED = [
    ("forget that i had a stress fracture", "i had a stress fracture in my left foot, so no running until May"),
    ("forget that I broke my wrist", "broke my wrist in January and lost my job"),
    ("forget that I play tennis", "my son Ben plays tennis"),
    ("forget the piano", "My daughter has a piano in her room"),
    ("forget that my sister is pregnant", "my sister is having a baby"),
    ("dimentica che Paolo mi deve dei soldi", "ho prestato soldi a mio cugino Paolo, mi deve ancora 200 euro"),
    ("esquece que moro em Braga", "mudei-me para Braga no mês passado"),
    ("vergeet mijn telefoonnummer", "ik heb een nieuw nummer: 0488 55 98 76"),
    ("forget my dog", "I live in Leeds with my dog Rex"),
    ("esquece isso do Léo", "o meu irmão Léo perdeu o emprego"),
    ("vergeet dat Bart kan skiën", "mijn man Bart kan niet skiën"),
]
UNRELATED = [
    ("forget that my parents are putting in 5k", "the budget is 21k now, his parents chipped in 3"),
    ("forget that my brother earns 60k", "her brother wants 40 sheep"),
    ("dimentica il mio numero", "il numero della nave è 7"),
    ("forget my number", "his number is 0161 496 0000"),
    ("forget my cat", "the cat of our neighbours is called Tom"),
    ("olvida mi coche", "el coche de Marta es rojo"),
    ("vergiss meinen Hund", "der Hund von Klaus ist alt"),
    ("forget that Zoe owed me money", "Zoe moved to Bath"),
]


def selected(message: str, memory: str) -> tuple[list[str], list[str]]:
    [request] = memory_requests(message)
    texts = [*separate_statements(memory), "Likes green tea"]
    selection = select(request, [Statement(text, text, "") for text in texts])
    return [one.text for one in selection.certain], [one.text for one in selection.offered]


@pytest.mark.parametrize(("message", "memory"), CERTAIN)
def test_a_memory_that_states_what_is_named_and_nothing_else_is_selected(message: str, memory: str) -> None:
    assert selected(message, memory) == (separate_statements(memory)[:1], [])


@pytest.mark.parametrize(("message", "memory"), OFFERED)
def test_a_memory_that_may_be_meant_or_states_more_is_offered(message: str, memory: str) -> None:
    assert selected(message, memory) == ([], [memory])


@pytest.mark.parametrize(("message", "memory"), UNRELATED)
def test_a_memory_about_the_same_kind_of_thing_of_somebody_else_is_not_offered(message: str, memory: str) -> None:
    assert selected(message, memory) == ([], [])


@pytest.mark.parametrize(("message", "content"), UNTRUE)
def test_a_clause_that_calls_the_content_untrue_is_no_part_of_it(message: str, content: str) -> None:
    [request] = memory_requests(message)
    assert (request.scope, request.text) == ("statement", content)


@pytest.mark.parametrize(
    ("later", "is_offered"),
    [
        ("he is really loud at night", True),
        ("Vive en Vigo", True),
        ("Er ist laut", True),
        ("I bought a kettle", False),
        ("Lives in Hull", False),
    ],
)
def test_what_a_later_message_says_about_a_topic_with_a_pronoun_is_offered(later: str, *, is_offered: bool) -> None:
    first = Statement("1", "my neighbour Greg has a parrot", "", thread="t", said_at="2026-01-01")
    second = Statement("2", later, "", thread="t", said_at="2026-01-02")
    elsewhere = Statement("3", "he hates tea", "", thread="u", said_at="2026-01-02")
    [request] = memory_requests("forget everything about Greg")
    selection = select(request, [elsewhere, second, first])
    assert selection.certain == (first,)
    assert selection.offered == ((second,) if is_offered else ())


@pytest.mark.parametrize(
    ("text", "topic", "others"),
    [
        ("My therapist is called Dr. Hollis, I see her fortnightly", "my therapist", []),
        ("I've got a cello, I keep it at school and I hate carrying it", "my cello", []),
        ("We rent a cabin near Inverness, we paid 400 for it", "the cabin", []),
        ("we bought a boat, it's moored in Falmouth", "the boat", []),
        ("My neighbour Colin has a drone. Everyone hates him.", "Colin", []),
        ("Meine Therapeutin heißt Ute, ich sehe sie montags", "meine Therapeutin", []),
        ("Mi terapeuta se llama Marta, la veo cada semana", "mi terapeuta", []),
        ("Ma psy s'appelle Claire, je la vois le mardi", "ma psy", []),
        ("La mia psicologa si chiama Lucia, la vedo ogni giovedì", "la mia psicologa", []),
        ("A minha terapeuta chama-se Rita, vejo-a às terças", "a minha terapeuta", []),
        ("Mijn therapeut heet Joost, ik zie hem elke week", "mijn therapeut", []),
        ("I have a cello. It rains a lot here in Bergen", "my cello", ["It rains a lot here in Bergen"]),
        ("My boss is Dennis. My mum is 80, I visit her", "my boss", ["My mum is 80", "I visit her"]),
        ("I drive a van, I have a sister, I call her daily", "the van", ["I have a sister", "I call her daily"]),
        ("We bought a tent from Ben. He lives in Hove", "the tent", ["He lives in Hove"]),
    ],
)
def test_what_a_message_goes_on_to_say_about_a_topic_with_a_pronoun_is_selected(
    text: str, topic: str, others: list[str]
) -> None:
    statements = [Statement("1", one, "", thread="t", said_at="2026-01-01") for one in separate_statements(text)]
    selection = select_words(f"everything about {topic}", statements)
    selected = {one.text for one in (*selection.certain, *selection.offered)}
    assert [one.text for one in statements if one.text not in selected] == others


@pytest.mark.parametrize(
    ("text", "chosen", "others"),
    [
        ("My dentist is called Mia, I see her yearly. I swim", "My dentist is called Mia", ["I swim"]),
        ("My mum is 80, I live in Bath, I see her weekly", "I live in Bath", ["My mum is 80", "I see her weekly"]),
        ("My mum knows Dr Kay, I like her", "My mum knows Dr Kay", []),
    ],
)
def test_with_a_chosen_statement_go_those_that_need_its_subject(text: str, chosen: str, others: list[str]) -> None:
    statements = [Statement("1", one, "", thread="t", said_at="2026-01-01") for one in separate_statements(text)]
    selected = with_continuations([Statement("1", chosen, "")], statements)
    kept = {one.text for one in selected}
    assert [one.text for one in statements if one.text not in kept] == others


@pytest.mark.parametrize(
    "text", ["My physio is Ben, it's my birthday on 4 May", "La mia psicologa è Lucia, la mattina corro nel parco"]
)
def test_a_clause_about_something_else_is_not_forgotten_with_its_sentence(text: str) -> None:
    topic = text.partition(" is ")[0].partition(" è ")[0]
    assert select_words(f"everything about {topic}", [Statement("1", text, "")]).certain == ()


@pytest.mark.parametrize(
    "first", ["my brother Greg and my sister Ann are vets", "I met Greg in Hull", "my neighbour Greg's sister is a vet"]
)
def test_a_pronoun_that_may_mean_somebody_else_is_not_offered(first: str) -> None:
    statements = [
        Statement("1", first, "", thread="t", said_at="2026-01-01"),
        Statement("2", "she lives in Bath", "", thread="t", said_at="2026-01-02"),
    ]
    [request] = memory_requests("forget everything about Greg")
    selection = select(request, statements)
    assert statements[1] not in (*selection.certain, *selection.offered)


@pytest.mark.parametrize(
    ("message", "meant", "other"),
    [
        ("forget that I have a bad back", "bad back, physio on mondays", "Specsavers put me back to Wednesday at 11"),
        ("forget that I have a bad back", "My back is bad again", "Specsavers put me back to Wednesday at 11"),
        ("forget that my back hurts", "my back is sore", "I want to go back to Lisbon in May"),
        ("forget that my back hurts", "my back is sore", "Dan paid me back in March"),
        ("Please forget about the flat.", "We want to buy a flat in Baner", "I want leave from 10th Dec to 18th Dec"),
        ("Please forget about the flat.", "We want to buy a flat in Baner", "loan will be from SBI"),
        ("forget that I play jazz piano", "jazz piano, grade 5", "I hate jazz"),
    ],
)
def test_what_uses_a_word_in_another_sense_is_not_offered(message: str, meant: str, other: str) -> None:
    [request] = memory_requests(message)
    selection = select(request, [Statement("1", other, "2026-02-01"), Statement("2", meant, "2026-01-01")])
    assert [one.text for one in (*selection.certain, *selection.offered)] == [meant]


@pytest.mark.parametrize(
    ("name", "text", "is_meant"),
    [
        ("Steph", "I told steph no and she was fine", True),
        ("Rose", "rose moved to Hull", True),
        ("Biscuit", "I baked a biscuit", False),
        ("Rose", "I drink rose wine", False),
    ],
)
def test_a_name_in_small_letters_is_that_of_the_person(name: str, text: str, *, is_meant: bool) -> None:
    [request] = memory_requests(f"forget everything about {name}")
    known = Statement("1", f"my friend {name} likes walks", "2026-01-01")
    selection = select(request, [known, Statement("2", text, "2026-01-02")])
    assert [one.text for one in selection.certain] == [known.text, *([text] if is_meant else [])]


def test_a_pronoun_selects_what_is_known_about_the_person() -> None:
    texts = ["my girlfriend mia loves Taylor and her bday is dec 9", "mia works at starbucks", "my bday is in may"]
    [request] = memory_requests("me and mia broke up so forget everything about her")
    selection = select(request, [Statement(str(n), text, "2026-01-01") for n, text in enumerate(texts)])
    assert [one.text for one in selection.certain] == texts[:2]
