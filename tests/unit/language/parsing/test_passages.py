"""The passages of a text, which get vectors of their own."""

import pytest

from agent.language.parsing.passages import MAX_PASSAGES, passages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Oslo.", ()),
        ("I live in Oslo. My sister is Ann!", ("I live in Oslo.", "My sister is Ann!")),
        ("I have a dog … he is called Rex now", ("I have a dog", "he is called Rex now")),
        ("The rent is 900; the lease ends in May → in June", ("The rent is 900", "the lease ends in May")),
        ("Ich wohne in Köln\nMeine Schwester heißt Eva", ("Ich wohne in Köln", "Meine Schwester heißt Eva")),
        ("我住在奥斯陆。我妹妹叫安娜。", ("我住在奥斯陆。", "我妹妹叫安娜。")),
        ("Ok. Thanks! My sister is Ann.", ()),
        ("", ()),
    ],
)
def test_statements_are_passages_unless_there_is_only_one(text: str, expected: tuple[str, ...]) -> None:
    assert passages(text) == expected


def test_a_long_text_has_few_passages_that_cover_it() -> None:
    sentences = [f"This is sentence number {n}." for n in range(50)]
    found = passages(" ".join(sentences))
    assert len(found) <= MAX_PASSAGES
    assert " ".join(found) == " ".join(sentences)
