"""The offline model prefers statements that contain what a question asks for, and claims no others as the answer."""

import time

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from agent.models.offline import answer
from agent.models.offline_changes import states_change
from agent.models.offline_language import language_of_message
from agent.models.offline_phrases import PHRASES
from agent.models.offline_questions import KINDS, kind_of
from agent.models.offline_tasks import asks_for_advice, is_task

QUOTED, CLOSEST = PHRASES["en"].quoted, PHRASES["en"].closest
MAX_SECONDS = 2.0
"""For a hostile text of 4,000 characters, on a busy computer."""


def reply_to(question: str, *memories: str) -> str:
    return answer([SystemMessage("\n".join(f"- {one}" for one in memories)), HumanMessage(question)])


@pytest.mark.parametrize(
    ("question", "memory", "other"),
    [
        ("How old is Ruby?", "Daughter Ruby is 7", "Ruby loves ballet"),
        ("How old is Ruby?", "Ruby turned seven last week", "Ruby has 2 cats"),
        ("What age is Ruby?", "Ruby is 7 years old", "Ruby likes school"),
        ("How old am I?", "Is 34", "Daughter Ruby is 7"),
        ("What does my husband do?", "Husband Tom is a plumber", "My husband snores a lot"),
        ("What does my husband do for a living?", "Husband works at Bosch", "Husband likes cheese"),
        ("What does my husband do for work?", "Husband Tom is a plumber", "Works at Tesco"),
        ("What do I do for a living?", "Is a nurse", "Lives in Leeds"),
        ("When is ballet?", "Ballet is on Wednesdays", "Ballet is expensive"),
        ("When is my exam?", "My exam is at 10:30", "My exam is about contract law"),
        ("When is my exam?", "Exam is next week", "Exam is difficult"),
        ("Where is my wedding?", "Wedding is in Florence", "Wedding is stressful"),
        ("Who is my boss?", "Boss is Priya", "Boss is strict"),
        ("What is my cat called?", "Cat is called Plum", "My cat sleeps a lot"),
        ("How many cats do I have?", "Has two cats", "Likes cats"),
        ("What do I play?", "Plays chess", "Lives in Leeds"),
        ("Where does my mum live?", "Mother lives in Seville", "Mother is ill"),
    ],
)
def test_what_the_question_asks_for_decides_between_matching_memories(question: str, memory: str, other: str) -> None:
    assert reply_to(question, other, memory) == f"{QUOTED}\n- {memory}"


@pytest.mark.parametrize(
    ("question", "memories"),
    [
        ("What medication do I take?", ["Takes metformin twice a day", "My doctor added a statin at night"]),
        ("What car?", ["Drives a Skoda Fabia"]),
        ("which languages", ["Speaks English and Tamil"]),
        ("Any pets?", ["We have a greyhound called Flash"]),
        ("What sports do I do?", ["Plays five-a-side on Wednesdays", "Runs with the Harriers on Sundays"]),
        ("What food do I dislike?", ["Hates coriander"]),
        ("Who has allergies in my family?", ["Is allergic to penicillin", "Son Arjun is allergic to cashews"]),
        ("What do I do for work?", ["I'm Marek, 52, a bus driver"]),
        ("Where did I come from?", ["Came over from Poland in 2005"]),
        ("tablets?", ["I take omeprazole before breakfast"]),
        ("What was my profession?", ["I am a retired headmistress"]),
        ("What's my job?", ["My name is Priya and I'm a paediatric nurse"]),
        ("Where am I from?", ["Is a plumber from Dundee"]),
        ("¿De dónde soy?", ["Soy de Cádiz"]),
        ("Was vertrage ich nicht?", ["ich habe eine Laktoseintoleranz"]),
        ("diet", ["Is vegan"]),
    ],
)
def test_memories_in_other_words_answer_a_question(question: str, memories: list[str]) -> None:
    reply = reply_to(question, "My husband Tom works nights", "Manager is called Denise", *memories)
    title, *quoted = reply.splitlines()
    assert title == PHRASES[language_of_message(question)].quoted
    assert sorted(quoted) == sorted(f"- {one}" for one in memories)


@pytest.mark.parametrize("question", ["Where do I work?", "What's my job?"])
def test_the_job_of_a_relative_is_no_answer_to_a_question_about_the_users(question: str) -> None:
    assert reply_to(question, "My husband Tom works at Lidl").startswith((CLOSEST, PHRASES["en"].nothing_known))


def test_an_allergy_is_no_job() -> None:
    reply = reply_to("Wat is mijn beroep?", "ik ben allergisch voor penicilline", "ik ben Sanne, 29, kapster in Breda")
    assert reply == f"{PHRASES['nl'].quoted}\n- ik ben Sanne, 29, kapster in Breda"


