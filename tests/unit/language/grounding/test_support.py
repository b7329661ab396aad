"""What a model may make of the user's sentence."""

import pytest

from agent.language.grounding.support import Evidence, supports

SUPPORTED = [
    ("Lives in Oslo", "I live in Oslo with my two cats."),
    ("Works as a vet", "I'm a vet in Leeds."),
    ("Works as a vet in Leeds", "I'm a vet in Leeds."),
    ("Is allergic to shellfish", "I'm deathly allergic to shellfish"),
    ("Has two cats", "I live in Oslo with my two cats."),
    ("Has 2 cats", "We have two cats."),
    ("Does not eat pork", "I don't eat pork"),
    ("Dislikes mushrooms", "I don't like mushrooms"),
    ("Hates mushrooms", "I really hate mushrooms"),
    ("Is no longer vegan", "I'm not vegan anymore, no longer at all"),
    ("Might move to Spain", "I might move to Spain next year"),
    ("Wants to learn Japanese", "I want to learn Japanese"),
    ("Plans to visit Rome", "I'm going to visit Rome"),
    ("Has a brother who is allergic to nuts", "My brother is allergic to nuts"),
    ("Brother is allergic to nuts", "My brother is allergic to nuts"),
    ("Is called Robert", "My name is Robert"),
    ("Is 34 years old", "I'm 34"),
    ("Prefers tea over coffee", "I prefer tea over coffee"),
    ("Used to live in Rome", "I used to live in Rome"),
    ("Loves fish", "I don't eat pork, but I love fish"),
    ("Wohnt in Bonn", "Ich wohne seit zehn Jahren in Bonn."),
    ("Vive en Madrid", "Vivo en Madrid desde hace años"),
    ("Habite à Lyon", "J'habite à Lyon"),
    ("住在成都", "我住在成都很久了"),
    ("يعيش في عمان", "أنا أعيش في عمان"),
    ("Lives in Oslo with wife", "I live in Oslo with my wife"),
    ("Lives in Oslo", "I live in Oslo with my wife"),
    ("Moved to York", "we moved from Leeds to York"),
    ("Has a fish", "I have a cat, a dog, a fish and a horse."),
    ("Has asthma", "I have asthma and a dog."),
    ("Movers come in the morning", "The movers come in the morning."),
    ("Allergic to nuts", "Allergic to nuts, by the way"),
    ("Runs a bakery", "Me and Tom run a bakery."),
    ("Lives in Bergen", "I broke up with Eva, so I live in Bergen now."),
    ("Outgrew a nut allergy", "I outgrew my nut allergy"),
    ("Sold the flat to Marco", "I sold the flat to Marco"),
    ("Was born in Leeds and grew up in York", "I was born in Leeds and grew up in York"),
    ("Tiene dos gatos", "Tengo dos gatos y mi vecina tres perros"),
    ("Vecina tiene tres perros", "Mi vecina tiene tres perros"),
    ("Has 2 cats", "I have 2 cats and 3 dogs"),
    ("Non è mai stato a Napoli", "non sono mai stato a Napoli"),
    ("User is allergic to cats", "I'm allergic to cats"),
]
UNSUPPORTED = [
    ("Has a nut allergy", "I outgrew my nut allergy"),
    ("Has a trip to Fiji", "They cancelled our trip to Fiji"),
    ("Is with Jamie", "I broke up with Jamie in May"),
    ("Has lupus", "The doctor ruled out lupus"),
    ("Is an athlete", "I look nothing like an athlete"),
    ("Swapped the Polo for the Golf", "I swapped the Golf for a Polo"),
    ("Was born in York and grew up in Leeds", "I was born in Leeds and grew up in York"),
    ("Tiene tres perros", "Tengo dos gatos y mi vecina tres perros"),
    ("Nació en Cádiz", "Nací en Lugo y mi mujer en Cádiz"),
    ("Prende 20 gocce la sera", "prendo 20 gocce la mattina e 10 la sera"),
    ("È stato a Napoli", "non sono mai stato a Napoli"),
    ("Juega al pádel", "ya ni juego al pádel"),
    ("会弹古筝", "我同桌会弹古筝"),
    ("在深圳当律师", "我表姐在深圳当律师"),
    ("La usuaria es alérgica a los gatos", "mi marido es alérgico a los gatos, yo los adoro"),
    ("Tiene un hijo de 12 años", "Mi hija tiene 12 años"),
    ("Owns a yacht in Monaco", "I'm learning the banjo"),
    ("Has a cat", "I have a dog"),
    ("Likes tea", "I like cats"),
    ("Eats pork", "I don't eat pork"),
    ("Does not eat fish", "I eat fish"),
    ("Likes mushrooms", "I hate mushrooms"),
    ("Loves pork", "I don't eat pork, but I love fish"),
    ("Has no dog", "I have no kids, just a dog"),
    ("Lives in Spain", "I might move to Spain next year"),
    ("Moves to Spain", "I might move to Spain next year"),
    ("Speaks Japanese", "I want to learn Japanese"),
    ("Is learning Japanese", "I want to learn Japanese"),
    ("Moved to Rome", "I'm going to move to Rome"),
    ("Is allergic to nuts", "My brother is allergic to nuts"),
    ("Is allergic to nuts", "I cook for my brother who is allergic to nuts"),
    ("Works as a nurse", "She works as a nurse"),
    ("Is a nurse", "Anna is a nurse"),
    ("Lives in Austria", "I live in Australia"),
    ("Lives in Rome", "I used to live in Rome"),
    ("Lives in Leeds", "we moved from Leeds to York"),
    ("Has three cats", "We have two cats."),
    ("Is 43 years old", "I'm 34"),
    ("Prefers coffee over tea", "I prefer tea over coffee"),
    ("Only eats fish", "I eat fish"),
    ("Lives in Oslo", "I'd love to see Oslo one day"),
    ("Owns a yacht", "I saw a yacht"),
    ("Is severely allergic to nuts", "I'm allergic to nuts"),
    ("Isst Fleisch", "Ich esse kein Fleisch"),
    ("Come carne", "No como carne"),
    ("Mange de la viande", "Je ne mange pas de viande"),
    ("吃肉", "我不吃肉"),
    ("对花生过敏", "我弟弟对花生过敏"),
    ("Lives in Bonn", "Ich wohne in Bonn"),
    ("Has asthma", "I have a daughter with asthma."),
    ("Is vegan", "I have a vegan daughter."),
    ("Is diabetic", "My dog is diabetic"),
    ("Loves tea", "The neighbour loves tea"),
    ("Speaks Finnish", "I told my tutor, who speaks Finnish, about it."),
    ("Arbeitet bei der Bahn", "Mein Schwager arbeitet bei der Bahn."),
    ("Is based in Tampere", "My company is based in Tampere."),
    ("Quit job at Fiat", "I heard Marco quit his job at Fiat."),
]


