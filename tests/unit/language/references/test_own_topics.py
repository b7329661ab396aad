"""Messages with words for a topic of their own do not follow a statement because they contain a word for a change."""

import pytest

from agent.language.references.antecedents import find_antecedent

OTHER_TOPICS = [
    ("mi hermana Lola llega el viernes", "al final hemos comprado un sofá azul"),
    ("tengo el coche en el taller hasta el lunes", "ya mido 1,74"),
    ("el piso cuesta 900 euros", "al final Marta no viene a la cena"),
    ("mañana tengo gimnasio a las 8", "por fin aprobé el carnet de conducir"),
    ("mio fratello arriva sabato alle 9", "alla fine Giulia ha scelto medicina"),
    ("l'affitto è 700 euro", "adesso peso 68 chili"),
    ("venerdì ho il dentista alle 10", "finalmente abbiamo trovato la babysitter"),
    ("j'ai dentiste jeudi à 10h", "finalement on adopte un chaton, il s'appelle Moka"),
    ("le loyer est de 800 euros", "maintenant je pèse 71 kilos"),
    ("mon frère arrive samedi à 14h", "finalement Inès fera médecine à Lyon"),
    ("am Freitag um 9 hab ich Friseur", "jetzt hat Jule doch den Führerschein bestanden"),
    ("die Miete kostet 850 Euro", "Elternabend: Dienstag 19 Uhr"),
    ("mein Bruder kommt am Samstag um 10", "doch keine Katze, wir holen einen Hund aus dem Tierheim"),
    ("w środę o 8 mam dentystę", "zmiana planów, w wakacje jedziemy nad morze z babcią"),
    ("czynsz wynosi 2300 zł", "pomyłka, Zosia chodzi do trzeciej klasy"),
    ("brat przyjeżdża w sobotę o 14", "jednak kupiliśmy rower dla Antka"),
    ("sexta tenho dentista às 9h", "no fim a gente adotou uma gata, chama Mel"),
    ("o aluguel é 1500 reais", "agora peso 78 quilos"),
    ("vrijdag om 9 heb ik de kapper", "toch maar een hond genomen, hij heet Boris"),
    ("de huur is 950 euro", "zwemles Daan nu op dinsdag 16:00"),
    ("mijn broer komt zaterdag om 2 uur", "in plaats van Texel huren we een huisje op de Veluwe"),
    ("el alquiler son 850", "al final Nico estudia enfermería en Bilbao"),
    ("el martes a las 5 tengo fisio", "ahora Leo duerme en su cama"),
    ("tengo 2 entradas para el sábado", "reunión del cole: jueves 18:00"),
    ("il mutuo è 640 euro al mese", "alla fine Sara si sposa a giugno"),
    ("domenica alle 11 pranzo da nonna", "ora il cane mangia solo crocchette"),
    ("la visita è giovedì alle 9", "alla fine ci trasferiamo a Torino per il lavoro di Paolo"),
    ("lundi à 9h j'ai le garagiste", "en fait ma sœur déménage à Nantes"),
    ("la crèche coûte 480 euros", "finalement Paul a raté son permis"),
    ("mercredi à 17h c'est le judo de Tom", "maintenant je cours 10 km"),
    ("der Kredit läuft über 12 Jahre", "jetzt hat Opa eine neue Hüfte"),
    ("am Montag um 8 ist Schwimmen", "doch kein Urlaub in Kroatien, wir fahren an die Ostsee"),
    ("Kita kostet 320 Euro", "Tanzkurs: Mittwoch 20 Uhr"),
    ("w poniedziałek o 7 mam basen", "zmiana planów, nie robimy remontu kuchni"),
    ("żłobek kosztuje 900 zł", "pomyłka, wujek Staszek mieszka w Toruniu"),
    ("mamy 2 bilety na sobotę", "jednak Kasia zostaje w obecnej pracy"),
    ("segunda às 8h tenho natação", "no fim compramos um carro usado"),
    ("a creche custa 900 reais", "na verdade minha prima mora em Recife"),
    ("terça às 15h é o judô do Caio", "agora corro 10 km"),
    ("maandag om 8 heb ik zwemmen", "toch geen puppy, we nemen een kitten"),
    ("de crèche kost 700 euro", "nu woont oma bij ons in huis"),
    ("we hebben 2 kaartjes voor zaterdag", "ouderavond: dinsdag 19:30"),
    ("el seguro cuesta 40 euros", "otra vez Hugo con fiebre, no va al cole"),
]
SAME_TOPICS = [
    ("el jueves tengo dentista a las 10", "al final el viernes a las 11"),
    ("el jueves tengo dentista a las 10", "al final me han cambiado el dentista al viernes"),
    ("vamos a Japón en marzo", "al final vamos en abril"),
    ("vamos a Roma en mayo", "al final no, a Nápoles"),
    ("la boda es el 5 de mayo", "perdona, el 12"),
    ("giovedì ho il dentista alle 10", "alla fine venerdì alle 11"),
    ("andiamo a Roma a maggio", "alla fine no, a Napoli"),
    ("l'esame è il 5 maggio", "anzi il 12"),
    ("j'ai dentiste jeudi à 10h", "finalement vendredi à 11h"),
    ("on part à Rome en mai", "finalement non, à Naples"),
    ("le mariage est le 5 mai", "pardon, le 12"),
    ("am Donnerstag hab ich Zahnarzt", "jetzt doch erst Freitag um 11"),
    ("wir fahren im Mai nach Rom", "doch nach Neapel"),
    ("die Hochzeit ist am 5. Mai", "Quatsch, am 12."),
    ("w czwartek o 10 mam dentystę", "jednak w piątek o 11"),
    ("w czwartek o 10 mam dentystę", "dentysta przełożony na piątek"),
    ("jedziemy w maju do Rzymu", "jednak do Neapolu"),
    ("quinta tenho dentista às 10h", "na verdade sexta às 11h"),
    ("vamos pra Roma em maio", "aliás, pra Nápoles"),
    ("donderdag om 10 heb ik de tandarts", "toch vrijdag om 11 uur"),
    ("we gaan in mei naar Rome", "toch naar Napels"),
    ("Das Meeting ist um 10", "Chefin hat es auf 11 verschoben"),
    ("la revisión del coche es el martes", "al final la revisión es el miércoles a las 9"),
    ("la riunione è lunedì alle 9", "l'hanno spostata a martedì"),
    ("ceniamo sabato alle 8", "scusa, alle 9"),
    ("il volo parte alle 7", "in realtà parte alle 9"),
    ("la réunion est lundi à 9h", "ils l'ont décalée à mardi"),
    ("on dîne samedi à 20h", "plutôt 21h"),
    ("mon vol part à 7h", "en fait il part à 9h"),
    ("das Treffen ist Montag um 9", "wurde auf Dienstag verschoben"),
    ("wir essen Samstag um 8", "nee, um 9"),
    ("mein Zug fährt um 7", "fährt doch erst um 9"),
    ("spotkanie jest w poniedziałek o 9", "przełożyli na wtorek"),
    ("jemy kolację w sobotę o 20", "pomyłka, o 21"),
    ("pociąg mam o 7", "jednak o 9"),
    ("a reunião é segunda às 9h", "mudaram pra terça"),
    ("jantamos sábado às 20h", "desculpa, às 21h"),
    ("meu voo sai às 7h", "na verdade sai às 9h"),
    ("de vergadering is maandag om 9", "verzet naar dinsdag"),
    ("we eten zaterdag om 8", "sorry, om 9"),
    ("mijn trein gaat om 7", "gaat toch pas om 9"),
]


