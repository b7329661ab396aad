"""Corrections that name only the right and the wrong value."""

import pytest

from agent.language.revision.fragments import contrasts, is_corrected


@pytest.mark.parametrize(
    ("quote", "old", "new"),
    [
        ("Hannah, not Anna", "Sister's name is Anna", "Sister's name is Hannah"),
        ("sorry, Hannah not Anna!", "Sister's name is Anna", "Sister's name is Hannah"),
        ("it's spelled John, not Jon", "Name is Jon", "Name is John"),
        ("he's not a beagle, he's a basset hound", "Dog is a beagle", "Dog is a basset hound"),
        ("I said Mazda 3 but it's a Mazda 2", "Car is a Mazda 3", "Car is a Mazda 2"),
        ("green was a typo, it's blue", "Favourite colour is green", "Favourite colour is blue"),
        ("I meant The Gym Group, not PureGym", "Gym is PureGym", "Gym is The Gym Group"),
        ("viola, not cello. autocorrect", "Plays the cello", "Plays the viola"),
        ("1978, not 1987", "Was born in 1987", "Was born in 1978"),
        ("not Deloitte, KPMG", "Works at Deloitte", "Works at KPMG"),
        ("Lea, nicht Lena", "Meine Tochter hei\u00dft Lena", "Meine Tochter hei\u00dft Lea"),
        ("Tobi, no Toby", "Mi perro se llama Toby", "Mi perro se llama Tobi"),
        ("Elodie, pas \u00c9lise", "Ma fille s'appelle \u00c9lise", "Ma fille s'appelle Elodie"),
        (
            "\u662f\u5929\u6d25\uff0c\u4e0d\u662f\u5317\u4eac",
            "\u6211\u4f4f\u5728\u5317\u4eac",
            "\u6211\u4f4f\u5728\u5929\u6d25",
        ),
    ],
)
def test_a_fragment_replaces_the_wrong_value(quote: str, old: str, new: str) -> None:
    assert is_corrected(quote, old, new)


@pytest.mark.parametrize(
    ("quote", "old", "new"),
    [
        ("tea, not coffee", "Drinks coffee every morning", "Drinks tea every morning"),
        ("Hannah, not Anna?", "Sister's name is Anna", "Sister's name is Hannah"),
        ("Hannah, not Anna", "Sister's name is Anna", "Sister's name is Joanna"),
        ("Hannah, not Anna", "Sister's name is Joanna", "Sister's name is JoHannah"),
        ("he's not allergic, he's picky", "Is allergic to peanuts", "Is picky to peanuts"),
        ("he's not allergic, he's picky", "Is allergic", "Is picky"),
        ("it's walnuts, not peanuts", "Is allergic to peanuts", "Is allergic to walnuts"),
        ("it's not red, it's orange", "Likes red", "Likes orange"),
        ("Hannah, not Anna", "Anna's daughter is called Anna", "Hannah's daughter is called Hannah"),
        ("I live with Hannah, not with my sister Anna any more", "Sister's name is Anna", "Sister's name is Hannah"),
    ],
)
def test_other_sentences_correct_nothing(quote: str, old: str, new: str) -> None:
    assert not is_corrected(quote, old, new)


@pytest.mark.parametrize(
    "text", ["not bad, thanks", "sure, why not tea", "Is it Hannah, not Anna?", "I like tea, not coffee"]
)
def test_small_talk_names_no_value_that_a_statement_has(text: str) -> None:
    assert not any(contrast.correct("Likes tea") for contrast in contrasts(text))


def test_a_corrected_month_is_replaced_with_its_day() -> None:
    [contrast] = contrasts("no wait not June, it's 10 July")
    assert contrast.correct("Exam is 10 June") == "Exam is 10 July"