@pytest.mark.parametrize("word", ["plumbing", "Großeltern"])
def test_a_single_word_is_looked_up_and_not_noted(word: str) -> None:
    phrases = PHRASES[language_of_message(word)]
    assert reply_to(word).startswith(phrases.nothing_to_note)
    assert reply_to("plumber", "Is a plumber from Dundee") == f"{QUOTED}\n- Is a plumber from Dundee"


def test_all_children_are_quoted() -> None:
    reply = reply_to("How old are my kids?", "Daughter Mia is 9", "Son Leo is 12", "Husband is 40")
    assert reply == f"{QUOTED}\n- Daughter Mia is 9\n- Son Leo is 12"


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("How old is Ruby?", "Ruby loves ballet"),
        ("When is ballet?", "Ballet is expensive"),
        ("What does my husband drink?", "Husband Tom is a plumber"),
        ("When is Rex's birthday?", "Birthday is on 3 May"),
        ("Where does my sister work?", "Sister lives in Oslo"),
        ("What does Jo do?", "Sister Jo is 31"),
        ("Why am I learning Dutch?", "Is learning Dutch"),
    ],
)
def test_a_memory_that_does_not_contain_the_answer_is_only_the_closest(question: str, memory: str) -> None:
    assert reply_to(question, memory) == f"{CLOSEST}\n- {memory}"


@pytest.mark.parametrize(
    ("question", "memory", "other"),
    [
        ("What are my kids called?", "Has two kids, Mia and Jonas", "Name is Tobias"),
        ("What's my wife's name?", "I'm Dan, plumber in Hull, married to Steph", "Name is Dan"),
        ("What's my mum's name?", "my mum's name is Ruth", "mum moved to Galway"),
        ("¿Cómo se llaman mis hijas?", "Tengo dos hijas, Lucía y Carmen", "Me llamo Marta"),
        ("Wie heißen meine Kinder?", "Ich habe zwei Kinder, Finn und Lotte", "Ich heiße Jens"),
        (
            "Why are we moving to Lisbon?",
            "we're moving to Lisbon because Ana got a job",
            "Is moving to Lisbon in spring",
        ),
        ("Where do I work?", "I start at Bosch on Monday", "Is 34 years old"),
        ("What does Orla do?", "I've got 2 sisters, Orla who's a midwife and Niamh", "Orla likes tea"),
        ("What's my dad's job?", "my dad got promoted to head chef", "Works at Tesco as a baker"),
        ("¿Cómo se llama mi hermana?", "Mi hermana se llama Eva", "Mi hermano Luis trabaja en Seat"),
        ("Where will I be working?", "Accepted an offer from Monzo", "Is a keen cook"),
        ("¿En qué trabajo?", "Soy enfermera", "Mi hermana es médica"),
        ("C'est quoi mon métier ?", "Je suis infirmière", "Je suis végétarienne"),
        ("Wo arbeite ich?", "Ich fange am 1. Februar bei Siemens als Ingenieurin an", "Ich mag Tee"),
        ("How much do I weigh?", "down to 88 kilos this morning", "Is trying to lose weight"),
        ("Do I have any allergies?", "Is allergic to peanuts", "Lives in York"),
        ("What medication do I take?", "I'm on a statin for my heart", "Takes the bus"),
        ("How old is Leo turning?", "Leo turns 4 on Saturday", "Leo loves trains"),
    ],
)
def test_an_answer_in_other_words_is_quoted(question: str, memory: str, other: str) -> None:
    language = language_of_message(question)
    assert reply_to(question, other, memory).splitlines()[:2] == [PHRASES[language].quoted, f"- {memory}"]


@pytest.mark.parametrize(
    ("question", "newer", "older"),
    [
        ("How much have I saved for the house?", "we're up to 35k for the house now", "Is saving up for a house"),
        ("What's my job?", "Got promoted to staff engineer", "Working at Spotify as a data engineer"),
        ("What's my job?", "they made me shift supervisor", "Is a barista"),
        ("How much is my rent?", "landlord put the rent up to 1950", "we rent a flat for 1800 a month"),
        ("How much is my gym membership?", "the gym put the price up to 38", "Gym membership is 32 quid a month"),
        ("What's my diet?", "I've gone fully vegan since January", "Eats fish sometimes"),
        (
            "What's the theme of Lena's party?",
            "We settled on unicorns instead of dinosaurs for the party",
            "Party for my daughter Lena on 14 December",
        ),
        ("What bike do I have?", "bought a new bike, a blue Cannondale", "my bike got nicked, it was a red Trek"),
        ("Wie hoch ist meine Miete?", "Der Vermieter hat die Miete auf 1020 Euro erhöht", "Unsere Miete war 900 Euro"),
    ],
)
def test_a_newer_statement_about_the_same_thing_is_quoted_first(question: str, newer: str, older: str) -> None:
    assert reply_to(question, newer, older).splitlines()[1] == f"- {newer}"


