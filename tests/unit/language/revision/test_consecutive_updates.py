"""Consecutive messages that report changes of different things are not related, in eight languages."""

from itertools import permutations

import pytest

from agent.language.references.antecedents import find_antecedent

UPDATES = {
    "en": """
        bin day is thursdays now
        the electrician bailed on us
        nan's moved into a home
        i'm off dairy
        we've swapped to Octopus for energy
        school run's at 8.15 now not 8.30
        finn got braces
        they've closed the pool till may
        gave up the allotment
        mate's wedding is the 8th not the 9th
        swimming's on tuesdays now
        plumber cancelled
        sold the Corolla
        rent's gone up to 900
        dad's out of hospital
        no more coffee for me
        nah do it w/o libs
        physio's wednesdays now
        we're off on the 5th not the 3rd
        the dog's called Thor not Tor
        oh and the parents evening is the 9th, not the 8th
        """,
    "de": """
        der Elektriker kommt doch nicht
        Oma ist ins Heim gezogen
        ich vertrag keine Milch mehr
        Fußball ist jetzt freitags
        Finn hat eine Zahnspange bekommen
        das Schwimmbad hat bis Mai zu
        wir sind zu Ökostrom gewechselt
        Schulbeginn ist um 8, nicht um 9
        die Katze heißt Lola, nicht Lotta
        Mias Konzert wurde abgesagt
        Der Monteur hat abgesagt
        Opa ist aus dem Krankenhaus raus
        Die Miete steigt auf 900
        Ich trink keinen Kaffee mehr
        Das Auto ist verkauft
        Kita macht jetzt um 16 Uhr zu
        Die Physio ist jetzt mittwochs
        Yoga ist doch donnerstags
        Tims Geburtstag feiern wir am 12., nicht am 13.
        unser neuer Nachbar heißt Murat, nicht Mirat
        Wir fliegen doch nach Kreta statt nach Rhodos
        """,
    "es": """
        el electricista no viene
        la abuela se ha mudado a una residencia
        ya no tomo leche
        el fútbol ahora es los viernes
        a Finn le han puesto aparato
        la piscina cierra hasta mayo
        hemos cambiado de compañía de luz
        el colegio empieza a las 8, no a las 9
        la gata se llama Lola, no Lota
        han cancelado el concierto de Mía
        La piscina ahora es los martes
        El fontanero ha cancelado
        Mi jefa ahora es Carmen
        Ya no como carne
        papá salió del hospital
        al final nos vamos el 5 de julio, no el 3
        Lucía ya no va a ballet
        el alquiler sube a 780
        la reunión del cole es el 9, no el 8
        el perro se llama Thor, no Tor
        la clase de inglés pasa a los jueves
        """,
    "fr": """
        l'électricien ne vient plus
        mamie est partie en maison de retraite
        je ne bois plus de lait
        le foot c'est le vendredi maintenant
        Finn a eu un appareil dentaire
        la piscine ferme jusqu'en mai
        on a changé de fournisseur d'électricité
        l'école commence à 8h, pas à 9h
        la chatte s'appelle Lola, pas Lotte
        le concert de Mia est annulé
        l'escalade c'est le vendredi maintenant
        le dentiste c'est jeudi
        ma boss c'est plus Nathalie
        la réunion est annulée
        on a déménagé à Brest
        Papa est sorti de l'hôpital
        Finalement on part le 5 juillet, pas le 3
        la nounou c'est plus Claire, c'est Inès
        le loyer passe à 820
        le chat s'appelle Mimi, pas Momo
        le contrôle technique, c'est le 9 et pas le 7
        j'ai arrêté le gluten finalement
        """,
    "it": """
        l'elettricista non viene più
        la nonna si è trasferita in una casa di riposo
        non bevo più latte
        il calcio adesso è il venerdì
        Finn ha messo l'apparecchio
        la piscina chiude fino a maggio
        abbiamo cambiato fornitore di luce
        la scuola comincia alle 8, non alle 9
        la gatta si chiama Lola, non Lotta
        hanno annullato il concerto di Mia
        Il corso di nuoto ora è il martedì
        L'idraulico ha annullato
        Abbiamo venduto la Panda
        Non mangio più carne
        il mio capo si è licenziato
        nonna è tornata a casa
        alla fine partiamo il 5 luglio, non il 3
        Giulia non fa più danza
        l'affitto sale a 750
        la palestra chiude alle 21, non alle 22
        il gatto si chiama Birba, non Birra
        """,
    "pt": """
        o eletricista já não vem
        a avó mudou-se para um lar
        já não bebo leite
        o futebol agora é à sexta
        o Finn pôs aparelho
        a piscina fecha até maio
        mudámos de fornecedor de luz
        a escola começa às 8, não às 9
        a gata chama-se Lola, não Lota
        cancelaram o concerto da Mia
        A natação agora é às terças
        O canalizador cancelou
        Vendemos o carro
        Deixei o café
        O meu chefe saiu da empresa
        afinal vamos no dia 5, não no dia 3
        a Inês já não faz ballet
        a renda subiu para 700
        o jantar é no Zé, não no Tó
        """,
    "nl": """
        de elektricien komt niet meer
        oma is naar een verzorgingshuis verhuisd
        ik drink geen melk meer
        voetbal is nu op vrijdag
        Finn heeft een beugel gekregen
        het zwembad is dicht tot mei
        we zijn overgestapt op groene stroom
        school begint om 8 uur, niet om 9 uur
        de poes heet Lola, niet Lotte
        het concert van Mia is afgelast
        Zwemles is nu op dinsdag
        De loodgieter heeft afgezegd
        We hebben de auto verkocht
        Ik drink geen koffie meer
        mijn baas is weg
        oma is weer thuis
        uiteindelijk gaan we 5 juli weg, niet 3 juli
        Fysio is nu op woensdag
        de huur gaat naar 950
        de oppas heet Noor, niet Nora
        """,
    "pl": """
        elektryk jednak nie przyjdzie
        babcia przeprowadziła się do domu opieki
        nie piję już mleka
        piłka nożna jest teraz w piątki
        Finn dostał aparat na zęby
        basen jest zamknięty do maja
        zmieniliśmy dostawcę prądu
        szkoła zaczyna się o 8, nie o 9
        kotka ma na imię Lola, nie Lotta
        koncert Mii odwołany
        Basen jest teraz we wtorki
        Hydraulik odwołał wizytę
        Sprzedaliśmy auto
        szefowa odeszła
        w końcu jedziemy 5 lipca, nie 3
        Ola już nie chodzi na balet
        czynsz wzrósł do 2400
        kot ma na imię Filemon, nie Filip
        """,
}
WRONG_VALUES = [
    ("the gig is on friday", "we're off on the 5th not the 3rd"),
    ("Der Zahnarzt ist am Dienstag", "am 12. statt am 13."),
    ("la crèche ferme à 18h, pas 18h30", "le 5 juillet, pas le 3"),
    ("el alquiler son 600", "el lunes, no el martes"),
]


def _related(statement: str, message: str) -> bool:
    return find_antecedent(message, [statement], answers_question=False) is not None


@pytest.mark.parametrize("language", UPDATES)
def test_consecutive_updates_of_different_things_are_kept_apart(language: str) -> None:
    updates = [line.strip() for line in UPDATES[language].strip().splitlines()]
    assert [pair for pair in permutations(updates, 2) if _related(*pair)] == []


@pytest.mark.parametrize(("statement", "message"), WRONG_VALUES)
def test_a_message_is_not_related_to_a_statement_without_the_value_that_it_calls_wrong(
    statement: str, message: str
) -> None:
    assert not _related(statement, message)
