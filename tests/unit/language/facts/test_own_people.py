"""Requests that say whom or what they are for are kept; those that say nothing of their author leave nothing."""

import pytest

from agent.memory.formation.coverage import uncovered_statements

KEPT = [
    # For a person or an animal that a clause describes.
    "Cosa preparo a mio cognato che è diabetico?",
    "Wat kook ik voor mijn schoonvader die geen zout mag?",
    "Was schenke ich meiner Tante zum 60., die gern angelt?",
    "O que dou pro meu afilhado de 9 anos que ama dinossauros?",
    "Quel jouet pour ma nièce qui est aveugle ?",
    "¿Qué le regalo a mi cuñada, que es soldadora?",
    # For a place of the author's.
    "Quelles vivaces pour mon jardin de 40 m2 à Brest ?",
    "Che alberi metto nel mio cortile di 20 metri?",
    "Welche Stauden passen auf unsere Terrasse im 7. Stock?",
    "¿Qué plantas aguantan en mi patio de 30 metros?",
    # For the reason of what is so.
    "why does my parrot pull out its tail feathers",
    "warum knirscht mein Knie beim Treppensteigen so laut",
    "¿Por qué mi yegua tose cada noche?",
    "perché il mio cane scava buche in giardino",
    "waarom likt mijn hond steeds zijn poten",
    # To an office or a person that the author has to do with.
    "Schreib der Hausverwaltung: das Treppenhaus ist seit Mai ohne Licht",
    "Scrivi al condominio che l'ascensore è fermo da martedì",
    "Schrijf de verhuurder dat de cv al een week lekt",
    "Rédige un mot au syndic : la porte du garage est bloquée depuis lundi",
    "email the council that the drain in Mill Lane has been blocked since May",
    "给物业写条短信，电梯坏了三天",
    "اكتب للمدرسة أن ابنتي مريضة منذ الأحد",
    # With words that need their question.
    "any cheap binoculars, mine fell in the lake",
    "which gloves suit a left-handed welder, that's me",
    "Which ferries leave from Harwich, where I'm based?",
    "How far is Truro from our cottage in Looe?",
    "怀孕六个月能坐飞机吗",
    "Wann soll ich im Schichtdienst essen?",
]
LEFT = [
    "Darf ich im Watt angeln?",
    "Kann man im Dom fotografieren?",
    "What would change if I slept four hours a night?",
    "Was würde passieren, wenn ich nur Reis äße?",
    "¿Qué pasaría si comiera solo arroz?",
    "What does my niece Carla play?",
    "Che regalo ho fatto a mia zia?",
    "Qué regalo le hice a mi tía?",
    "Welche Farbe hat mein Auto?",
    "Quel âge a ma nièce ?",
    "Why does my cat hiss?",
    "Why do parrots talk?",
    "Which paint is best for a fence?",
    "Write a letter to a landlord about a broken boiler",
    "Schreib ein Gedicht über die Schule",
    "Which ferries leave from Harwich?",
]


@pytest.mark.parametrize("request_", KEPT)
def test_a_request_that_says_whom_it_is_for_is_kept(request_: str) -> None:
    assert uncovered_statements(request_, []) == [request_.lstrip("¿")]


@pytest.mark.parametrize("request_", LEFT)
def test_a_request_that_says_nothing_of_its_author_leaves_nothing(request_: str) -> None:
    assert uncovered_statements(request_, []) == []


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("As an asthmatic, is diving out of the question?", "As an asthmatic"),
        ("As a night worker, when is the best time for lunch?", "As a night worker"),
        ("With two toddlers and no car, what can we do on Sunday?", "With two toddlers and no car"),
        ("Pago 900 de renta y gano 2 mil, ¿me alcanza?", "Pago 900 de renta y gano 2 mil"),
        ("You were right about the smell, it was the fridge.", "it was the fridge."),
    ],
)
def test_what_a_message_says_of_its_author_is_kept(message: str, words: str) -> None:
    assert any(words in one for one in uncovered_statements(message, []))


@pytest.mark.parametrize(
    "message",
    [
        "As a rule, is soup a meal?",
        "As a dish, is risotto Italian?",
        "As a teacher, could you explain fractions?",
        "With two eggs and no milk, what can I bake?",
        "You were right.",
        "You're right about that, thanks",
    ],
)
def test_words_that_only_look_like_a_circumstance_state_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("give me a card game for one, stuck in Hull till Monday", "stuck in Hull till Monday"),
        ("remind me what statins do, started them on Friday", "started them on Friday"),
        ("show me a stretch for the calf, left foot, since May", "left foot, since May"),
        ("suggest a soup, can't eat celery", "can't eat celery"),
        ("gib mir was Leichtes, frisch operiert", "frisch operiert"),
        ("dame una cena suave, la peque es celíaca", "la peque es celíaca"),
        ("dammi una merenda, il piccolo è allergico", "il piccolo è allergico"),
        ("geef me een tussendoortje, de kleine mag geen noten", "de kleine mag geen noten"),
        ("wie entferne ich Wachs aus dem alten Teppich meiner Nachbarin", "Teppich meiner Nachbarin"),
    ],
)
def test_what_follows_a_request_about_its_author_is_kept(message: str, words: str) -> None:
    assert any(words in one for one in uncovered_statements(message, []))


@pytest.mark.parametrize(
    "message",
    [
        "give me a poem, lost love",
        "write a story about a fox, lost in the snow",
        "explain the gold rush, started in 1848",
        "list cities, not in Europe",
        "Wie binde ich eine Krawatte?",
        "Wie repariere ich eine Steckdose im Bad?",
        "Wie heißt meine Nachbarin?",
    ],
)
def test_what_follows_a_request_about_something_else_leaves_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []
