"""What users state for a document of theirs is kept; a text to work on, or one by another author, is not."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.memory.formation.coverage import uncovered_statements
from support.growth import MAX_GROWTH, growth

NOTES = """
new number for the stall ad please: 07700 900871 | quick one for the cv: i passed my HGV test
for the newsletter: our Bella had five pups on sunday | for the linkedin bio: i'm a certified arborist since march
one more for the obituary: dad was a bell ringer for 40 years | add to the listing pls: the flat has a new boiler
price change for the advert: the eggs are 3 pounds now | for the complaint: the fridge broke on the 3rd
new opening hours for the facebook page: we shut at 4 on fridays | cv update: i passed my HGV test
fürs Protokoll: wir haben den Hund Balu getauft | noch was für den Lebenslauf: ich hab den Staplerschein gemacht
für den Vereinsartikel: unser Verein hat jetzt 80 Mitglieder | neue Nummer für den Aushang: 0171 2345678
pour le texte du gîte : l'an dernier on a rebaptisé ça La Grange aux Loirs
un truc pour mon CV : j'ai eu mon permis poids lourd | petite précision pour l'annonce : la maison a trois chambres
para el cartel: ahora abrimos los lunes a las 9 | una cosa para la carta: mi abuelo nació en Lugo
per l'annuncio: la casa ha il tetto rifatto | per il curriculum: ho preso il patentino del muletto
para o anúncio: a casa tem garagem nova | para o meu currículo: tirei a carta de pesados
new email for the mailing list: ada@hull.org | mi nuevo correo: ada@hull.org | 简历补充\uff1a我三月考了叉车证
also in the ad: the flat has a new boiler | the sign should mention: we are closed on mondays
für Omas Todesanzeige: sie war 40 Jahre Hebamme | à propos de l'annonce : le vélo a été vendu
before you write the letter: my mother moved to Cork last week | bevor du die Mail schreibst: wir sind umgezogen
avant d'écrire la lettre : ma mère a déménagé | for the bio - i'm a certified arborist since march
voor mijn cv: ik heb mijn vrachtwagenrijbewijs gehaald | do cv: zdałam egzamin na wózek widłowy
"""
TEXTS = """
translate this: i passed my HGV test | translate for the newsletter: our Bella had five pups
text for the ad: I am a widow from Hull with a mine | caption for the post: I moved to Hull with my geese
better wording for the cv: I passed my HGV test | is this ok for the cv: I passed my HGV test
for the novel: I am a duchess of Hull | from the ad: I sell my boat, I live in Hull
in the letter: I am a baker and I hate you | for the cv: translate this: I passed my HGV test
he sent this for the newsletter: I am a baker from Hull | for the ad from my neighbour: I keep bees
Text für die Anzeige: Ich bin Witwe und habe eine Mine | kürzer für den Lebenslauf: ich habe in Hull gearbeitet
spanish for the leaflet: we are closed | une blague pour le discours : je suis un homme marié
traduis pour l'annonce : je vends mon bateau | plus court pour l'annonce : je loue ma maison
frase para el cartel: vivo en Hull y vendo barcos | más formal para el correo: no puedo ir
email from a stranger: I am the duke, ada@hull.org | poem about the sign: I am a sign
avant d'envoyer la lettre : corrige les fautes | before you send the letter: check the spelling
corrige para a carta: eu sou viúva | traduci per l'annuncio: vendo la mia barca
"""


def _messages(text: str) -> list[str]:
    return [message.strip() for line in text.strip().splitlines() for message in line.split(" | ")]


@pytest.mark.parametrize("message", _messages(NOTES))
def test_a_note_for_a_document_is_kept(message: str) -> None:
    assert "\0" not in mask_quoted(message)
    assert uncovered_statements(message, []) != []


@pytest.mark.parametrize("message", _messages(TEXTS))
def test_a_text_for_a_document_is_not_kept(message: str) -> None:
    assert uncovered_statements(message, []) == []


def test_a_number_in_the_next_line_is_no_note() -> None:
    assert uncovered_statements("my regex fails on this line:\n+1 503 555 0142", []) == []


def test_a_pasted_text_for_a_document_is_not_kept() -> None:
    assert uncovered_statements(f"for the ad: {'I sell boats in Hull and I keep bees. ' * 9}", []) == []


@pytest.mark.parametrize("part", ["for the ", "one more ", "add to my cv ", "für die ", "l'ad "])
def test_the_time_grows_linearly(part: str) -> None:
    assert growth(mask_quoted, part) < MAX_GROWTH
