"""Requests to edit or produce something, and reactions to an answer, state nothing."""

import pytest

from agent.language.facts.extraction import own_statements
from agent.language.parsing.follow_ups import MAX_TASK_CHARS, is_follow_up
from agent.language.parsing.sentences import is_small_talk
from agent.memory.formation.coverage import uncovered_statements
from support.growth import growth

MAX_GROWTH = 24

EDITS = """
add a column for venmo | can u put that in a table | swap the chicken for tofu | halve the recipe | undo that |
start over | run it again | sort by price | put the intro at the end | bold the headings |
change the title to Summer Plans | rename the variable to total | wrap it in a function | use a for loop instead |
leave out the onions | move the second paragraph to the top | füg eine spalte für paypal hinzu |
sortier das nach preis | streich den letzten absatz | ersetz das hähnchen durch tofu | añade una columna para bizum |
ordénalo por precio | pon el título en negrita | ajoute une colonne pour paypal | trie par prix |
remplace le poulet par du tofu | metti i titoli in grassetto | dividi il testo in due |
voeg een kolom toe voor paypal | sorteer de lijst op datum | adiciona uma coluna para o pix |
troca o frango por tofu | pogrub nagłówki | zamień kurczaka na tofu
"""
DOCUMENT_EDITS = """
give the story a twist in chapter 3 | the loop should start at 1 | replace "cheap" with "affordable" everywhere |
split the function into two, parse and render | now do the same for March | swap Berlin for Paris in the example |
include a quote from Einstein in the speech | change the main character's name to Elena |
ersetze im zweiten Absatz "billig" durch "günstig" | die Funktion soll eine Liste zurückgeben |
el segundo párrafo debería ser más corto | remplace le titre par quelque chose de plus court |
aggiungi una colonna con il prezzo | de functie moet een lijst teruggeven |
substitui "barato" por "acessível" no texto |
把标题改成“夏天计划” | 函数应该返回一个列表
"""
LIFE_EDITS = """
change the dentist to Friday | move the meeting with Bob to 3pm | the kitchen should be green |
make the speech at Eva's wedding |
change the title of my novel to Ashes | the story should be about our trip to Oslo |
add my sister Anna's number to the text | the title should be Senior Engineer from January | turn 40 in May |
add a paragraph about my degree from Leeds | die Tabelle soll bis Freitag fertig sein | pon la mesa a las dos |
le poème doit être prêt pour l'anniversaire de maman | 把标题改成我的名字小明 | 主角应该是我女儿
"""
PRODUCTS = """
gift ideas for a 10 year old | present ideas for Derek please | quick dinner ideas | capitals of the baltics |
best pizza dough hydration | python list comprehension vs map | three synonyms for happy | a haiku about rain |
packing list for a weekend in the lakes | opposite of generous | tallest mountains in africa | excel formula for dates |
geschenkideen für opa bitte | ideen für ein schnelles abendessen | tipps gegen prüfungsangst |
ideas de regalo para el abuelo porfa | des idées de cadeau pour papi stp | idee regalo per il nonno per favore |
cadeau ideeën voor opa graag | ideias de presente para o avô | pomysły na prezent dla dziadka |
silly question but what's a noun | random one: do fish sleep
"""
VARIATIONS = """
more like a pirate | same but for 6 people | as above but cheaper | without the emojis | for a beginner |
wie vorher aber kürzer | igual pero más barato | pareil mais moins cher | come prima ma più economico |
hetzelfde maar goedkoper | a mesma coisa mas em inglês | to samo ale taniej | still getting the same error |
now it says module not found | can't see the image
"""
REACTIONS = """
ok sick | sick!! | that slaps | works for me | bet | yikes | nvm got it | oh wow didn't know that | hmm not convinced |
quick question | one sec | sorry typo | *their | cheers ears | gotcha | great stuff | spoko dzięki | jeszcze jeden |
kleine frage | immer noch derselbe fehler | qué risa | sigue dando error | deux secondes | toujours la même erreur |
che forte | un attimo | snel vraagje | nog steeds dezelfde fout | que fixe | só um segundo | dalej ten sam błąd
"""
STATEMENTS = """
use a wheelchair | put sugar in my tea | change trains at York | start over at uni in september | drop the kids at 8 |
drop two classes | cut out sugar last month | swap shifts with Jo on friday | swap the car for a bike in may |
move the car every tuesday | add oat milk to my coffee | correct essays for a living | fix typos at a newspaper |
sick since monday | sick note till friday | so sick | works for Barclays | works for me as a cleaner, Marta |
bet on Arsenal every week | best friend is Lou | best man at Tom's wedding | not a fan | true | undo | sweet | vet |
one sec i'm driving to Bath | still getting migraines | still not working | it says positive | it's worse |
can't see without glasses | great news: we're engaged | quick update: we exchanged on the house | two minutes | tips |
gift ideas for dad, he loves golf | ideas for my book about trains came in rome | waitress on tips |
more like coffee these days | same but diabetic | same again for my sister: she's coeliac |
without gluten please, celiac |
mum vs dad in court | three cats: Mo, Jo and Bo | Roger | Luz | *Thursday | like a lie in | name's Priya, nurse |
korrigiere texte für einen verlag | spiele mit freunden | streich die wand am samstag | immer noch arbeitslos |
añado sal a todo | corrige textos | usa muletas | igual que mi hermano, celiaco | range des rayons chez lidl |
toujours au chômage | cambio treno a bologna | ordina pacchi in amazon | sorteer post bij postnl |
recept voor pijnstillers, rug | nog steeds werkloos | troca de turno com o rui | sortuję paczki w dhl | dalej bez pracy
"""


def _messages(text: str) -> list[str]:
    return [message.strip() for line in text.strip().splitlines() for message in line.split(" |") if message.strip()]


@pytest.mark.parametrize("message", _messages(f"{EDITS}|{DOCUMENT_EDITS}|{PRODUCTS}|{VARIATIONS}"))
def test_a_brief_request_leaves_nothing(message: str) -> None:
    assert own_statements(message) == []
    assert uncovered_statements(message, []) == []


@pytest.mark.parametrize("message", _messages(REACTIONS))
def test_a_reaction_leaves_nothing(message: str) -> None:
    assert own_statements(message) == []
    assert is_small_talk(message) or uncovered_statements(message, []) == []


@pytest.mark.parametrize("message", _messages(STATEMENTS))
def test_a_statement_without_subject_is_no_brief_request(message: str) -> None:
    assert not is_follow_up(message)
    assert not is_small_talk(message)


@pytest.mark.parametrize("message", _messages(LIFE_EDITS))
def test_a_change_of_the_users_life_is_no_edit_of_a_text(message: str) -> None:
    assert not is_follow_up(message)


@pytest.mark.parametrize("message", ["use a wheelchair", "works for Barclays", "sick note till friday", "usa muletas"])
def test_a_statement_without_subject_is_kept(message: str) -> None:
    assert uncovered_statements(message, []) == [message]


def test_a_fact_beside_a_brief_request_is_kept() -> None:
    message = "I'm coeliac and live in Bath. add a column for venmo"
    assert uncovered_statements(message, []) == ["I'm coeliac and live in Bath."]


@pytest.mark.parametrize(
    "part", ["a ", "ok ", "add the a ", 'replace "a', "the a title ", "ideas for ", "same but ", "nog een ", "haha "]
)
def test_the_time_grows_linearly(part: str) -> None:
    assert growth(lambda text: is_follow_up(text[:MAX_TASK_CHARS]), part) < MAX_GROWTH
    assert growth(is_small_talk, part) < MAX_GROWTH
