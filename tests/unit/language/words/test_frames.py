"""The clauses of a sentence that state something by themselves."""

import pytest

from agent.language.words.frames import separate_clauses


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I failed my exam and I have a meeting on Friday.", ["I failed my exam", "I have a meeting on Friday."]),
        ("Mi marido me engaña y soy celíaca.", ["Mi marido me engaña", "soy celíaca."]),
        ("Er betrügt mich, und ich bin Veganer.", ["Er betrügt mich", "ich bin Veganer."]),
        ("I have asthma, live in Graz and play chess.", ["I have asthma", "live in Graz", "play chess."]),
        ("Ich habe Asthma und wohne in Graz.", ["Ich habe Asthma", "wohne in Graz."]),
        ("I live in Ulm with my wife, who works there, my cat is called Tom", [
            "I live in Ulm with my wife, who works there", "my cat is called Tom"
        ]),
    ],
)  # fmt: skip
def test_clauses_with_subjects_are_separate(sentence: str, expected: list[str]) -> None:
    assert separate_clauses(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "We need milk, eggs and bread.",
        "My mum is 81 and lives in Seville.",
        "If it rains, I stay at home and I read.",
        "Weil ich krank bin, bleibe ich zu Hause.",
        "",
    ],
)
def test_a_sentence_with_one_subject_or_a_condition_is_one_clause(sentence: str) -> None:
    assert separate_clauses(sentence) == [sentence]