@pytest.mark.parametrize(("statement", "message"), OTHER_TOPICS)
def test_a_message_about_another_topic_is_kept_apart(statement: str, message: str) -> None:
    assert find_antecedent(message, [statement], answers_question=False) is None


@pytest.mark.parametrize(("statement", "message"), SAME_TOPICS)
def test_a_new_value_follows_the_statement_about_its_topic(statement: str, message: str) -> None:
    found = find_antecedent(message, [statement], answers_question=False)
    assert found is not None
    assert found.statement == statement.rstrip(".")


def test_a_chain_of_corrections_ends_before_another_topic() -> None:
    said = ["l'ortopedico mi ha spostato al 9 dicembre alle 15", "anzi no scusa, alle 15:30"]
    assert find_antecedent(said[1], said[:1], answers_question=False) is not None
    assert find_antecedent("alla fine abbiamo preso un gatto, si chiama Birillo", said, answers_question=False) is None


def test_a_value_alone_follows_the_latest_of_several_topics() -> None:
    said = ["Kinderarzt: Freitag 9:30", "doch Montag um 11", "Am Mittwoch hab ich Zahnarzt"]
    found = find_antecedent("jetzt doch erst Donnerstag", said, answers_question=False)
    assert found is not None
    assert found.statement == said[2]
