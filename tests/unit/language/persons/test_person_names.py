"""The names of persons and animals in statements."""

import pytest

from agent.language.persons.names import links
from agent.language.persons.roles import USER, begins_with_person, mentions


@pytest.mark.parametrize(
    ("statement", "role", "names"),
    [
        ("My sister Anna is a nurse", "sister", {"Anna"}),
        ("Cat is called Miso", "cat", {"Miso"}),
        ("my dog's called biscuit", "dog", {"biscuit"}),
        ("Has a son, Leo", "son", {"Leo"}),
        ("my kids are Ben and Holly", "child", {"Ben", "Holly"}),
        ("Priya is my colleague from accounting", "colleague", {"Priya"}),
        ("my therapist is dr. weiss", "therapist", {"dr. weiss"}),
        ("Mein Vermieter heißt Herr Krause", "landlord", {"Herr Krause"}),
        ("Mon chat s'appelle Félix", "cat", {"Félix"}),
        ("Mi hermana Lucía es abogada", "sister", {"Lucía"}),
        ("La mia migliore amica si chiama Elisa", "best_friend", {"Elisa"}),
        ("O meu irmão Rui mora em Lisboa", "brother", {"Rui"}),
        ("Ik heb een hond, Bobby", "dog", {"Bobby"}),
        ("我姐姐叫安娜", "sister", {"安娜"}),
    ],
)
def test_a_statement_gives_a_person_of_the_user_a_name(statement: str, role: str, names: set[str]) -> None:
    [link] = links(statement)
    assert role in link.mention.roles
    assert link.mention.owner == USER
    assert link.names == names


@pytest.mark.parametrize(
    "statement",
    [
        "My dad is Irish",
        "My wife's Volvo is old",
        "My mum called Ben yesterday",
        "Meine Frau ist Pilotin",
        "Son las tres",
        "Katherine's husband runs a bakery",
    ],
)
def test_other_capitalised_words_are_no_names_of_a_person(statement: str) -> None:
    assert links(statement) == ()


@pytest.mark.parametrize(
    ("statement", "owner", "via"),
    [
        ("Katherine's husband runs a bakery", "Katherine", set()),
        ("Bernds Frau ist Ärztin", "Bernd", set()),
        ("The sister of Paul is ill", "Paul", set()),
        ("my boss's husband runs a bakery", USER, {"boss"}),
        ("Die Frau meines Chefs ist Ärztin", USER, {"boss"}),
        ("la femme de mon patron est belge", USER, {"boss"}),
        ("My sister has a cat", "", set()),
        ("Sam has a dog", "", set()),
        ("Brenda lives in Hull with her dog", "", set()),
    ],
)
def test_a_relative_of_another_person_is_not_the_users(statement: str, owner: str, via: set[str]) -> None:
    assert any(one.owner == owner and one.via == via for one in mentions(statement))


@pytest.mark.parametrize(
    "statement", ["Mum is 70", "my little sister plays chess", "Mein Bruder raucht", "我妈妈在北京"]
)
def test_a_statement_begins_with_another_person(statement: str) -> None:
    assert begins_with_person(statement)


@pytest.mark.parametrize("statement", ["I love my wife", "The landlord put the rent up", "Plays chess with my brother"])
def test_a_statement_about_the_user_begins_with_no_other_person(statement: str) -> None:
    assert not begins_with_person(statement)
