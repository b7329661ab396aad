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
        Soy enfermera en Sevilla y me gusta bailar | desde el lunes trabajo en un hospital de Huelva | Soy enfermera y me gusta bailar
        Je suis avocate à Paris | Depuis lundi je bosse dans un cabinet à Rennes | Je suis avocate
        Ich bin Lehrerin in Kassel | seit Montag arbeite ich in einer Schule in Fulda | Ich bin Lehrerin
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
        Mon rendez-vous chez l'ophtalmo est lundi à 10h | le rdv chez l'ophtalmo est reporté à mercredi | Mon rendez-vous chez l'ophtalmo est à 10h
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
        Pago 500 euro di affitto e ho un gatto | l'affitto è salito a 550 euro | ho un gatto
        Pago 900 reais de aluguel e tenho um cachorro | o aluguel subiu para 1000 reais | tenho um cachorro
        Ik betaal 800 euro huur en heb een hond | de huur is gestegen naar 850 euro | Ik heb een hond
        Il mio cane Rocky ha 13 anni e abito in campagna | purtroppo Rocky è morto ieri | abito in campagna
        Notre chienne Nala a 9 ans et nous habitons à la campagne | Nala est morte hier | nous habitons à la campagne
    """),  # noqa: E501 - one case per line
)
def test_a_new_amount_time_or_death_leaves_the_other_clauses(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == rest


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    _triples("""
        Mein Bruder wohnt in Kiel und hat zwei Söhne | mein bruder ist nach rostock gezogen | Mein Bruder hat zwei Söhne
        Ich bin mit Jonas verheiratet und wir wohnen in Trier | Jonas und ich haben uns scheiden lassen | wir wohnen in Trier
        Je suis mariée avec Paul et on habite à Metz | on a déménagé à Nancy | Je suis mariée avec Paul
        Sono sposata con Carlo e viviamo a Bari | io e Carlo abbiamo divorziato | viviamo a Bari
        Sou casada com o Rui e vivemos em Faro | eu e o Rui divorciámo-nos | vivemos em Faro
        Mijn zus woont in Arnhem en is arts | mijn zus is naar Nijmegen verhuisd | Mijn zus is arts
        Ik doe dinsdag aan yoga en donderdag aan tennis | ik ben gestopt met yoga | donderdag aan tennis
        Ik studeer biologie in Leiden en werk in een café | ik ben gestopt met mijn studie | Ik werk in een café
    """),  # noqa: E501 - one case per line
)
def test_news_about_home_family_and_studies_leave_the_other_clauses(old: str, new: str, rest: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == rest


@pytest.mark.parametrize(
    ("old", "new"),
    _triples("""
        Mein Sohn Leo ist 4 | Leos Cousin Ben ist gestern 5 geworden
        Mi hijo Leo tiene 4 años | Su primo Hugo cumplió 5 ayer
        Mein Sohn ist 4 und unsere Katze heißt Leo | Leo ist gestern 5 geworden
        Mi hijo tiene 4 años y mi hija se llama Vera | Vera cumplió 9 ayer
        Mon fils a 4 ans et ma fille s'appelle Zoé | Zoé a eu 8 ans hier
        Mio figlio ha 4 anni e mia figlia si chiama Zoe | Zoe ha compiuto 8 anni
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
        Mon rendez-vous chez l'ophtalmo est lundi à 10h | Le rendez-vous chez le dentiste est décalé à vendredi
        Am Donnerstag habe ich einen Termin beim Zahnarzt | Der Termin beim Friseur wurde auf Freitag verschoben
        Mein Termin beim Zahnarzt ist am Donnerstag | Der Termin beim Friseur wurde auf Freitag verschoben
        Mi cita con el dentista es el lunes | La cita con el banco se ha cambiado al jueves
        Ho la visita dal cardiologo giovedì | La visita dal dentista è stata spostata a lunedì
        La visita dal cardiologo è giovedì | La visita dal dentista è stata spostata a lunedì
        A consulta do oftalmologista é na quinta | A consulta do dentista foi remarcada para segunda
        De afspraak bij de tandarts is dinsdag | De afspraak bij de kapper is verzet naar donderdag
        Dinsdag heb ik een afspraak bij de tandarts | De afspraak bij de kapper is verzet naar donderdag
        Mon train pour Paris est à 8h12 | mon train pour Lyon est finalement à 9h30
        Mon train est à 8h12 | le bus est finalement à 9h30
        Ich nehme 50 mg Sertralin | ich nehme jetzt 20 mg Ramipril
        Prendo 25 mg di atenololo | il medico mi ha aumentato il ramipril a 10 mg
        Tomo 50 mg de losartana | o médico aumentou a sinvastatina para 40 mg
        Ik slik 20 mg citalopram | de huisarts heeft de ramipril verhoogd naar 10 mg
        Mijn huur is 900 euro | mijn salaris is verhoogd naar 2900 euro
        Il mio affitto è di 600 euro | la bolletta è aumentata a 80 euro
        Mi hija Lucía tiene 8 años | Lucía cumplió con los deberes
        Mi hija Rosa tiene 8 años | las rosas cumplieron 9 días en el jarrón
        Ich bin Köchin in Ulm | im Sommer arbeite ich in Italien auf einem Hof
        Je suis infirmière à Lyon | cette semaine je travaille à Paris
        Lavoro in banca a Milano | domani lavoro a Bergamo
        Trabalho numa escola em Braga | amanhã trabalho no Porto
        Trabajo en un banco en Bilbao | mañana trabajo en Vitoria
        Ik werk in een winkel in Breda | morgen werk ik in Tilburg
        Trabajo de camarera en un bar | ahora trabajo en un proyecto nuevo
        Lavoro in un negozio | ora lavoro in un progetto nuovo
        Ich arbeite in einer Bank | ich arbeite jetzt an einem Buch
        Trabajo en una tienda | ahora trabajo en mejorar mi inglés
        Ik werk bij een bank | ik werk nu aan mijn conditie
        Ik werk bij een bank | ik werk nu op vrijdag
        Ich arbeite in einem Café | ich arbeite jetzt im Schichtdienst
        Ich arbeite in einem Café | ich arbeite jetzt an vier Tagen
        Ich arbeite in einem Café | seit Montag arbeite ich auf Hochtouren
        Je travaille dans un café | depuis lundi je travaille à plein temps
        Je travaille dans un café | depuis lundi je travaille en équipe de nuit
        Trabajo en un café | desde el lunes trabajo en horario nocturno
        Lavoro in un bar | da lunedì lavoro in coppia con Sara
        Trabalho num bar | agora trabalho no turno da noite
    """),
)
def test_what_concerns_others_or_passes_removes_nothing(old: str, new: str) -> None:
    assert remainder(old, new, stated_at=STATED_AT) == old
