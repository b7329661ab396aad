"""The words before a statement that say that it corrects or updates an earlier one."""

import pytest

from agent.language.authorship.own_words import mask_quoted
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
        ("no fim de janeiro acaba o contrato", "", Evidence.NONE),
        ("al final de enero se acaba el contrato", "", Evidence.NONE),
        ("para que lo sepas, vivo en Oslo", "para que lo sepas, ", Evidence.UPDATE),
        ("damit du's weißt: ich wohne in Oslo", "damit du's weißt: ", Evidence.UPDATE),
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


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("let me correct my age: I am 63", "I am 63"),
        ("correction to our address: we live at 12 Mill Lane", "we live at 12 Mill Lane"),
        ("Korrektur zu meinem Alter: ich bin 63", "ich bin 63"),
        ("ich möchte etwas berichtigen: meine Tochter ist 8", "meine Tochter ist 8"),
        ("corrijo mi edad: tengo 63", "tengo 63"),
        ("tengo que corregir mi fecha de nacimiento: nací en 1961", "nací en 1961"),
        ("je corrige mon âge : j'ai 63 ans", "j'ai 63 ans"),
        ("correggo la mia età: ho 63 anni", "ho 63 anni"),
        ("corrigindo a minha idade: tenho 63", "tenho 63"),
        ("ik moet iets rechtzetten: mijn zoon is 7", "mijn zoon is 7"),
        ("poprawiam swój wiek: mam 63 lata", "mam 63 lata"),
        ("mała poprawka: pracuję w Gdyni", "pracuję w Gdyni"),
    ],
)
def test_what_users_correct_about_themselves_is_their_own(message: str, statement: str) -> None:
    blanked = blank_openers(message)
    assert blanked.strip() == mask_quoted(blanked).strip() == statement


@pytest.mark.parametrize(
    "message",
    [
        "corrige: tengo 63",
        "corrijo mi texto: tengo 63",
        "Korrektur bitte: ich bin 63",
        "Korrektur zu meinem Aufsatz: ich bin 63",
        "correction of my essay: I am 63",
        "corrige ma phrase : j'ai 63 ans",
        "popraw: mam 63 lata",
        "verbeter: ik ben 63",
    ],
)
def test_a_text_to_correct_is_not_the_users_own(message: str) -> None:
    assert "63" not in mask_quoted(blank_openers(message))


@pytest.mark.parametrize(
    "message",
    ["I correct my kids, they hate it", "ich korrigiere Klausuren: das dauert ewig", "je corrige des copies, souvent"],
)
def test_an_occupation_is_no_opener(message: str) -> None:
    assert blank_openers(message) == message


def test_a_quote_is_extended_by_its_opener() -> None:
    text = "I have a cat. Scratch that, I have two cats."
    assert with_opener(text, "I have two cats") == "Scratch that, I have two cats"
    assert with_opener(text, "I have a cat") == "I have a cat"
    assert with_opener(text, "I have a dog") == "I have a dog"
