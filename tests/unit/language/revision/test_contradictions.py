"""Statements that make earlier ones untrue."""

import pytest

from agent.language.revision.contradictions import contradicts, supersedes

STATED_AT = "2026-11-05T10:00:00+00:00"


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(new.strip(), old.strip()) for new, _, old in (line.partition("|") for line in text.strip().splitlines())]


@pytest.mark.parametrize(
    ("text", "known"),
    _pairs("""
        Moved to Paris | Lives in Oslo
        Moved to Paris in March 2026, after three years in Oslo | Lives in Oslo
        Moved back to Oslo | Lives in Paris
        Moved to the UK | Lives in Oslo
        Moved to Germany | Lives in Oslo
        Lives in Bergen | Lives in Oslo
        Lives in Bergen with Eva | Moved to Paris
        Lives in San Francisco | Lives in New York
        Wants to be called Bob instead | Wants to be called RS
        Name is Bob | Name is Anna
        Is 35 years old | Is 34 years old
        Timezone is CET | Timezone is PST
        New employer is Acme | Employer is Globex
        Pronouns are they/them | Pronouns are she/her
        No longer lives in Rome | Lives in Rome
        Lives in Rome | No longer lives in Rome
        Does not like olives | Likes olives
        Does not eat meat anymore | Eats meat
        Likes olives | Does not like olives
        Does not study physics | Studies physics
    """),
)
def test_a_new_value_supersedes_the_old_one(text: str, known: str) -> None:
    assert supersedes(text, known, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("text", "known"),
    _pairs("""
        Brother lives in Paris | Lives in Oslo
        Lives in Norway | Lives in Oslo
        Lives in Oslo | Lives in Norway
        Lives in Oslo | Lives in Oslo
        Lives in Oslo, Norway | Lives in Oslo
        Lives in New York | Lives in New York City
        Lives in a flat | Lives in Oslo
        Lives in Oslo and Paris | Lives in Oslo
        Lives in Paris on weekends | Lives in Oslo
        Lives in Paris in summer | Lives in Oslo
        Usually lives in Paris | Lives in Oslo
        Used to live in Rome | Lives in Oslo
        Was born in Rome | Lives in Oslo
        Is from Paris | Lives in Oslo
        Moved to Linux | Lives in Oslo
        Moved to Google last year | Lives in Oslo
        Moved to a new team | Lives in Oslo
        Moved in with Anna | Lives in Oslo
        Moved from Paris | Lives in Paris
        Moved to Paris in 2010 | Lives in Oslo
        Moved to Paris as a child | Lives in Oslo
        Likes tea | Likes coffee
        Works as a nurse | Works as a teacher
        Name is Robert Miles | Name is Robert
        Is called Al | Wants to be called RS
        Wants to be called Bob at work and Al at home | Wants to be called RS
        Employer is bankrupt | Employer is Acme
        Favourite band is on tour | Favourite band is Blur
        Does not like olives | Likes tea
        Has a dog | Has a cat
    """),
)
def test_facts_that_can_both_be_true_do_not_supersede_each_other(text: str, known: str) -> None:
    assert not supersedes(text, known, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("text", "known", "is_outdated"),
    [
        ("I am working on plan 2", "Is working on plan 1", False),
        ("the key to locker 5 is with Ben", "the key to locker 4 is with Ben", False),
        ("ich arbeite an Projekt 3", "ich arbeite an Projekt 2", False),
        ("I'm working on chapter 4", "I'm working on chapter 3", True),
        ("I'm in room 12", "I'm in room 11", True),
    ],
)
def test_things_with_numbers_do_not_replace_each_other(text: str, known: str, *, is_outdated: bool) -> None:
    assert contradicts(text, known, stated_at=STATED_AT) is is_outdated
