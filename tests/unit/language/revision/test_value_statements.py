"""Which earlier statements a request to change a value replaces, also in other words."""

import pytest

from agent.language.revision.contradictions import contradicts

NOW = "2026-11-29T00:00:00+00:00"


@pytest.mark.parametrize(
    ("changed", "known"),
    [
        ("change: my address is 12 Oak Road", "Lives at 4 Elm Street"),
        ("change: my employer is waitrose", "Works for tesco"),
        ("change: my job is Aldi", "Works at Lidl"),
        ("change: my job is electrician", "Is a plumber"),
        ("change: my age is 35", "Is 34 years old"),
        ("change: my dog is called Max", "Dog's name is Rex"),
        ("change: my dog is called Max", "Has a dog called Rex"),
        ("change: my weight is 79 kg", "Weighs 82 kg"),
        ("ändere: meine Adresse ist Eichenweg 12", "Ich wohne in der Ulmenstraße 4"),
        ("ändere: mein Alter ist 35", "Ich bin 34 Jahre alt"),
        ("change : mon adresse est 9 rue du Bouleau", "J'habite au 22 rue du Cèdre"),
        ("cambia: mi empresa es Mercadona", "Trabajo en Carrefour"),
        ("cambia: il mio affitto è di 950", "Il mio affitto è di 900 euro"),
        ("muda: o meu empregador é Aldi", "Trabalho no Lidl"),
        ("verander: mijn werkgever is Albert Heijn", "Ik werk bij Jumbo"),
        ("改成\uff1a我的年龄是42", "我41岁"),
        ("改成\uff1a我的房租是950元", "我的房租是900元"),
    ],
)
def test_a_changed_value_replaces_the_one_that_is_known(changed: str, known: str) -> None:
    assert contradicts(changed, known, stated_at=NOW)


@pytest.mark.parametrize(
    ("changed", "known"),
    [
        ("change: my address is 12 Oak Road", "Lives in Leeds"),
        ("change: my address is 12 Oak Road", "Parents' address is 4 Elm Street"),
        ("change: my address is 12 Oak Road", "Work address is 4 Elm Street"),
        ("change: my dog is called Max", "Cat is called Rex"),
        ("change: my dog is called Max", "Neighbour's dog's name is Rex"),
        ("change: my wife's birthday is 4 May", "Birthday is 3 May"),
        ("change: my age is 35", "Brother is 34 years old"),
        ("my dog's name is Max", "Has a dog called Rex"),
    ],
)
def test_a_changed_value_replaces_no_other_one(changed: str, known: str) -> None:
    assert not contradicts(changed, known, stated_at=NOW)
