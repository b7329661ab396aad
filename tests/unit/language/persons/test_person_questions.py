"""Questions for persons and animals."""

import pytest

from agent.language.persons.questions import asks_about_person, person_answer

STATEMENTS = (
    "Cat is called Miso",
    "My cat hates thunder",
    "Miso takes thyroid pills",
    "My boss is called Katherine",
    "Katherine's husband runs a bakery",
    "Husband is a pilot",
    "Sister's name is Eva",
    "Eva's daughter is called Mia",
    "Daughter is called Zoe",
    "I live in Leeds",
)


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("tell me everything about Miso", {0, 1, 2}),
        ("what do you know about my cat?", {0, 1, 2}),
        ("who is miso?", {0, 1, 2}),
        ("what does Miso take?", {0, 1, 2}),
        ("do I have any pets?", {0, 1, 2}),
        ("what does my boss's husband do?", {4}),
        ("what does Katherine's husband do?", {4}),
        ("what does my husband do?", {5}),
        ("what's my niece called?", {7}),
        ("what's my daughter called?", {8}),
        ("who is my mum?", set()),
    ],
)
def test_the_statements_about_a_person_are_those_by_name_and_by_role(question: str, about: set[int]) -> None:
    answer = person_answer(question, STATEMENTS)
    assert answer
    assert set(answer.about) == about


def test_the_names_of_others_connect_their_relatives() -> None:
    answer = person_answer("what does my boss's husband do?", STATEMENTS)
    assert answer
    assert answer.connecting == (3,)


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("Was weißt du über meine Schwester?", ("Meine Schwester Anna ist Ärztin", "Mein Bruder Tom wohnt in Bergen")),
        ("Was macht die Frau meines Chefs?", ("Bernds Frau ist Ärztin", "Mein Chef heißt Bernd")),
        ("Que sais-tu de ma sœur ?", ("Ma sœur Claire est infirmière", "Mon frère Paul habite à Nantes")),
        ("qui est Félix ?", ("Mon chat s'appelle Félix", "J'aime le fromage")),
        ("¿qué sabes de mi hermana?", ("Mi hermana Lucía es abogada", "Mi primo Juan vive en Lima")),
        ("dove vive mia sorella?", ("Mia sorella Giulia vive a Torino", "Mio fratello Luca vive a Roma")),
        ("o que sabes sobre a minha irmã?", ("Minha irmã Ana é enfermeira", "O meu irmão Rui mora em Lisboa")),
        ("wat weet je over mijn zus?", ("Mijn zus Anna is verpleegster", "Mijn broer Tom woont in Gent")),
        ("你知道我姐姐的什么？", ("我姐姐安娜在奥斯陆当护士", "我弟弟住在北京")),
    ],
)
def test_questions_in_other_languages_mean_the_first_statement_only(question: str, statements: tuple[str, ...]) -> None:
    answer = person_answer(question, statements)
    assert answer
    assert answer.about == (0,)


@pytest.mark.parametrize(
    "question",
    [
        "tell me everything about miso soup",
        "who is Eva Peron?",
        "how many kids does the average family have?",
        "how many teeth do kids have?",
        "do dogs like snow?",
        "who is the boss of Microsoft?",
        "what should I tell my sister about the party?",
        "am I allergic to cats?",
        "Tell me about it! My cat Miso woke me at 4",
        "Can you write a card for my daughter Zoe?",
        "Who has allergies in my family?",
    ],
)
def test_other_questions_are_for_no_person_of_the_user(question: str) -> None:
    assert person_answer(question, STATEMENTS) is None


@pytest.mark.parametrize("message", ["My sister Anna has two kids", "I wonder where my sister lives now, she moved"])
def test_statements_ask_for_no_person(message: str) -> None:
    assert not asks_about_person(message)


def test_a_name_that_several_persons_share_by_role_means_no_role() -> None:
    statements = ("My sister Kate lives in Malta", "My sister Liz is pregnant", "My sister is a nurse")
    answer = person_answer("tell me about Liz", statements)
    assert answer
    assert set(answer.about) == {1}
