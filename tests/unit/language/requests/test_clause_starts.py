"""A request to forget is recognised after another clause, which is kept, and not if that clause is its subject."""

import pytest

from agent.language.requests.memory_requests import memory_requests, remaining_text


@pytest.mark.parametrize(
    ("message", "text", "rest"),
    [
        ("we've split up so forget everything about the house hunt", "the house hunt", "we've split up"),
        ("the trip is off and forget everything about Lisbon", "Lisbon", "the trip is off"),
        ("I quit the course \u2013 forget everything about my thesis", "my thesis", "I quit the course"),
        ("I'm not doing keto anymore also forget everything about my diet", "my diet", "I'm not doing keto anymore"),
        ("we cancelled the wedding then forget everything about the venue", "the venue", "we cancelled the wedding"),
        ("I sold the bike pls forget everything about the bike", "the bike", "I sold the bike"),
        ("we are done so you can forget everything about the flat", "the flat", "we are done"),
        ("the results came and forget what you know about my job", "my job", "the results came"),
        ("I changed jobs so forget that I work at Tesco", "I work at Tesco", "I changed jobs"),
        ("I moved out so forget where I live", "where I live", "I moved out"),
        ("the dog died so forget my dog", "my dog", "the dog died"),
        ("wir haben uns getrennt also vergiss alles über das Haus", "das Haus", "wir haben uns getrennt"),
        ("hemos roto así que olvida todo sobre la boda", "la boda", "hemos roto"),
        ("on s'est séparés donc oublie tout sur la maison", "la maison", "on s'est séparés"),
        ("ci siamo lasciati quindi dimentica tutto su Marco", "Marco", "ci siamo lasciati"),
        ("mudei de casa por isso esquece que moro no Porto", "moro no Porto", "mudei de casa"),
        ("we zijn uit elkaar dus vergeet alles over het huis", "het huis", "we zijn uit elkaar"),
        ("rozstaliśmy się więc zapomnij o wszystkim o Marku", "Marku", "rozstaliśmy się"),
        ("我们分手了\uff0c请忘掉关于房子的一切", "房子", "我们分手了"),
    ],
)
def test_a_request_to_forget_may_follow_another_clause(message: str, text: str, rest: str) -> None:
    requests = memory_requests(message)
    assert [(one.action, one.text) for one in requests] == [("forget", text)]
    assert remaining_text(message, requests) == rest


@pytest.mark.parametrize(
    "message",
    [
        "I can't forget that he said that",
        "he told me to forget everything about it",
        "so I forget that I have to take my pills",
        "it's late so don't forget that I have an exam",
        "I drink and forget everything about work",
        "I have ADHD so forget everything about deadlines",
        "the meds make me drowsy so forget everything about the morning",
        "we left the city to rest and forget everything about the noise",
        "she wants me to move on and forget everything about him",
        "he said we're done so forget everything about me",
        "write a song about someone who left so forget everything about love",
        "How do I let go and forget everything about my ex?",
        "my kids watch tv and forget that I asked them to tidy up",
        "mi abuelo ya no conduce y olvida todo sobre el coche",
        "mi madre está mayor así que olvida que tengo hijos",
        "il boit et oublie tout sur nous",
        "mio nonno è vecchio quindi dimentica che abito lontano",
        "opa is oud dus vergeet alles over vroeger",
        "Oma ist dement und vergisst alles über uns",
    ],
)
def test_forgetting_that_a_clause_tells_of_is_no_request(message: str) -> None:
    assert memory_requests(message) == []
