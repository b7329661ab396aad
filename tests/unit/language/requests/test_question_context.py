"""Questions that depend on the ones before them are completed by what these are about."""

import pytest

from agent.language.requests.question_context import Exchange, complete_question

FRIEND = Exchange("Who's my best friend?", "You told me:\n- Best friend is Dave")


@pytest.mark.parametrize(
    ("before", "message", "complete"),
    [
        ("Where does my sister live?", "And what does she do?", "what does my sister do?"),
        ("When is my exam?", "where is it?", "where is my exam?"),
        ("How old is Mia?", "who is her teacher?", "who is Mia's teacher?"),
        ("What are my cats called?", "is one of them black?", "is one of my cats black?"),
        ("When do we fly to Lisbon?", "where do we stay there?", "where do we stay in Lisbon?"),
        ("When was my knee surgery?", "where was that?", "where was my knee surgery?"),
        ("Where does grandma live?", "how old is she?", "how old is grandma?"),
        ("Which gym do I go to?", "how much is it?", "how much is the gym?"),
        ("When do I start at Tesco?", "and where?", "where do I start at Tesco?"),
        ("My exam is on Monday.", "where is it?", "where is My exam?"),
        ("Wo wohnt meine Schwester?", "Und was macht sie?", "was macht meine Schwester?"),
        ("Wer ist mein Chef?", "Wie heißt seine Frau?", "Wie heißt Frau von mein Chef?"),
        ("¿Dónde vive mi hermana?", "¿Y en qué trabaja?", "en qué trabaja mi hermana?"),
        ("Où habite ma sœur ?", "Quel âge a-t-elle ?", "Quel âge a ma sœur ?"),
        ("Dove vive mia sorella?", "E che lavoro fa?", "che lavoro fa mia sorella?"),
        ("Onde mora a minha irmã?", "E o que ela faz?", "o que a minha irmã faz?"),
        ("Waar woont mijn zus?", "En wat doet ze voor werk?", "wat doet mijn zus voor werk?"),
        ("我妹妹住在哪里？", "她做什么工作？", "我妹妹做什么工作？"),
    ],
)
def test_a_pronoun_is_replaced_by_what_it_stands_for(before: str, message: str, complete: str) -> None:
    assert complete_question(message, [Exchange(before)]) == complete


def test_the_name_is_that_of_the_answer() -> None:
    assert complete_question("where does he live?", [FRIEND]) == "where does Dave live?"
    ambiguous = Exchange("Who's my best friend?", "Dave, who lives in Cork with Sue.")
    assert complete_question("where does he live?", [ambiguous]) == "where does my best friend live?"


def test_the_subject_is_kept_over_several_questions_and_other_messages() -> None:
    earlier = [FRIEND, Exchange("where does he live?", "In Cork."), Exchange("Thanks!", "You are welcome.")]
    assert complete_question("when is his birthday?", earlier) == "when is Dave's birthday?"
    changed = [*earlier, Exchange("And my brother?", "Brother Karl is a chef in Ulm")]
    assert complete_question("where does he live?", changed) == "where does my brother live?"


def test_a_question_without_a_context_stays_as_it_is() -> None:
    assert complete_question("where does he live?", []) == "where does he live?"
    assert complete_question("where is it?", [Exchange("What time do we rehearse?")]) == "where is it?"


OTHERS = [
    "Is it going to rain tomorrow?",
    "What time is it?",
    "What does that mean?",
    "Does Tom like his job?",
    "When did Mozart die and where was he born?",
    "How long does it take to boil an egg?",
    "where do they sell stamps?",
    "What should I wear to the wedding?",
    "I like her a lot",
    "She lives in Bergen now",
    "why?",
    "Wie geht es dir?",
    "Gibt es hier Wölfe?",
    "Können Sie mir helfen?",
    "¿Qué hora es?",
    "¿Dónde vivo?",
    "¿Cuánto es 3+4?",
    "Quelle heure est-il ?",
    "Où est la gare ?",
    "Che ore sono?",
    "Onde eu moro?",
    "Hoe laat is het?",
    "现在几点？",
    "其他的呢？",
    f"What do you think of her? {'word ' * 40}",
]


def test_other_messages_stay_as_they_are() -> None:
    earlier = [FRIEND, Exchange("When is my exam?")]
    assert [one for one in OTHERS if complete_question(one, earlier) != one] == []
