"""A change that names no value of the known statement concerns the only one of its kind."""

import pytest

from agent.language.requests.sole_attributes import changed_attribute_kind, count_stated

CONCERNED = [
    ("home", "We're renting in Chorlton", "exchanged contracts, we've bought a place in Sale"),
    ("home", "Abito in via Garibaldi 20", "ho cambiato casa, sto in corso Torino 7"),
    ("home", "We wonen in de Kerkstraat 9", "we zijn verhuisd naar de Lindelaan 31"),
    ("home", "我住在和平路12号", "我搬到建设街8号了"),
    ("job", "我在一家银行上班", "我辞职了，现在在做电商"),
    ("instrument", "I'm learning the ukulele", "gave the uke away, it's banjo from now on"),
    ("sport", "I'm training for a 10k", "going for the half marathon instead of the 10k"),
    ("car", "我开的是本田", "车换了，现在开比亚迪"),
    ("school", "studio giurisprudenza a Bologna", "ho cambiato facoltà, adesso faccio lettere"),
]


@pytest.mark.parametrize(("kind", "statement", "change"), CONCERNED)
def test_a_change_in_other_words_concerns_the_statement_of_its_kind(kind: str, statement: str, change: str) -> None:
    assert changed_attribute_kind(change) == kind
    assert count_stated(kind, statement) == 1


@pytest.mark.parametrize(
    "message",
    [
        "I left the house at 8",
        "I left my coat at work",
        "I quit the choir",
        "ich habe das Abo gekündigt",
        "I gave up Spanish, no time",
        "I swapped my piano for a guitar",
        "I gave up yoga",
        "we moved the wardrobe to the spare room",
        "my sister moved to Spain",
        "my brother has a new car",
        "my son gave up the piano, it's drums from now on",
        "dejé el gimnasio",
        "我换了手机",
    ],
)
def test_other_changes_and_those_of_other_persons_concern_no_attribute(message: str) -> None:
    assert not changed_attribute_kind(message)
