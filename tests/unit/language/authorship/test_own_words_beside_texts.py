"""What users state beside a text by somebody else, or beside code, is kept; what the text states is not."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.language.facts.extraction import extract_from_user
from agent.memory.formation.coverage import uncovered_statements
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth

# A message, a part of what is kept of it, and a part of the text in it.
MESSAGES = [
    (
        "I'm using Zotero and writing my thesis in LaTeX. this throws an error:\n\n"
        "\\documentclass{article}\n\\usepackage{biblatex}\n\\author{Jane Doe}\n\\begin{document}\n\\end{document}",
        "Zotero",
        "Jane",
    ),
    (
        "I work as a nurse in Ulm and code on the side. this fails:\n\\begin{table}\n"
        "\\caption{I live in Rome}\n\\end{table}",
        "Ulm",
        "Rome",
    ),
    ("my setup is a Mac with Homebrew. it crashes here:\n\\def\\x{I am Bob}\n\\usepackage{foo}", "Mac", "Bob"),
    ("That was a quote from Haddad not me lol. I'm from Bradford", "Bradford", ""),
    ("That's from the poem, not me. I live in Leeds", "Leeds", ""),
    ("Shorter please. And use British spelling, always", "British spelling", ""),
    (
        "Here's the plan from my friend's coach, what do you think?\n\nWeek 1: Mon rest, Tue 8k easy\n"
        "I want you to hit 70k by week 4. I prefer two rest days.",
        "",
        "70k",
    ),
    ("here's my sister's CV, any thoughts?\n\nNurse at Leeds General\nI love hiking and I speak Dutch.", "", "Dutch"),
    (
        "this is the reply from my landlord. what should I say?\n\n"
        "I am raising the rent to 900. I prefer bank transfer.",
        "",
        "bank transfer",
    ),
    (
        "das ist der Plan von meiner Trainerin, was hältst du davon?\n\nMo Pause, Di 8 km\nIch will zwei Ruhetage.",
        "",
        "Ruhetage",
    ),
    (
        "aquí está el plan del entrenador de mi amigo, qué te parece?\n\nLunes descanso\n"
        "Prefiero dos días de descanso.",
        "",
        "dos días",
    ),
    (
        "voici le plan du coach de mon ami, t'en penses quoi ?\n\nLundi repos\nJe préfère deux jours de repos.",
        "",
        "deux jours",
    ),
    ("Here's my plan, what do you think?\n\nI run on Mondays. I prefer two rest days.", "two rest days", ""),
    ("Here's my background: I'm a nurse in Ulm.", "Ulm", ""),
    ("my coach's plan is tough. I prefer two rest days", "two rest days", ""),
    ("here's the thing, I'm vegan and my wife isn't", "vegan", ""),
    ("here's what I like: hiking and tea. I live in Ulm.", "Ulm", ""),
    (
        "We live in Graz. LaTeX complains:\n\\\newcommand{\\\\foo}{I am Eve}\n\\\\section{My life}\n"
        "I was born in Rome.",
        "Graz",
        "Eve",
    ),
    (
        "I use R for my thesis on bees. it fails with:\n\\\\begin{tabular}{ll}\n\\\\hline\n"
        "I am tired \\\\\\\\ \n\\\\end{tabular}",
        "bees",
        "",
    ),
    ("no, that was from the book, not me. I have two cats", "two cats", ""),
    ("Das war ein Zitat von Kafka, nicht von mir. Ich wohne in Jena.", "Jena", ""),
    ("eso era de la canción, yo soy de Murcia", "Murcia", ""),
    (
        "this is the feedback from my supervisor, is it fair?\n\nYour intro is weak. I prefer shorter chapters.",
        "",
        "shorter chapters",
    ),
    ("here's my neighbour's reply, what do i say?\nI like loud music and I live here since 1990.", "", "loud music"),
    (
        "hier ist die Antwort von meinem Chef, wie reagiere ich?\nIch brauche dich am Samstag. Ich mag keine Ausreden.",
        "",
        "Ausreden",
    ),
    ("ecco la risposta del mio capo, cosa dico?\n\nTi voglio sabato. Preferisco il turno di notte.", "", "turno"),
    (
        "aqui está o plano da minha nutricionista, o que achas?\n\nPequeno-almoço: aveia. Prefiro jantares leves.",
        "",
        "jantares",
    ),
    ("this is my plan for the move, ok?\n\nI pack on Monday. I have 40 boxes.", "40 boxes", ""),
    ("here's a photo from my holiday in Rome\nI loved the food there", "food", ""),
    ("das ist das Rezept von meiner Oma\nIch liebe es und koche es jeden Sonntag in Bonn", "Bonn", ""),
    ("this is my dad's dog, Rex\nI walk him on Sundays", "Sundays", ""),
    ("here's the plan from my side: I move to Ulm in May", "Ulm", ""),
]


@pytest.mark.parametrize(("message", "own", "foreign"), MESSAGES)
def test_only_the_users_own_statements_are_kept(message: str, own: str, foreign: str) -> None:
    kept = " ".join([*uncovered_statements(message, []), *(fact.text for fact in extract_from_user(message))])
    assert own in kept
    assert not foreign or foreign not in kept


@pytest.mark.parametrize("unit", ["here's the a from my plan\n", "\\ab{", "that was a quote. "])
def test_texts_are_found_in_linear_time(unit: str) -> None:
    assert growth(mask_quoted, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
