"""What everyday messages state about their authors and their people, and what only asks, reacts or tells a story."""

import pytest

from agent.language.facts.standing import standing_topics
from agent.language.message_analysis import MessageContent
from agent.memory.formation.coverage import uncovered_statements


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        (
            "My nephew put this app on my phone. I'm Reg and I live in Hove.",
            "My nephew put this app on my phone. I'm Reg and I live in Hove.",
        ),
        ("Dan's a paramedic if you're wondering, does 4 on 4 off", None),
        ("moved gym to tue thu sat", None),
        ("milk is going up to £1.25 from next week, can you redo the sign", None),
        ("rent went up to 990, can you redo the budget?", "rent went up to 990"),
        ("on a déménagé à Rennes la semaine dernière, quels quartiers sont sympas ?", "on a déménagé à Rennes"),
        ("ethics board only let me do 8 interviews", None),
        ("can you give me a dinner for five that isnt pasta, Niamh is a coeliac", "Niamh is a coeliac"),
        ("can you check sams tablets ok with grapefruit, hes on simvastatin", None),
        ("help me plan nora's 4th birthday, its on 9 December, 8 kids", None),
        ("Ellie is on holiday from the 10th to the 17th, who could cover?", "Ellie is on holiday from the 10th to"),
        ("also what can i cook for them, priya is coeliac and sam hates mushrooms", "priya is coeliac and sam hates"),
        ("can you name five desserts without nuts, Freya has a nut allergy", "Freya has a nut allergy"),
        ("netflix is 12.99 a month, worth it?", "netflix is 12.99 a month"),
        ("onze hond heet Bram en is 3, mag hij kaas?", "onze hond heet Bram en is 3"),
        ("nosso gato se chama Tom e tem 2 anos, ele pode comer queijo?", "nosso gato se chama Tom e tem 2 anos"),
        ("il nostro cane si chiama Argo e ha 4 anni, può mangiare formaggio?", "il nostro cane si chiama Argo e ha 4"),
        ("süte alerjim var, ne içebilirim?", "süte alerjim var"),
        ("İzmir'de oturuyoruz, hangi okul iyi?", "İzmir'de oturuyoruz"),
        ("main vegetarian hoon, dinner ke liye kya banau?", "main vegetarian hoon"),
        ("mere kutte ka naam Bruno hai, kya karun?", "mere kutte ka naam Bruno hai"),
        (
            "w lipcu jedziemy do Chorwacji, budżet 6000 zł, co zwiedzić?",
            "w lipcu jedziemy do Chorwacji, budżet 6000 zł",
        ),
    ],
)
def test_what_is_stated_beside_a_request_is_kept(message: str, kept: str | None) -> None:
    assert MessageContent.of(message).recallable
    assert (kept or message) in " ".join(uncovered_statements(message, []))


@pytest.mark.parametrize(
    "message",
    [
        "is sam veggie",
        "does ben like curry",
        "is mum in hospital",
        "is nan allergic to nuts",
        "mon entretien chez Decathlon c'est quel jour ?",
        "waarheen verhuist mijn zus Marieke?",
        "odio i film horror?",
        "does marcus owe me anything",
        "does Craig still owe me",
        "Does Wyatt do karate",
        "need a team name",
        "kiedy jedziemy w Tatry",
        "na czym jeździ Hania",
        "a cosa sono intollerante",
        "ziehe ich nach Hamburg",
        "dzięki wielkie",
        "ta hen",
        "rightio cheers",
        "lol ty ur a lifesaver",
        "aye fair enough",
        "haha lustig",
        "che bello, grazie",
        "super, dzięki!",
        "harika, sağol!",
        "jajaja sale, va",
        "thank you that really helped <3",
        "write a short story where I am a pirate captain called Bloody Doreen, I have a wooden leg and three husbands.",
        "In the film the guy moves to Tokyo, quits his job and marries a robot. whats it called",
        "In the book I'm reading the narrator lives on a boat and is allergic to bees",
        "A man walks into a bar, I'm a horse, he says.",
        "what if my wife left me lol, would I have to sell the agency?",
        'The minister said "love thy neighbour as thyself".',
        'Mi mamá me escribió: "Ven a comer el domingo, hice mole". Qué le respondo?',
    ],
)
def test_what_states_nothing_is_neither_recalled_nor_kept(message: str) -> None:
    assert not MessageContent.of(message).recallable
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize("answer", ["Hen", "Pal", "Duck", "Sale Moor", "Aye Sen", "was born in a caravan"])
def test_names_and_short_answers_are_kept(answer: str) -> None:
    assert uncovered_statements(answer, []) == [answer]


@pytest.mark.parametrize(
    ("message", "topics"),
    [
        ("let's do a role play, you are the interviewer … I'm Dana and I speak Dutch", set()),
        ("haz de cuenta que eres mi jefe y yo soy alérgico a los frutos secos", set()),
        ("I'm Dana and I'm allergic to nuts", {"health"}),
    ],
)
def test_what_is_played_does_not_matter_for_every_answer(message: str, topics: set[str]) -> None:
    assert standing_topics(message) >= topics
    assert bool(standing_topics(message)) == bool(topics)
