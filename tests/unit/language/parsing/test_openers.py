"""The words before a statement that say that it corrects or updates an earlier one."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.parsing.openers import Evidence, blank_openers, read_opener, with_opener


@pytest.mark.parametrize(
    ("text", "opener", "evidence"),
    [
        ("Correction: I live in Oslo.", "Correction: ", Evidence.CORRECTION),
        ("no wait, I live in Oslo", "no wait, ", Evidence.CORRECTION),
        ("sorry, typo: I live in Oslo", "sorry, typo: ", Evidence.CORRECTION),
        ("Actually I live in Oslo", "Actually ", Evidence.UPDATE),
        ("Planänderung: ich wohne in Oslo", "Planänderung: ", Evidence.UPDATE),
        ("更正:我住在奥斯陆", "更正:", Evidence.CORRECTION),
        ("Well, I live in Oslo", "", Evidence.NONE),
        ("I was wrong about Oslo", "", Evidence.NONE),
        ("Wait times are long", "", Evidence.NONE),
    ],
)
def test_the_opener_of_a_sentence_and_what_it_says(text: str, opener: str, evidence: Evidence) -> None:
    assert read_opener(text, 0, len(text)) == (len(opener), evidence)


def test_blanked_openers_do_not_change_offsets() -> None:
    text = "I have a cat. Scratch that, I have two cats."
    blanked = blank_openers(text)
    assert blanked == "I have a cat. Scratch that, I have two cats.".replace("Scratch that,", " " * 13)


def test_a_message_of_an_opener_only_is_kept() -> None:
    assert blank_openers("Oops, sorry!") == "Oops, sorry!"


@pytest.mark.parametrize("opener", ["Edit: ", "sorry, typo: ", "scratch that, ", "I misspoke: "])
def test_the_statement_after_an_opener_is_the_users_own(opener: str) -> None:
    assert [fact.text for fact in extract_from_user(f"{opener}I live in Oslo.")] == ["Lives in Oslo"]


def test_a_quote_is_extended_by_its_opener() -> None:
    text = "I have a cat. Scratch that, I have two cats."
    assert with_opener(text, "I have two cats") == "Scratch that, I have two cats"
    assert with_opener(text, "I have a cat") == "I have a cat"
    assert with_opener(text, "I have a dog") == "I have a dog"
