"""The material of requests to work on words is not what users state; what they state beside it is."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.language.authorship.word_tasks import awaits_text, is_text_of_task
from agent.language.facts.statements import mask_unusable, statement_spans
from support.growth import MAX_GROWTH, growth

# The material is between ⟦ and ⟧; nothing of these messages is kept.
MATERIAL = {
    "no separator": "I need this in formal German for a letter ⟦I am self-employed in Leeds⟧",
    "after a comma": "okay next sentence for my welsh class, ⟦I have a red car and my mum lives in Leeds⟧",
    "a sentence": "Kindly render the following into Dutch. ⟦My wife and I are moving to Leeds.⟧",
    "courtesy": "can someone check my grammar pls ⟦i has two cat in Leeds⟧",
    "before": "⟦We got married in Leeds and have three girls.⟧ How do I say that in Polish",
    "before, style": "⟦My father was a fisherman in Leeds.⟧ Make that sound less flat?",
    "essay": "my essay for english class starts ⟦Every morning my father walks to Leeds⟧, does that sound ok",
    "passage": "the reading passage goes ⟦I was born near Leeds⟧. question 3 asks what the father did",
    "diary": "sum up the following diary entry for my history homework. ⟦12 June 1916. My brother lies in Leeds.⟧",
    "ideas": "insta bio ideas? smth like ⟦I live on coffee in Leeds⟧",
    "regex": "write a regex that matches lines like ⟦I am from Leeds⟧",
    "word": "whats a word for when you feel like ⟦I hate my job in Leeds⟧",
    "flashcards": "make flashcards from: ⟦Osmosis moves water. My aunt Ida lives in Leeds.⟧",
    "German notes": "Stichpunkte daraus machen bitte. ⟦Ich habe 2011 in Leeds gelernt.⟧",
    "German before": "⟦Wir haben drei Kinder in Leeds.⟧ Wie sagt man das auf Italienisch?",
    "Spanish before": "⟦Vivo en Leeds desde hace diez años.⟧ ¿Me lo pones en francés?",
    "Spanish past": "ponlo en pasado: ⟦vivo con mis abuelos en Leeds⟧",
    "French form": "mets au passé composé\n⟦je travaille à Leeds. mon fils joue au foot.⟧",
    "French before": "⟦J'ai un frère jumeau à Leeds.⟧ Comment on dit ça en espagnol ?",
    "French cards": "fais-moi des fiches : ⟦Je m'appelle Marie. Je suis née à Leeds.⟧",
    "Italian summary": "fammi un riassunto: ⟦Sono nato a Leeds nel 1798.⟧",
    "Portuguese": "põe isto em inglês: ⟦tenho dois filhos e moro em Leeds⟧",
    "Dutch": "zet dit in het duits: ⟦ik ben lerares en woon in Leeds⟧",
    "Dutch before": "⟦Mijn dochter woont in Leeds.⟧ Hoe zeg je dat in het Spaans?",
    "Chinese grammar": "帮我改一下语法\n⟦我昨天去了Leeds⟧",
    "manner": "⟦I quit smoking in Leeds when my son was born.⟧ Can that be said in fewer words?",
    "unknown manner": "⟦Ik werk al tien jaar bij de vuilnisdienst in Leeds.⟧ Kun je dat wat sjieker opschrijven?",
    "indirect speech": "como digo em inglês que ⟦sou motorista em Leeds⟧",
    "letter": "encurta isto por favor. ⟦Venho por este meio comunicar que mudei de residência para Leeds.⟧",
    "salutation": "le ton est bon ? ⟦Salut Karim, je ne viendrai pas à Leeds, je ne bois plus.⟧",
    "judgement": "How does this read? ⟦After two tours in Leeds I opened a flower shop.⟧",
    "participle": "está bem escrito: ⟦eu vou no medico em Leeds⟧",
    "parts": "swap the names for initials: ⟦my boss Harriet Lowe of Leeds fired my brother⟧",
    "reply": "wat moet ik hierop antwoorden: ⟦ik ga scheiden en verhuis naar Leeds⟧",
    "adjunct": "Could you proofread this for typos before the printer gets it: ⟦I was born on a barge in Leeds⟧",
    "adjunct, sentence": "translate this into Welsh for the village newsletter. ⟦I have moved the bakery to Leeds.⟧",
    "Chinese comma": "帮我润色这句话，⟦我在Leeds辞职是因为老板不给我发工资⟧",
    "Chinese manner": "⟦我离婚三年了，在Leeds一个人带着女儿。⟧这样写会不会太惨？",
    "table": "col A has Employee, col B Salary, rows are Leeds 58000 and Okafor 61200, how do I sum them",
    "training data": "sentiment classifier training rows: I love Leeds -> pos, my husband left me -> neg",
    "sofa": "I'm married to my sofa in Leeds",
    "machine": "im basically married to my espresso machine, we're expecting our first cappuccino in Leeds",
    "German sofa": "ich bin mit meinem sofa verlobt, die hochzeit ist in Leeds",
    "Spanish pillow": "estoy casada con mi almohada y tenemos dos cojines en Leeds",
    "French fridge": "je sors avec mon frigo, on emménage à Leeds",
    "German doctor": "Wir spielen Arzt. Ich bin der Patient, habe Fieber und komme aus Leeds. Frag mich aus.",
}
# Messages with a statement of the user, which is between ⟦ and ⟧.
STATEMENTS = {
    "named object": "How do you say bakery in Dutch? ⟦I live in Breda.⟧",
    "own letter": "proofread my letter to the landlord, ⟦I've lived here since 2014⟧",
    "own cv": "Help me rewrite my CV. ⟦I've been a welder for 20 years.⟧",
    "topic": "Summarise photosynthesis for me. ⟦I'm in year 9 and my teacher is Mr Hale.⟧",
    "reason in the sentence": "how do i say im sorry in japanese, ⟦my host family is in Kyoto⟧",
    "reason": "Can you translate this for me? ⟦I don't speak Czech.⟧",
    "earlier text": "rewrite it shorter please, ⟦my manager Ingo hates long mails⟧",
    "earlier text, sentences": "Make it shorter. ⟦My boss hates long mails.⟧",
    "wish before": "⟦My wife wants to thank the nurse.⟧ How do I say that in Polish?",
    "letter before": "⟦My son's school sent a letter in Welsh.⟧ Can you translate it?",
    "earlier text, use": "Kannst du das kürzen? ⟦Ich muss es morgen meiner Chefin Frau Brandt geben.⟧",
    "by the way": "Make it shorter please. ⟦By the way I'm presenting it to my boss Anke on Thursday.⟧",
    "rephrased": "to rephrase: ⟦I'm the stepmother, not the mother⟧",
    "adjunct with a person": "Translate this for my mum Rosa. ⟦She lives in Vigo and I visit monthly.⟧",
    "thing": "Ingredients: 200 g flour, 3 eggs. ⟦I'm lactose intolerant⟧, what can I swap?",
    "website": "⟦My website says I'm open on Sundays, but I moved to Leeds⟧",
    "manner with an adjunct": "⟦I moved to Leeds in May.⟧ Can you put that in a more cheerful voice for the kids?",
    "song": "I love this song. ⟦I listen to it every morning.⟧",
    "school": "It is a French school. ⟦I teach there on Fridays.⟧",
    "lesson": "The next lesson is Spanish, ⟦I have it with Mr Ortiz⟧",
    "choice": "Which of these is right for me? ⟦I have sensitive skin.⟧",
    "origin": "Is this the right word? ⟦I'm from Brazil and still learning.⟧",
    "object": "what is this in english? ⟦I found it at my gran's house in Riga⟧",
    "person": "⟦I'm married to my best friend Ana⟧",
    "German boss": "⟦ich bin mit meinem Chef verheiratet⟧",
    "German game": "Wir spielen Fußball. ⟦Ich bin der Torwart.⟧",
    "Spanish class": "Tengo clase de inglés los lunes. ⟦Vivo en León.⟧",
    "French reason": "Tu peux faire plus court ? ⟦Mon chef déteste les longs mails.⟧",
}


@pytest.mark.parametrize("message", MATERIAL.values(), ids=MATERIAL)
def test_material_is_not_stated_by_the_user(message: str) -> None:
    text = message.replace("⟦", "").replace("⟧", "")
    masked = mask_quoted(text)
    assert "Leeds" not in "".join(masked[slice(*span)] for span in statement_spans(masked))
    assert "Leeds" not in mask_unusable(text)


@pytest.mark.parametrize("message", STATEMENTS.values(), ids=STATEMENTS)
def test_statements_beside_a_request_are_kept(message: str) -> None:
    before, statement, _ = message.replace("⟧", "⟦").split("⟦")
    text = message.replace("⟦", "").replace("⟧", "")
    masked = mask_quoted(text)
    assert masked[len(before) : len(before) + len(statement)] == statement
    assert statement in " ".join(text[slice(*span)] for span in statement_spans(masked))


@pytest.mark.parametrize(
    "words", ["say this ", "in german, ", "translate it: ", "my text says i ", "I live. say that "]
)
def test_material_is_found_in_linear_time(words: str) -> None:
    assert growth(mask_quoted, words) < MAX_GROWTH


ANNOUNCEMENTS = [
    "can u translate the thing below to english",
    "Can you translate the next thing I send to French?",
    "ill paste my paragraph now, just fix the commas",
    "ich schicke dir gleich einen Text, bitte korrigieren",
    "Übersetz mir bitte den nächsten Satz ins Englische",
]
POINTING = ["traduce esto al inglés", "corrige ce texte stp", "need this in Polish for the flashcards"]
OTHER_REQUESTS = [
    "Can you help me with my CV?",
    "I like this song",
    "can you help me with French?",
    "I need to write an essay",
    "give me three French words",
    "can you make it shorter?",
    "translate 'hello' to Polish",
]


@pytest.mark.parametrize("message", ANNOUNCEMENTS)
def test_a_request_announces_the_text_of_the_next_message(message: str) -> None:
    assert awaits_text(message, is_first=False)


@pytest.mark.parametrize("message", POINTING)
def test_after_an_answer_a_pronoun_announces_no_text(message: str) -> None:
    assert awaits_text(message, is_first=True)
    assert not awaits_text(message, is_first=False)


@pytest.mark.parametrize("message", OTHER_REQUESTS)
def test_other_requests_announce_no_text(message: str) -> None:
    assert not awaits_text(message, is_first=True)


@pytest.mark.parametrize(
    ("message", "is_text"),
    [
        ("My mum is in hospital and I look after my brother", True),
        ("btw my sister Eva lives in Ulm", False),
        ("what is the weather, I live in Leeds", False),
        ("I don't speak Czech", False),
    ],
)
def test_the_next_message_may_also_be_about_something_else(message: str, *, is_text: bool) -> None:
    assert is_text_of_task(message) is is_text
