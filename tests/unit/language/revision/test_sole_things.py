"""Changes of a medicine or of an offer that they do not name."""

import pytest

from agent.language.revision.sole_things import SEVERAL, changed_kind, count_things

MEDICINES = [
    ("I take warfarin", "the doctor switched me to apixaban"),
    ("I'm on sertraline 50mg", "my GP swapped me to citalopram"),
    ("I take ibuprofen for my knee", "doc put me on naproxen instead"),
    ("Ich nehme Ramipril", "der Arzt hat mich auf Candesartan umgestellt"),
    ("Tomo omeprazol", "el médico me lo ha cambiado por pantoprazol"),
    ("Je prends du Levothyrox", "le médecin m'a mise sous Euthyral à la place"),
    ("Prendo il Coumadin", "il medico mi ha passato a Eliquis"),
    ("Ik slik metoprolol", "de dokter heeft me overgezet op bisoprolol"),
    ("Tomo losartana", "o médico trocou por valsartana"),
    ("Biorę metoprolol", "lekarz zmienił mi na bisoprolol"),
]
OFFERS = [
    ("I got a job offer from Siemens, start 1 January", "yes i took it! start on 4th january"),
    ("They offered me the flat for 900", "we turned it down"),
    ("Ich habe ein Angebot von Bosch", "ich habe es angenommen"),
    ("Tengo una oferta de Seat", "la he rechazado"),
    ("J'ai une offre de Renault", "je l'ai acceptée"),
    ("Ho un'offerta da Fiat", "l'ho accettata"),
    ("Ik heb een aanbod van Philips", "ik heb het aangenomen"),
    ("Tenho uma proposta da Galp", "aceitei"),
    ("Mam ofertę z Orlenu", "przyjąłem"),
]
OTHERS = [
    ("age", "bin 45, zwei Kinder", "seit Samstag 46 ;-)"),
    ("age", "I'm fifty nine and counting the days", "Sixty now!"),
    ("age", "tengo 62 años", "ya 63"),
    ("dislike", "olives are disgusting imo", "i like them now, had really good ones in greece"),
    ("dislike", "can't stand cats tbh", "ok theyve grown on me"),
    ("dislike", "odio el fútbol, me aburre", "pues ahora me encanta"),
    ("dislike", "je déteste le fromage", "maintenant j'adore ça"),
    ("play", "I play Fortnite like 4 hours a day", "deleted it, dont play anymore"),
    ("play", "Ich spiele Schach im Verein", "ich spiele nicht mehr"),
    ("medicine", "prendo una pastiglia da 10 mg per la pressione", "adesso solo 5 mg, me l'ha abbassata il medico"),
    ("medicine", "我每天吃两片降压药", "医生说改成每天一片了"),
    ("age", "I'm a 68 year old retired nurse from Leeds", "Correction, 69."),
    ("age", "ho 33 anni", "ne ho 34 da ieri"),
    ("age", "ik ben 40", "ik ben gisteren 41 geworden"),
    ("home", "I rent a studio in Hove", "bought a flat in Shoreham"),
    ("home", "j'habite à Nantes", "je suis parti vivre à Angers"),
    ("home", "moro em Santos com minha mãe", "fui morar em Recife"),
    ("home", "mieszkam w Gdańsku", "przeprowadziłam się do Sopotu"),
    ("job", "I'm a junior dev at a bank", "made senior dev this week"),
    ("job", "trabajo de dependienta en Zara", "me han hecho encargada de tienda"),
    ("job", "Faccio il postino a Bari", "sono in pensione da marzo"),
    ("job", "Ik werk als kapster in Breda", "ik heb een andere baan, ik zit nu bij de bakker"),
    ("job", "pracuję w Biedronce", "zmieniłam pracę, jestem w Lidlu"),
    ("salary", "guadagno 1400 al mese", "mi hanno aumentato lo stipendio a 1600"),
    ("phone", "my phone's a galaxy s20", "got an iphone 15 now"),
    ("phone", "ho il Samsung", "ho preso l'iPhone"),
    ("favourite", "Titanic is my favourite film", "Oppenheimer has taken the top spot"),
    ("drink", "I have a beer most nights after work", "I've stopped drinking, doctor told me off"),
    ("diet", "jem mięso codziennie", "przeszłam na wegetarianizm"),
]
NO_CHANGES = [
    "the doctor changed the appointment to Friday",
    "my wife's doctor switched her to apixaban",
    "the doctor put me on ramipril for blood pressure",
    "the doctor also put me on bisoprolol",
    "my boss switched me to the night shift",
    "the vet switched Rex to tramadol",
    "the doctor moved me to Friday",
    "I took the train to Bath",
    "I took my son to school",
    "did the doctor switch me to apixaban?",
    "now 46 euros a month",
    "ahora me encanta el queso",
    "I don't play golf any more",
    "On a pris la fibre chez Orange",
    "elle part à la retraite vendredi",
    "I retired in 2011",
    "they made me a cake",
    "i have an iphone 11 and the battery is dying",
    "got an iphone for my mum",
    "le sucre a augmenté",
    "my brother moved to Leeds",
    "I stopped drinking coffee",
]
NO_MEDICINES = [
    "I take the bus to work",
    "I take milk in my tea",
    "I'm on holiday",
    "My mum takes warfarin",
    "I'm vegan",
]


@pytest.mark.parametrize(("old", "new"), MEDICINES)
def test_a_doctor_replaces_the_medicine(old: str, new: str) -> None:
    assert (changed_kind(new), count_things("medicine", old)) == ("medicine", 1)


@pytest.mark.parametrize(("old", "new"), OFFERS)
def test_an_offer_is_accepted_or_refused(old: str, new: str) -> None:
    assert (changed_kind(new), count_things("offer", old)) == ("offer", 1)


@pytest.mark.parametrize(("kind", "old", "new"), OTHERS)
def test_what_a_user_has_one_of_changes(kind: str, old: str, new: str) -> None:
    assert (changed_kind(new), count_things(kind, old)) == (kind, 1)


@pytest.mark.parametrize("text", NO_CHANGES)
def test_other_statements_change_no_such_thing(text: str) -> None:
    assert not changed_kind(text)


@pytest.mark.parametrize("text", NO_MEDICINES)
def test_what_else_is_taken_is_no_medicine(text: str) -> None:
    assert not count_things("medicine", text)


def test_several_medicines_are_counted() -> None:
    assert count_things("medicine", "I take warfarin and lisinopril") == SEVERAL