@pytest.mark.parametrize(
    ("question", "answer_", "newer"),
    [
        (
            "Where is Amy's wedding?",
            "my sister Amy is getting married in Tuscany",
            "Amy's wedding got pushed to September",
        ),
        ("How much is my gym membership?", "Gym membership is 32 quid a month", "Gym is open on Sundays now"),
    ],
)
def test_a_newer_statement_without_what_is_asked_for_follows_the_answer(
    question: str, answer_: str, newer: str
) -> None:
    assert reply_to(question, newer, answer_) == f"{QUOTED}\n- {answer_}\n- {newer}"


def test_a_sentence_that_continues_the_closest_memory_is_quoted_too() -> None:
    memories = ("Got a puppy", "she's a border collie called Biscuit")
    assert reply_to("What breed is my dog?", *memories) == "\n- ".join([CLOSEST, *memories])


@pytest.mark.parametrize(
    "question",
    [
        "Explain photosynthesis to me like I'm five",
        "I'd like to know how a fridge works",
        "Was ist Photosynthese, als wäre ich fünf?",
        "¿Qué es la fotosíntesis, como si tuviera cinco años?",
    ],
)
def test_a_request_about_the_world_gets_no_memories(question: str) -> None:
    phrases = PHRASES[language_of_message(question)]
    assert reply_to(question, "Lives in the woods near Asheville").startswith(phrases.cannot_answer)


STANDING = ("Is allergic to peanuts", "Works as a roofer", "Lives in Asheville with my wife Kate", "Name is Tom")


@pytest.mark.parametrize(
    "question",
    ["How do I fix a leaking tap?", "Help me write a CV", "Wie lerne ich Spanisch?", "¿Cómo puedo aprender inglés?"],
)
def test_a_task_gets_no_memories_that_share_no_word_with_it(question: str) -> None:
    phrases = PHRASES[language_of_message(question)]
    assert reply_to(question, *STANDING).startswith(phrases.cannot_answer)


def test_a_question_about_the_form_of_answers_is_no_task() -> None:
    assert is_task("How should you answer an email?")
    assert not is_task("How should you answer me?")
    assert reply_to("How should you answer me?", "Wants the assistant to answer briefly").startswith(QUOTED)


def test_a_task_gets_the_memories_about_the_people_that_it_names() -> None:
    reply = reply_to("Write a birthday poem for my wife", *STANDING)
    assert reply == f"{CLOSEST}\n- Lives in Asheville with my wife Kate"


@pytest.mark.parametrize(
    "question", ["What should I cook tonight?", "Was kann ich heute Abend kochen?", "¿Qué puedo cenar hoy?"]
)
def test_advice_gets_the_memories_that_concern_safety_and_those_recalled_for_it(question: str) -> None:
    phrases = PHRASES[language_of_message(question)]
    expected = [phrases.closest, "- Is allergic to peanuts", "- Grows courgettes"]
    assert reply_to(question, *STANDING, "Grows courgettes").splitlines() == expected


@pytest.mark.parametrize(
    "unit",
    [
        "what do i ",
        "o que ",
        "is 7 ",
        "at 7 ",
        "born ",
        "a la ",
        "1",
        "twenty-",
        "ist ein ",
        "in ",
        "fange an ",
        "made me ",
    ],
)
def test_hostile_texts_are_matched_in_linear_time(unit: str) -> None:
    text = (unit * 4_000)[:4_000]
    for kind in KINDS:
        kind.asked.search("warm up")
        kind.is_answer("warm up")
    started = time.perf_counter()
    kind_of(text)
    for kind in KINDS:
        kind.is_answer(text)
    states_change(text)
    is_task(text)
    asks_for_advice(text)
    assert time.perf_counter() - started < MAX_SECONDS


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("Where does Joanna live?", "Friend Joanna moved to Bristol"),
        ("where does my brother live", "my brother Mike lives in denver, he is a firefighter"),
    ],
)
def test_a_change_of_the_user_does_not_answer_a_question_about_another_person(question: str, known: str) -> None:
    assert reply_to(question, "Moved to a cheaper place in Leeds", known).splitlines()[1:] == [f"- {known}"]
