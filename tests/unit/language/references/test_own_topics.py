"""Messages that name what they are about are not related to whatever was said before them."""

from itertools import permutations

import pytest

from agent.language.references.antecedents import find_antecedent

UPDATES = {
    "en": """
        we moved to York last month
        my dentist appointment got moved to Monday at 9
        Tom is not my boss anymore, now it's Katrin
        we are going to Greece after all, not Croatia
        Sam and I broke up
        Biscuit died on Sunday
        the landlord put our rent up to 1250
        the new car is coming on Friday
        sertraline is 100mg now
        left Velvet Spoons, joined a new band
        book clubs moved to the 17th
        busted my ankle on the stairs
        wyatt quit karate
        Trev's retiring so it's Jonesy doing the milk
        they've upped the nursery fees to 1100
        op's been cancelled
        the plumber rescheduled to the 4th
        dinner's at 8.30 now
        lost another 3lb
        given up on LaTeX
        """,
    "de": """
        wir sind nach Köln gezogen
        das Vorstellungsgespräch wurde auf Montag 10 Uhr verschoben
        den Golf hab ich verkauft, fahr jetzt nen Skoda Octavia
        die Miete ist doch nur 940
        Jonas will jetzt doch lieber ein Schlagzeug
        Krüger haben wir abgesagt
        """,
    "es": """
        nos hemos mudado a Málaga
        la entrevista la han pasado al lunes a las 10
        ya no tomo Sintrom, ahora tomo Eliquis
        Martina ya no quiere fiesta de Frozen, ahora la quiere de unicornios
        pau y yo cortamos
        """,
    "fr": """
        on vient d'emménager à Strasbourg
        le rendez-vous chez le kiné est déplacé à lundi 10h
        le mariage d'Inès est reporté au 12 septembre
        ma chef c'est plus Nathalie, c'est Sandrine maintenant
        """,
    "it": """
        mia madre è in ospedale
        da ieri lavoro in un'assicurazione
        l'esame è il 25 gennaio
        """,
    "zh": """
        我搬到苏州了
        看牙医改到下周六上午十点
        春节不去三亚了\uff0c改去昆明
        """,
}
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
    ("Prendo Eutirox 75", "il nonno vende la casa in campagna"),
    ("corro due volte a settimana", "alla fine abbiamo cambiato la caldaia"),
    ("Mon fils fait du judo", "on a finalement changé la chaudière"),
    ("Ik slik Thyrax 75", "opa verkoopt toch zijn boerderij"),
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
    ("Ich mach meine Ausbildung bei Siemens", "Absage bekommen. Jetzt halt Bosch"),
    ("Meine Tochter geht in die Sonnengruppe", "ab August dann Regenbogengruppe"),
    ("El bautizo de mi sobrina es en San Ginés", "hubo un lío con el cura, será en la Merced"),
    ("Mi abuelo tiene 87 años", "cumplió 88 en enero, qué cabeza"),
    ("Mi suegra viene a comer el domingo", "ha llamado que no, tiene gripe"),
    ("J'ai commandé un canapé bleu", "rupture de stock, on m'envoie le gris"),
    ("On va au resto à 20h avec les collègues", "ils ferment tôt, rendez-vous à 19h"),
    ("je suis en stage chez Renault", "prolongé jusqu'en août"),
    ("je me suis inscrite à la poterie le lundi", "plus de place le lundi, du coup j'y vais le jeudi"),
    ("L'idraulico chiede 340 euro per la caldaia", "più IVA, quindi circa 410"),
    ("Volgende week begin ik bij de bakker", "alleen op zaterdag hoor, tot de zomer"),
    ("ouderavond is in de aula", "juf appte net, in de gymzaal"),
    ("Ik slik Thyrax 75", "dosis verhoogd naar 88"),
    ("Encomendei um sofá azul", "acabou o estoque, vem o cinza"),
    ("Na semana que vem começo na padaria", "mas só aos sábados, até o verão"),
    ("kolacja o 20 z ekipą z pracy", "zamykają wcześniej, umówiliśmy się na 19"),
    ("zebranie rodziców jest w auli", "wychowawczyni napisała, że w sali gimnastycznej"),
    ("dinner at 8 with the work lot", "kitchen shuts early, so 7"),
]


def _related(statement: str, message: str) -> bool:
    return find_antecedent(message, [statement], answers_question=False) is not None


@pytest.mark.parametrize("language", UPDATES)
def test_updates_of_different_things_are_kept_apart(language: str) -> None:
    updates = [line.strip() for line in UPDATES[language].strip().splitlines()]
    assert [pair for pair in permutations(updates, 2) if _related(*pair)] == []


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("sisters flight moved to the 20th", "garage dropped it to £480"),
        ("Exam postponed to jan 11!! thank god", "down to 69 kilos now :)"),
        ("ma fille Emma a 5 ans", "vendredi à 15h j'ai un rendez-vous chez le kiné"),
        ("we've gone with Hughes, starting on 3 November", "I'm 58 and retiring next year"),
        ("la cita con el dermatólogo es el lunes a las 9", "1"),
        ("we adopted a cat called Mimi in May", "Very good!! Now make it rhyme"),
        ("my neighbour Piet has a boat", "no not like that, shorter"),
    ],
)
def test_other_values_and_reactions_are_kept_apart(statement: str, message: str) -> None:
    assert not _related(statement, message)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("Dad's surgery is at St. Bartholomew's on the 22nd.", "They've transferred him to King's"),
        ("Signed the kids up for swimming, Saturdays at nine", "Full! We landed in the Wednesday 4pm group"),
        ("The wedding is on 6 June", "the wedding is postponed to September"),
        ("I have a dentist appointment on the 8th at 2 pm", "make that the 9th"),
        ("we're naming him Theodore", "lol wife vetoed. Callum it is"),
        ("The concert is on Friday", "it's on the 9th actually"),
        ("my sister Mel lives in Chiang Mai", "shes 34"),
        ("my gf is called Tasha btw", "soooo me and tasha broke up on friday"),
    ],
)
def test_what_refers_to_a_statement_is_still_related(statement: str, message: str) -> None:
    assert _related(statement, message)


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
