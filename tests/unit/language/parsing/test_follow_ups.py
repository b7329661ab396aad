"""Messages that only ask for another form of the answer, or react to it, state nothing."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.parsing.follow_ups import MAX_FOLLOW_UP_CHARS, is_follow_up
from agent.language.parsing.sentences import is_small_talk
from agent.memory.formation.coverage import uncovered_statements
from support.growth import growth

MAX_GROWTH = 24


FOLLOW_UPS = """
and in german? | the second one | i get it now, thanks | a bit shorter pls | same but in french | ah i see, thanks |
go with the first | verstehe, danke | das zweite bitte | als tabelle | bisschen kürzer | noch ein beispiel |
jetzt auf französisch | plus court stp | la deuxième | sous forme de tableau | ok je vois |
pareil mais en espagnol | otro ejemplo | en una tabla | no, otra cosa | igual pero en francés |
prefiero la primera | più corto per favore | un altro esempio | ho capito, grazie | mais curto por favor |
a segunda | ah entendi | второй вариант | ясно, спасибо | в виде таблицы | مثال آخر | على شكل قائمة | 换成法语 |
做成表格 | 第二个 | もう少し短くして | 箇条書きで | ありがとう、助かった!
"""
FORMS_AND_TEXTS = """
mas corto y menos borde jaja | lo quiero en tabla | fallo più breve | agora em formato de tabela | krócej proszę |
ajoute plus de détails et enlève la fin | bitte etwas freundlicher formulieren und siezen | mas difíciles |
the checklist is a bit long, make it shorter | better, but less angry | that fixed it, cheers | fixed it cheers |
ok out of character now | ok given that lets be realistic | heres my landlord's mail, what should i answer |
más formal porfa | un poco más alegre y sin emojis | ponlo en puntos | hazlo más corto porfi |
in tabella per favore | più formale, e togli gli emoji | meno formale dai | mais curto e menos formal |
põe em tópicos | tira os emojis | plus court et moins formel stp | en tableau stp | mets-le en liste |
das bitte als Tabelle | kürzer und ohne Emojis bitte | etwas lockerer, mit Du statt Sie |
bisschen weniger förmlich | korter en minder formeel graag | zet het in een tabel | bardziej formalnie proszę |
w tabeli poproszę | bez emoji i krócej | daha resmi olsun | the email is too formal, tone it down |
bit too cheesy, tone it down | less salesy please | more natural and less robotic | that worked, thanks |
ok that did the trick, ta | lets be serious now | here's my essay, what do you think |
voici la lettre de mon proprio, je réponds quoi | ecco la mail del mio capo, cosa rispondo |
hier ist die Mail von meinem Vermieter, was soll ich antworten | mas formal y sin tacos | no tan largo porfa |
quita lo último y ponlo en negrita | meno lungo e più chiaro per favore | ora in inglese e più corto |
agora em lista | plus drôle et moins long | enlève les emojis et raccourcis | nochmal, aber weniger steif |
bitte duzen und etwas lockerer | minder stijf en korter aub | zrób z tego tabelę | dłużej i z przykładami |
daha resmi olsun | the intro is too long, cut it | shorter and less formal pls | worked like a charm, thanks |
ok lets get real | this is my cover letter, what would you change |
dit is de mail van mijn huisbaas, wat moet ik antwoorden | preparame un mensaje para mi jefa, corto
"""
NO_FORMS = """
más trabajo que nunca, no doy abasto | mi tabla de surf es azul | mein Chef ist jetzt freundlicher |
the list is on my fridge | the plan is to move to Rome in May | my checklist for the move has 40 points |
I fixed it with Dad's old drill | my landlord's mail goes to Leeds | my boss is less angry since she has a dog |
lets be honest, I hate my job at Tesco | quiero una tabla de surf para mi hija |
je veux plus de temps avec mes enfants | voglio una casa più piccola a Bari |
wolę krótsze dni pracy, mam dwójkę dzieci | ik wil korter werken, ik heb twee kinderen |
ich will kürzer arbeiten, seit Mia da ist | I'm out of work now | agora moro em Porto | mais um filho a caminho |
mas vale que sepas que soy celíaca | mi jefe es más serio que antes | the letter is from my landlord Bob |
my poem is called Rain and it won a prize | lets be honest I drink too much since Mum died |
die Tabelle hängt in meiner Küche | faccio più yoga, ho mal di schiena | mijn baas is minder stijf dan vroeger |
I'm less anxious since I moved to Bath | das ist meine Schwester Jana, sie ist Ärztin
"""
FRAGMENTS = """
I get the 7:50 now instead
I get up at 7 now | we go out twice a week, mostly | I do three more nights |
vegan btw | two kids and a dog | long covid since March | no nuts please | the second wedding in the family |
zweite Tochter ist da | noch drei Wochen bis zur Rente | une deuxième fille est née |
otra operación de rodilla | il secondo figlio arriva a maggio | вторая дочка родилась | 第二个孩子出生了 |
もう一人子どもが生まれた
"""


def _messages(text: str) -> list[str]:
    return [message.strip() for line in text.strip().splitlines() for message in line.split("|") if message.strip()]


@pytest.mark.parametrize("message", _messages(FOLLOW_UPS))
def test_a_follow_up_leaves_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize("message", _messages(FORMS_AND_TEXTS))
def test_a_wish_for_another_form_of_a_text_leaves_nothing(message: str) -> None:
    assert is_small_talk(message) or uncovered_statements(message, []) == []
    assert extract_from_user(message) == []


@pytest.mark.parametrize("message", _messages(NO_FORMS))
def test_a_statement_with_such_words_is_kept(message: str) -> None:
    assert extract_from_user(message) or uncovered_statements(message, [])


def test_a_form_of_address_for_all_answers_is_kept() -> None:
    assert [fact.text for fact in extract_from_user("bitte siezen")] == ["bitte siezen"]


@pytest.mark.parametrize("message", _messages(FRAGMENTS))
def test_a_fragment_about_the_user_is_kept(message: str) -> None:
    assert uncovered_statements(message, []) == [message]


@pytest.mark.parametrize("message", ["German", "two", "Deutsch, Englisch", "中文"])
def test_a_value_may_be_an_answer(message: str) -> None:
    assert not is_follow_up(message)


@pytest.mark.parametrize("part", ["a ", "one two ", "再来", "la ", "と", "here's a mail ", "it is too "])
def test_the_time_grows_linearly(part: str) -> None:
    assert growth(lambda text: is_follow_up(text[:MAX_FOLLOW_UP_CHARS]), part) < MAX_GROWTH


@pytest.mark.parametrize(
    "message",
    [
        "A train leaves at 8:15. When does it arrive?",
        "Un coche recorre 300 km en 4 horas. ¿A qué velocidad?",
        "Ein Zug fährt um 8:15 Uhr ab. Die Strecke beträgt 420 km. Wie schnell fährt er?",
        "I have cities but no houses, and water but no fish. What am I?",
        "Stel dat iemand morgen een miljoen wint. Wat zijn de gevolgen?",
        "Angenommen, ich hätte drei Wünsche frei. Was sollte ich nehmen?",
    ],
)
def test_what_a_task_is_about_is_not_kept(message: str) -> None:
    assert uncovered_statements(message, []) == []


def test_a_statement_after_an_invented_case_is_kept() -> None:
    message = "Stel dat ik de loterij win. Trouwens, ik heb coeliakie en woon in Gent."
    assert uncovered_statements(message, []) == ["Trouwens, ik heb coeliakie en woon in Gent."]


def test_news_that_is_to_be_imagined_is_kept() -> None:
    for message in ("Stell dir vor, ich bin befördert worden!", "Imagine! We are having twins in May."):
        assert uncovered_statements(message, []) == [message]


def test_what_a_personal_task_is_about_is_kept() -> None:
    message = "A tenant of ours owes us three months. What can we do?"
    assert "owes us three months" in " ".join(uncovered_statements(message, []))
