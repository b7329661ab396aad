"""Statements about general knowledge, works, answers and programs, and statements about the user that resemble them."""

import pytest

from agent.language.impersonal.statements import is_impersonal
from agent.memory.formation.coverage import uncovered_statements
from support.growth import MAX_GROWTH, growth

KNOWLEDGE = """
the capital of Canada is Ottawa, not Toronto | Paris is the capital of France | water boils at 100 degrees |
Everest is 8849 m, you wrote 8489 | Marie Curie was the first woman to win a Nobel prize | honey never spoils |
mercury is the closest planet to the sun | the Treaty of Versailles was signed in 1919 |
let x be a prime greater than 3 |
a leap year has 366 days | Brazil won the World Cup in 2002 | the Nile flows through Egypt | x equals 4 |
水在100度沸腾 | de aarde draait om de zon | the central bank raised interest rates by 0.25 points yesterday |
Sie haben recht, die Hauptstadt ist Bern | die Antwort war falsch, Mozart ist 1756 geboren |
Ein Zug fährt um 9 Uhr mit 80 km/h in Köln ab. | la capitale de l'Australie est Canberra |
la Révolution française a commencé en 1789 | el agua hierve a 100 grados al nivel del mar |
la capitale è Canberra, non Sydney | a fotossíntese transforma luz em energia |
de hoofdstad is Canberra, niet Sydney | 澳大利亚的首都是堪培拉 | 假设一个公司有200名员工
"""
WORKS = """
in the film a bank robber hides the money under a church and falls in love with the priest's sister |
the novel is about a lighthouse keeper who loses his memory | Macbeth kills Duncan in act 2 |
the series is set in a prison in Ohio and the main character is a chef | the band's first album came out in 1994 |
Im Film geht es um einen Kommissar, der seinen Bruder sucht | la novela trata de un pescador que pierde su barco |
le film raconte l'histoire d'un boxeur qui devient prêtre | il film parla di un ladro che si innamora di una suora |
o filme conta a história de um pescador | de film gaat over een bankrover die priester wordt |
这部电影讲的是一个小偷
"""
ANSWERS = """
your second bullet is wrong | the last line doesn't rhyme | the third point is missing |
too long, it should be two sentences |
the second one is the best | the answer key says 12.5 | it's "its", not "it's" | the plural of octopus is octopuses |
there are two mistakes in your list | answer 3 is false | 第二段太长了 | I think the recipe needs more salt |
that's outdated, tell me a joke |
der zweite Absatz klingt zu förmlich | le deuxième paragraphe est trop long | tu segundo punto está mal |
la seconda risposta è sbagliata | o segundo exemplo não funciona | het tweede punt klopt niet, de Rijn is langer
"""
PROGRAMS = """
the page loads but the button does nothing | das Programm stürzt beim Start ab |
tu código tiene un error de sintaxis |
that function returns None when the list is empty | the query returns duplicates | line 12 has an off by one error |
the loop never terminates because i is never incremented | npm install throws ERESOLVE could not resolve |
this endpoint needs an auth header | the dataset has 1200 rows and 14 columns |
column B has dates and column C has amounts |
Der Test schlägt in Zeile 14 fehl | die Funktion gibt bei 1 true zurück | le code plante à la ligne 12 |
la función devuelve undefined si el array está vacío | il test fallisce alla riga 20 | o código dá erro na linha 5 |
de functie geeft null terug bij een lege lijst | 代码第7行报错了 | 这个函数返回空列表
"""
OWN = """
Luna is 4 years old and afraid of thunder | Jupiter has hip dysplasia | Newton won the dog show in Leeds |
the water is off until 5 | water is dripping from the ceiling | bees have built a nest under the roof |
the table is broken | the list is on the fridge | the loop around the lake is 5 miles | the pointer had nine puppies |
the function is at the Hilton, 80 guests | das Skript ist 200 Seiten lang und die Klausur ist schwer |
la boucle de la ceinture est cassée | the play is in a barn near Otley |
the script for the school play is missing two pages | the series of injections ends in May | the book is Anna's |
Anna's book came out in 2019 | the second option is 40 euros cheaper, Tom wants it | the recipe is from Aunt Rosa |
the answer from the bank was no | the title deed is missing | the test came back positive |
the biopsy returned negative |
the dishwasher shows error 24 | the boiler throws an error when the heating comes on |
the area of the flat is 62 square metres | the house was built in 1890 | Das Haus wurde 1890 gebaut |
Helga was born in 1936 in Gdansk |
a spider is in the bath |
Amazon has lost the parcel | the Samsung has a cracked screen | the president of the rowing club resigned |
the problem is the stairs, 4th floor without a lift | there are two mistakes in the contract |
der zweite Satz Winterreifen ist in der Garage | il secondo punto del contratto è la cauzione |
en la obra hay dos grúas |
in the series of talks Maria has the third one | too long, it should be hemmed 5 cm | the regex course costs 300 |
my code review is due Thursday | the API at work is written in Go | the film I liked most was Perfect Days |
the column I write for the Herald should be weekly | the flight to Canberra leaves at 6:40 on Tuesday
"""
REPORTED = "We run a small theatre. The script is missing two pages and the program doesn't work."


def each(texts: str) -> list[str]:
    return [text.strip() for text in texts.split("|")]


@pytest.mark.parametrize("sentence", each(KNOWLEDGE) + each(WORKS) + each(ANSWERS) + each(PROGRAMS))
def test_what_is_not_about_the_user_is_not_kept(sentence: str) -> None:
    assert uncovered_statements(sentence, []) == []


@pytest.mark.parametrize("sentence", each(OWN))
def test_similar_statements_about_the_user_are_kept(sentence: str) -> None:
    assert uncovered_statements(sentence, []) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "the query returns duplicates, says the client",
        "the novel is about my grandfather",
        "the build fails on step 3 since Tuesday",
        "in production the query returns duplicates",
    ],
)
def test_a_mention_of_the_users_life_makes_a_statement(sentence: str) -> None:
    assert not is_impersonal(sentence)


def test_things_of_a_message_about_the_user_are_theirs() -> None:
    sentence = "The second version is better."
    assert is_impersonal(sentence, [sentence])
    assert not is_impersonal(sentence, ["We wrote two versions of the contract.", sentence])
    assert uncovered_statements(REPORTED, []) == [REPORTED]


def test_a_retelling_beside_a_statement_is_left_out() -> None:
    message = "I watched Heat with Ida. The film is about a bank robber who falls in love."
    assert uncovered_statements(message, []) == ["I watched Heat with Ida."]


def test_time_grows_linearly() -> None:
    assert growth(is_impersonal, "the second very old film ") < MAX_GROWTH
