"""New values of attributes of other persons."""

import pytest

from agent.language.revision.other_persons import changed_attribute, changes_attribute


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Sophie is studying medicine in Leeds.", "Sophie is now studying law.", ("study", "sophie")),
        ("Sophie studies medicine", "Sophie has changed her mind and is now studying law.", ("study", "sophie")),
        ("my brother Mike works at Dell", "Mike works at Google now", ("work", "mike")),
        ("Tom works at the bank", "Tom found a new job as a teacher.", ("work", "tom")),
        ("Peter is a teacher", "Peter has been promoted to headmaster.", ("work", "peter")),
        ("Finn's favourite food is pasta.", "Finn's favourite food is sushi these days", ("favouritefood", "finn")),
        ("My sister lives in York", "My sister moved to Leeds", ("home", "my sister")),
        ("Mein Kumpel Stefan wohnt in Bonn", "Stefan ist nach Berlin gezogen.", ("home", "stefan")),
        ("Ma meilleure amie Sandrine habite à Metz.", "Sandrine a déménagé à Toulouse.", ("home", "sandrine")),
        ("Mi hermana Rocío vive en Vigo.", "Rocío se ha mudado a Madrid.", ("home", "rocío")),
        ("Mijn vriendin Femke woont in Utrecht.", "Femke is naar Rotterdam verhuisd.", ("home", "femke")),
    ],
)
def test_a_new_value_concerns_the_older_one_of_the_same_person(old: str, new: str, expected: tuple[str, str]) -> None:
    assert changed_attribute(new, old) == expected
    assert changes_attribute(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My friend Joanna lives in York", "My friend Anna moved to Bristol."),
        ("My friend Joanna lives in York", "Joanna moved to York"),
        ("my brother Mike works at Dell", "I work at Google now"),
        ("My brother works at Dell", "My sister works at Google now"),
        ("Anna lives in Rome", "Anna's sister moved to Bristol"),
        ("Anna lives in York", "Anna works in Bristol now"),
        ("Anna lives in York", "Tom said Anna moved to Bristol"),
        ("Anna lives in York", "Has Anna moved to Bristol?"),
        ("Rex is a German shepherd", "Rex is a good boy now"),
        ("I live in York", "My friend moved to Bristol"),
        ("Sophie studies medicine", "Sophie studies a lot"),
    ],
)
def test_other_persons_and_other_attributes_are_not_concerned(old: str, new: str) -> None:
    assert changed_attribute(new, old) == ("", "")
