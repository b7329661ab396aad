"""A sentence that names a wrong value beside the right one concerns the statement with that value about the same."""

import pytest

from agent.language.references.relations import gives_new_value, shared_things, states_change
from agent.language.revision.exclusions import excludes, has_exclusion

CONCERNED = [
    ("We gaan in februari op wintersport naar Oostenrijk", "we gaan niet naar Oostenrijk maar naar Frankrijk"),
    ("Ho preso la Yaris usata, la ritiro sabato!", "niente, la Yaris la ritiro lunedì e non sabato"),
    (
        "estou juntando dinheiro pra uma viagem a Lisboa em abril",
        "a viagem vai ser em setembro, e pra Porto em vez de Lisboa",
    ),
    ("Mijn broer Thijs wordt zaterdag 30", "Thijs wordt eigenlijk 31, niet 30 haha, oeps"),
    ("wir fliegen im Mai nach Kreta", "wir fliegen nicht nach Kreta, sondern nach Rhodos"),
    ("we're spending easter in Devon with the in-laws", "we're spending easter in Cornwall instead of Devon"),
    ("mi hermana se casa en Toledo", "mi hermana no se casa en Toledo sino en Segovia"),
    ("on part en Bretagne cet été avec les enfants", "on part en Normandie cet été et pas en Bretagne"),
    ("mio figlio gioca a calcio il martedì", "mio figlio gioca a calcio il giovedì e non il martedì"),
    ("minha filha estuda medicina em Coimbra", "minha filha não estuda em Coimbra, mas em Braga"),
    ("mijn zus werkt bij de Rabobank in Utrecht", "mijn zus werkt niet bij de Rabobank maar bij ING"),
    ("the plumber is coming on Tuesday to fix the boiler", "the plumber is coming Wednesday and not Tuesday"),
    ("our kitchen floor will be oak", "we're doing the kitchen floor in tiles rather than oak"),
]

OTHERS = [
    ("we eten zondag bij Jan", "hij woont niet bij Jan maar alleen"),
    ("moja córka ma w piątek wizytę", "w Krakowie nie mieszkam, lecz w Opolu"),
    ("I drink tea every morning", "my sister drinks coffee, not tea"),
    ("mein Sohn spielt Fußball im Verein", "meine Tochter spielt Handball, nicht Fußball"),
    ("we gaan naar Oostenrijk met kerst", "mijn broer woont niet in Oostenrijk maar in Duitsland"),
    ("ich arbeite bei der Bahn", "die Autobahn war heute voll"),
    ("meine Innenstadtwohnung ist laut", "die Stadt hat jetzt einen neuen Bürgermeister"),
    ("vado in palestra il lunedì", "mia moglie lavora il martedì e non il lunedì"),
    ("vivo en Toledo con mi gato", "mi jefe viene de Segovia, no de Toledo"),
    ("my son is 12", "my daughter is 14, not 12"),
    ("mijn dochter wordt dinsdag geopereerd", "de verjaardag van oma is verplaatst naar zondag"),
    ("ich habe einen Parkplatz am Haus", "der Kita-Beitrag ist jetzt höher"),
    ("moro em Lisboa desde 2019", "minha irmã mora no Porto, não em Lisboa"),
    ("je travaille à Lyon le lundi", "mon frère habite à Paris et pas à Lyon"),
]

NO_EXCLUSION = [
    "we gaan niet naar Oostenrijk",
    "I'm not a morning person",
    "is it Leeds and not York?",
    "no, thanks",
    "",
]


@pytest.mark.parametrize(("old", "new"), CONCERNED)
def test_a_statement_with_the_wrong_value_is_concerned(old: str, new: str) -> None:
    assert excludes(new, old)
    assert states_change(new)
    assert shared_things(new, old)
    assert gives_new_value(new, old)


@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_a_statement_about_another_person_or_thing_is_not_concerned(old: str, new: str) -> None:
    assert not excludes(new, old)
    assert not shared_things(new, old)


@pytest.mark.parametrize("text", NO_EXCLUSION)
def test_a_denial_alone_names_no_wrong_value(text: str) -> None:
    assert not has_exclusion(text)
