"""A question that only asks leaves nothing to remember; one that also states something does."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import mask_unusable, statement_spans
from agent.language.message_analysis import MessageContent
from agent.memory.formation.coverage import uncovered_statements
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth


def stated(message: str) -> list[str]:
    return [message[slice(*span)].strip() for span in statement_spans(mask_unusable(message))]


@pytest.mark.parametrize(
    "question",
    [
        "When is my trip to Japan?",
        "When is my flight to Tokyo?",
        "when is my trip to Wales",
        "When is my trip to Wales in May?",
        "Who is my best friend?",
        "What is the name of my dentist in Bristol?",
        "Where did I have dinner with Anna in Lyon?",
        "Which sport do I do?",
        "Do I have a dog called Rex?",
        "Is my grandma still alive?",
        "Does my brother Tom live in Ulm?",
        "How do I get to work?",
        "How good is my French?",
        "How well do I speak Spanish?",
        "Wie gut ist mein Deutsch?",
        "I smoke?",
        "What's on my calendar for 3 May?",
        "Hey Keepsake, when is my trip to Japan?",
        "When is my trip to Japan and who is coming with me?",
        "Can you tell me when my trip to Japan is?",
        "Tell me where my sister Anna lives.",
        "I forgot when my trip to Japan is",
        "Wann fliege ich nach Tokio?",
        "Kannst du mir sagen, wann mein Flug nach Tokio geht?",
        "Dime cuándo es mi vuelo a Tokio.",
        "Peux-tu me dire quand est mon vol pour Tokyo ?",
        "Dimmi quando è il mio volo per Tokyo.",
        "Me diz quando é o meu voo para Tóquio.",
        "Zeg me wanneer mijn vlucht naar Tokio is.",
        "Um wie viel Uhr geht mein Flug nach Tokio?",
        "Was mag meine Schwester?",
        "Lebt meine Oma noch?",
        "Fliegt meine Schwester Anna nach Rom?",
        "Ich rauche?",
        "Wie komme ich zur Arbeit?",
        "¿Cuándo es mi viaje a Japón?",
        "¿Qué deporte hago?",
        "¿Qué le gusta a mi hermana Ana?",
        "¿Vive todavía mi abuela?",
        "¿Yo fumo?",
        "¿Cómo voy al trabajo?",
        "Où est-ce que j'habite ?",
        "C'est quand mon vol pour Tokyo ?",
        "Quel sport est-ce que je fais ?",
        "Ma grand-mère vit-elle encore ?",
        "Je fume ?",
        "Comment je vais au travail ?",
        "Quando è il mio viaggio in Giappone?",
        "Che sport faccio?",
        "Mia nonna vive ancora?",
        "Io fumo?",
        "Come vado al lavoro?",
        "Onde é que eu moro?",
        "O que eu não como?",
        "Que esporte eu faço?",
        "Minha avó ainda vive?",
        "Eu fumo?",
        "Como eu vou para o trabalho?",
        "Wanneer is mijn reis naar Japan?",
        "Hoe laat is mijn vlucht naar Tokio?",
        "Welke sport doe ik?",
        "Hoe ga ik naar mijn werk?",
        "Leeft mijn oma Truus nog in Gouda?",
        "Ik rook?",
        "was mach ich beruflich und wo?",
        "czego nie je Ola?",
        "wo arbeite ich nochmal?",
        "was mach ich in meiner Freizeit?",
        "wann hat Lena Geburtstag und wo feiert sie?",
        "co lubi moja siostra?",
        "gdzie mieszka mój brat",
        "jak ma na imię mój pies?",
        "kiedy mam urodziny?",
        "ile dzieci ma Marta",
        "czy Ola je mięso?",
        "na co jest uczulona Kasia?",
        "was mach ich nochmal beruflich?",
        "als was arbeite ich und in welcher Stadt?",
        "wie heißt meine Tochter und wann hat sie Geburtstag?",
        "co jada mój mąż?",
        "kto jest moim szefem?",
        "gdzie pracuję?",
        "jakie mam hobby?",
        "ile lat ma mój syn",
        "z kim mieszka Ola?",
        "czego uczy się moja córka?",
        "czy mam rodzeństwo?",
    ],
)
def test_a_question_for_a_fact_about_the_user_leaves_nothing(question: str) -> None:
    assert uncovered_statements(question, []) == []
    assert extract_from_user(question) == []
    assert not MessageContent.of(question).recallable


@pytest.mark.parametrize(
    "message",
    [
        "Would I be a bad person if I left my husband? asking for a friend haha.",
        "Wäre ich ein schlechter Mensch, wenn ich meinen Mann verlassen würde? Frage für einen Freund.",
        "¿Sería mala persona si dejara a mi marido? Pregunto por un amigo jaja",
        "Est-ce que je serais une mauvaise personne si je quittais mon mari ? Je demande pour une amie.",
        "Sarei una cattiva persona se lasciassi mio marito? Chiedo per un'amica.",
        "Eu seria uma má pessoa se deixasse meu marido? É para um amigo.",
        "Zou ik een slecht mens zijn als ik mijn man zou verlaten? Ik vraag het voor een vriend.",
    ],
)
def test_what_would_be_if_leaves_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []
    assert not MessageContent.of(message).recallable


@pytest.mark.parametrize(
    "message",
    [
        "What should I cook for my son Ben, who is coeliac?",
        "When is my trip to Japan, we moved it to May?",
        "When can I run again after my knee operation in March?",
        "I'm allergic to nuts, what can I eat?",
        "Would I get a discount if I'm 67?",
        "Was kann ich für meinen Sohn Ben kochen, der Zöliakie hat?",
        "Lebt meine Oma noch, obwohl sie 99 ist?",
        "¿Qué cocino para mi hijo Ben, que es celíaco?",
        "Que cuisiner pour mon fils Ben, qui est cœliaque ?",
        "Ho bisogno di un visto per gli USA come brasiliano che vive in Portogallo?",
        "O que eu cozinho para o meu filho Ben, que é celíaco?",
        "Wat kook ik voor mijn zoon Ben, die coeliakie heeft?",
        "Asking for a friend who is coeliac.",
        "Eu fumo.",
        "What do I say to my neighbour Wim Haas?",
        "Tell me what to pack when my trip to Japan starts in May.",
        "I like olives now??",
        "My grandma still lives in Ulm.",
    ],
)
def test_a_question_with_a_clause_that_states_something_is_kept(message: str) -> None:
    assert uncovered_statements(message, []) == [message.lstrip("¿")]
    assert MessageContent.of(message).recallable


@pytest.mark.parametrize(
    ("question", "presupposed"),
    [
        ("Do I need a visa for the US as a Brazilian living in Portugal?", "as a Brazilian living in Portugal"),
        ("Can I claim a grant as a farmer with 40 goats?", "as a farmer with 40 goats"),
        ("¿Necesito visado como brasileño que vive en Portugal?", "como brasileño que vive en Portugal"),
        ("Preciso de visto como brasileiro que vive em Portugal?", "como brasileiro que vive em Portugal"),
        ("Ai-je besoin d'un visa en tant que Brésilien vivant à Porto ?", "en tant que Brésilien vivant à Porto"),
        ("Heb ik een visum nodig als Braziliaan die in Portugal woont?", "als Braziliaan die in Portugal woont"),
        ("How do I tell my boss I'm pregnant?", "I'm pregnant"),
        ("how do i tell my boss im pregnant", "im pregnant"),
        ("¿Cómo le digo a mi jefe que estoy embarazada?", "estoy embarazada"),
        ("Come dico al mio capo che sono incinta?", "sono incinta"),
        ("Como digo ao meu chefe que estou grávida?", "estou grávida"),
        ("Hoe vertel ik mijn baas dat ik zwanger ben?", "ik zwanger ben"),
    ],
)
def test_only_what_a_question_presupposes_is_kept(question: str, presupposed: str) -> None:
    assert stated(question) == [presupposed]


@pytest.mark.parametrize(
    "message",
    [
        "Ola nie je mięsa",
        "co roku jeździmy z dziećmi do Sopotu",
        "jak byłam mała, mieszkałam w Łodzi",
        "kiedy wrócę z pracy, karmię psa",
        "gdzie mieszkam nie ma sklepu",
        "was ich beruflich mache: ich bin Bäcker",
        "wo ich wohne, gibt es keinen Bus",
        "kto rano wstaje, ten jestem ja, wstaję o 5",
        "co tydzień odwiedzam mamę w Radomiu",
        "ile mogę, tyle pomagam siostrze w Kielcach",
        "jak pracowałem w Oslo, miałem psa",
        "kiedy mam czas, gram na gitarze",
        "Ola ma urodziny w maju",
        "Marta nie je glutenu",
        "gdzie indziej bym nie mieszkała, kocham Gdynię",
    ],
)
def test_a_statement_that_begins_like_a_question_is_kept(message: str) -> None:
    assert uncovered_statements(message, []) == [message]


@pytest.mark.parametrize(
    "unit",
    [
        "when is my ",
        "tell me when my ",
        " and who ",
        "que ",
        "czego nie ",
        "¿qué ",
        "est-ce que je ",
        "would i if i ",
        "a-",
        "necesito como ",
    ],
)
def test_the_time_for_a_question_is_linear(unit: str) -> None:
    assert growth(stated, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
