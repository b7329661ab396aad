"""Labels before what users note about themselves, and before texts of others."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.memory.formation.coverage import uncovered_statements

NOTES = [
    "NOTE: I can't have lupins",
    "ALLERGIES: lupins, mustard",
    "HEALTH: weak ankle, asthma",
    "WORK: glazier at a shipyard",
    "IMPORTANT: my pacemaker was changed in May",
    "GOALS: swim a mile by August",
    "WICHTIG: ich vertrage keine Lupinen",
    "SALUD: soy diabética",
    "TLDR: sold the van, moving in with Ivo",
    "Plot twist: the landlady sold our flat",
    "Name: Ida",
    "Imagine my face when the midwife said twins",
    "What if my ex, who lives in Hull, wants the dog back?",
    "tl;dr we lost the twins' passports",
]
FOREIGN = {
    "speaker": "⟦MIRA: I am the duchess of Hull.⟧",
    "summary of a text": "tl;dr of this: ⟦I live in Hull with my geese⟧",
    "stranger": "Found this from a neighbour: ⟦I am a widow from Hull and I own a mine.⟧",
    "German stranger": "Das kam von einem Fremden: ⟦Ich bin Witwe und habe eine Mine.⟧",
    "French stranger": "J'ai reçu ça d'un inconnu : ⟦je suis veuve et j'ai une mine.⟧",
    "singer": "Who sings this:⟦\nI sold my boat in Hull\nI left my wife at home⟧",
    "lyric": "finish the lyric: ⟦I'm a baker, I'm a sailor⟧",
    "lyrics": "Lyrics:⟦\nI'm a sailor girl\nin a sailor town⟧",
}


@pytest.mark.parametrize("message", NOTES)
def test_a_note_after_a_label_is_kept(message: str) -> None:
    assert "\0" not in mask_quoted(message)
    assert uncovered_statements(message, []) != []


@pytest.mark.parametrize("marked", FOREIGN.values(), ids=FOREIGN)
def test_a_text_after_its_label_is_masked(marked: str) -> None:
    masked = mask_quoted(marked.replace("⟦", "").replace("⟧", ""))
    own = "".join(part.partition("⟧")[2] for part in ("⟧" + marked).split("⟦"))
    assert masked.replace("\0", "").split() == own.split()


@pytest.mark.parametrize(
    "message",
    [
        'Can you answer this? "I am sick of your bees in our street."',
        "Condense this paragraph for me. I have always kept bees. As a girl I would count them.",
        'git commit -m "I moved the bees to the roof"',
        'docker run -e "NAME=I keep bees here" img',
        "A beekeeper has 12 hives. All but 5 die. How many are left?",
    ],
)
def test_what_remains_of_a_masked_message_states_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []
