"""Updates in German, Spanish, French, Italian, Portuguese and Dutch that make a part of an older message untrue."""

import pytest

from agent.language.revision.remainder import remainder

STATED_AT = "2026-11-05T10:00:00+00:00"


def _triples(text: str) -> list[tuple[str, ...]]:
    return [tuple(part.strip() for part in line.split("|")) for line in text.strip().splitlines()]


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    _triples("""
        Mein Sohn ist 4 und heißt Leo | Leo ist gestern 5 geworden | Mein Sohn heißt Leo
        Mi hijo tiene 4 años y se llama Leo | Leo cumplió 5 ayer | Mi hijo se llama Leo
        Mon fils a 4 ans et s'appelle Léo | Léo a eu 5 ans hier | Mon fils s'appelle Léo
        Mio figlio ha 4 anni e si chiama Leo | Leo ha compiuto 5 anni ieri | Mio figlio si chiama Leo
        Meu filho tem 4 anos e se chama Leo | o Leo fez 5 anos ontem | Meu filho se chama Leo
        Mijn zoon is 4 en heet Leo | Leo is gisteren 5 geworden | Mijn zoon heet Leo
        Mi hija Noa tiene 7 años y juega al ajedrez | noa ya cumplió 8 | Mi hija Noa juega al ajedrez
    """),
)
def test_a_new_age_removes_only_the_old_one(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == rest


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    _triples("""
        Ich bin 29 und arbeite als Pflegerin in Köln | Seit Montag arbeite ich in der Kinderklinik in Bonn | Ich bin 29 und arbeite als Pflegerin
        Soy profesora de música en un instituto de Jaén | Me han trasladado a un instituto de Cádiz | Soy profesora de música
        Je travaille comme cuisinier dans un hôtel à Nice | Depuis lundi je bosse dans un restaurant à Cannes | Je travaille comme cuisinier
        Lavoro come commessa in un negozio a Pavia | Da lunedì lavoro in una libreria a Lodi | Lavoro come commessa
        Trabalho como professor numa escola em Leiria | Agora dou aulas numa escola em Viseu | Trabalho como professor
        Ik werk als verpleegkundige in een ziekenhuis | Sinds maandag werk ik in een kliniek in Delft | Ik werk als verpleegkundige
    """),  # noqa: E501 - one case per line
)
def test_a_new_workplace_leaves_the_profession(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == rest


@pytest.mark.parametrize(
    ("old", "new"),
    _triples("""
        Ich wohne in Ulm und arbeite als Architektin | ich arbeite jetzt selbstständig
        Ich wohne in Ulm und arbeite als Architektin | ich arbeite jetzt freiberuflich
        Vivo en Murcia y trabajo como arquitecta | ahora trabajo por mi cuenta
        J'habite à Lille et je travaille comme graphiste | je travaille maintenant à mon compte
        Vivo a Torino e lavoro come architetto | Ora lavoro in proprio
        Moro em Braga e trabalho como designer | agora trabalho por conta própria
        Ik woon in Gent en werk als kok | ik werk nu als zelfstandige
    """),
)
def test_a_profession_may_be_practised_in_another_way(old: str, new: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == old


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    _triples("""
        Nächsten Donnerstag um 9 habe ich einen Termin beim Zahnarzt | Der Zahnarzttermin wurde auf Freitag verschoben | um 9 habe ich einen Termin beim Zahnarzt
        Am Dienstag habe ich einen Termin beim Augenarzt | Der Augenarzttermin wurde auf Montag verlegt | Ich habe einen Termin beim Augenarzt
        Woensdag heb ik een afspraak bij de tandarts | De tandartsafspraak is verzet naar donderdag | Ik heb een afspraak bij de tandarts
    """),  # noqa: E501 - one case per line
)
def test_a_moved_appointment_loses_its_day(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == rest


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    _triples("""
        Ich liebe Kaffee, aber ich esse kein Fleisch | Ich esse wieder Fleisch | Ich liebe Kaffee
        Me encanta el café pero no como carne | He vuelto a comer carne | Me encanta el café
        J'adore le café mais je ne mange pas de viande | je remange de la viande | J'adore le café
        Adoro il caffè ma non mangio carne | Ho ripreso a mangiare carne | Adoro il caffè
        Adoro café mas não como carne | Voltei a comer carne | Adoro café
        Ik hou van koffie maar ik eet geen vlees | Ik eet weer vlees | Ik hou van koffie
    """),
)
def test_a_return_to_meat_leaves_the_other_clauses(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == rest


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    _triples("""
        Me llamo Iker, tengo 40 años y vivo en gijón | el mes pasado me mude a avilés | Me llamo Iker, tengo 40 años
        J'habite à Lyon et je suis infirmière | on a démenagé à Grenoble le mois dernier | je suis infirmière
        ik woon in zwolle en heb twee kinderen | we zijn vorige maand naar deventer verhuisd | ik heb twee kinderen
        Vivo con mi perra Lúa y toco el violín | lua murio ayer | toco el violín
        Я живу в Москве и работаю врачом | Я переехал в Казань | работаю врачом
    """),
)
def test_messages_without_accents_and_capitals_are_understood(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == rest


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    _triples("""
        ich nehme 50 mg Sertralin und jogge jeden Morgen | die Ärztin hat Sertralin auf 100 mg erhöht | ich jogge jeden Morgen
        prendo 25 mg di atenololo e vado in palestra | il medico mi ha aumentato l'atenololo a 50 mg | vado in palestra
        tomo 50 mg de losartana e caminho todo dia | o médico aumentou a losartana para 100 mg | caminho todo dia
        ik slik 20 mg citalopram en wandel veel | de huisarts heeft de citalopram verhoogd naar 30 mg | ik wandel veel
        L'affitto è di 600 euro e il coinquilino si chiama Dario | l'affitto è aumentato a 680 euro | il coinquilino si chiama Dario
        Mon train est à 8h12 et je dors chez ma tante | mon train est finalement à 9h30 | je dors chez ma tante
        Il mio cane Rocky ha 13 anni e abito in campagna | purtroppo Rocky è morto ieri | abito in campagna
        Notre chienne Nala a 9 ans et nous habitons à la campagne | Nala est morte hier | nous habitons à la campagne
    """),  # noqa: E501 - one case per line
)
def test_a_new_amount_time_or_death_leaves_the_other_clauses(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == rest


@pytest.mark.parametrize(
    ("old", "new"),
    _triples("""
        Mein Sohn Leo ist 4 | Leos Cousin Ben ist gestern 5 geworden
        Mi hijo Leo tiene 4 años | Su primo Hugo cumplió 5 ayer
        Mein Sohn ist 4 und heißt Leo | Leo ist gestern 5 Kilometer gelaufen
        Ich arbeite als Pflegerin in Köln | Diese Woche arbeite ich in Bonn
        Ich arbeite als Pflegerin in Köln | seit Montag arbeite ich in Teilzeit
        Ich arbeite als Pflegerin in Köln | Mein Mann arbeitet jetzt in der Kinderklinik in Bonn
        Soy enfermera en un hospital de Jaén | ahora trabajo en el turno de noche
        Je travaille comme cuisinier à Nice | je travaille maintenant à mi-temps
        Lavoro come commessa in un negozio | ora lavoro in smart working
        Vivo en Gijón | cuando me mude a Avilés te aviso
        Vivo en Gijón | mi jefa quiere que me mude a Avilés
        Am Donnerstag habe ich einen Termin beim Zahnarzt | Der Friseurtermin wurde auf Freitag verschoben
        Non mangio carne | mio fratello ha ripreso a mangiare carne
        Ik eet geen vlees | mijn broer eet weer vlees
        No como carne | el perro ha vuelto a comer carne
        Vivo con mi perra Lúa | la perra de mi vecina murio ayer
    """),
)
def test_what_concerns_others_or_passes_removes_nothing(old: str, new: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == old
