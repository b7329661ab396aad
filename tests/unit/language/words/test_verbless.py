"""Parts of sentences that only count things are told from measures and times."""

import pytest

from agent.language.words.verbless import counts_things


@pytest.mark.parametrize("part", ["two cats", "many boxes.", "3 plants", "zwei Katzen", "dos gatos", "deux chats"])
def test_a_number_of_things_counts_them(part: str) -> None:
    assert counts_things(part)


@pytest.mark.parametrize(
    "part", ["no lift", "three days a week", "two weeks", "5 euros", "at 3", "I have two cats", "due in August"]
)
def test_measures_times_and_sentences_count_nothing(part: str) -> None:
    assert not counts_things(part)