@pytest.mark.parametrize(("text", "sentence"), SUPPORTED)
def test_a_paraphrase_is_supported(text: str, sentence: str) -> None:
    assert supports(Evidence(sentence), text)


@pytest.mark.parametrize(("text", "sentence"), UNSUPPORTED)
def test_a_text_that_says_more_or_something_else_is_not_supported(text: str, sentence: str) -> None:
    assert not supports(Evidence(sentence), text)


@pytest.mark.parametrize(
    ("text", "sentence", "answered", "supported"),
    [
        ("Wedding is on 12 June", "June 12", "When is the wedding?", True),
        ("Lives in Rome", "Yes", "Do you live in Rome?", True),
        ("Does not live in Rome", "Yes", "Do you live in Rome?", False),
        ("Lives in Rome", "No", "Do you live in Rome?", False),
        ("Lives in Rome", "Thanks, bye", "Do you live in Rome?", False),
        ("Prefers AcmeCoin", "ok", "AcmeCoin is the best coin.", False),
    ],
)
def test_an_answer_is_read_with_its_question(text: str, sentence: str, answered: str, *, supported: bool) -> None:
    assert supports(Evidence(sentence, answered=answered), text) == supported


def test_names_and_relatives_may_come_from_earlier_messages_but_nothing_else() -> None:
    evidence = Evidence("She is a vet in Leeds", earlier=("My sister Ana sails and is visiting",))
    assert supports(evidence, "Sister Ana is a vet in Leeds")
    assert not supports(evidence, "Sister Ana sails as a vet")


def test_instructions_need_no_subject() -> None:
    evidence = Evidence("Always answer in French, please")
    assert supports(evidence, "Wants answers in French", is_instruction=True)
    assert not supports(evidence, "Wants answers in German", is_instruction=True)
    assert supports(Evidence("Could you keep it brief from now on?"), "Keep answers brief", is_instruction=True)
