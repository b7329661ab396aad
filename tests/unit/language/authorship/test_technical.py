"""What a sentence says about code is no statement about the user; what the user states beside it is."""

import pytest

from agent.language.facts.statements import mask_unusable
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth
from support.statements import stated


@pytest.mark.parametrize(
    "message",
    [
        "crontab line 0 6 * * 1 /home/bettina/yoga.sh never fires, cron itself is up",
        "the fixture is called pregnant_user and pytest says fixture 'pregnant_user' not found",
        "my enum Diet { NONE, VEGAN } has default = VEGAN in the proto, breaking change if it goes",
        "ffmpeg -i my_wedding_in_capri.mov out.mp4 gives 'moov atom not found', it's the sample from the docs",
        'Die Variable wohnort = "Passau" wird in der Schleife überschrieben',
        "la macro Sub MonChienPixel() s'arrête ligne 3 avec erreur 424",
        'o teste dá erro: esperado "moro em Recife", recebido null',
    ],
)
def test_a_sentence_about_code_states_nothing(message: str) -> None:
    assert stated(message) == []


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("main.py fails with exit code 2. I run k3s at home", "I run k3s at home"),
        ("VLOOKUP(\"Priya\",A2:C9) returns 'Pune' but I work in Leeds", "I work in Leeds"),
        ("pytest says fixture 'x_y' not found, and btw I'm allergic to sesame", "I'm allergic to sesame"),
    ],
)
def test_a_clause_about_the_user_is_kept(message: str, kept: str) -> None:
    assert stated(message) == [kept]


@pytest.mark.parametrize(
    "message",
    [
        "my discord is cool_guy_99",
        "we use pytest and docker at work",
        "My server is called hal_9000 and runs Debian",
        "Grandma returns from Spain on Friday",
        "I maintain parse_log.py at work",
    ],
)
def test_a_statement_with_a_word_of_programs_is_kept(message: str) -> None:
    assert stated(message) == [message]


@pytest.mark.parametrize("unit", ["a_b ", 'x="', "f(", "and ", "my code ", "a.b/"])
def test_the_time_is_linear(unit: str) -> None:
    assert growth(mask_unusable, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
