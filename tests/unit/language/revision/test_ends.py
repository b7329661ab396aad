"""What has ended, in indirect words: treatments, plans, relationships, jobs, habits and allergies."""

import pytest

from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-05T10:00:00+00:00"

ENDED = {
    "treatments": [
        ("Takes ibuprofen every day for my knee", "My doctor told me to stop ibuprofen."),
        ("Takes ramipril every morning", "The GP advised me to stop taking ramipril"),
        ("Ich nehme täglich Ibuprofen.", "Mein Arzt hat gesagt, ich soll Ibuprofen absetzen."),
        ("Tomo ibuprofeno todos los días.", "El médico me ha dicho que deje el ibuprofeno."),
        ("Je prends du Doliprane tous les jours.", "Le médecin m'a dit d'arrêter le Doliprane."),
    ],
    "plans": [
        ("We're going to Rome in May.", "The Rome trip is off."),
        ("We've booked a week in Crete in August", "Our holiday in Crete has been cancelled."),
        ("Im Mai fliegen wir nach Rom.", "Die Reise nach Rom ist abgesagt."),
        ("En mayo vamos a Roma.", "El viaje a Roma se ha cancelado."),
        ("We're flying to Lisbon on 3 May", "we're not going to Lisbon after all"),
        ("Our wedding is on 12 June", "The wedding is off."),
        ("My driving test is on 12 December.", "They brought my driving test forward to 3 December."),
    ],
    "relationships": [
        ("Girlfriend is called Lea", "Lea dumped me."),
        ("Girlfriend is called Lea", "Lea left me last week"),
        ("My boyfriend Tom works at Aldi", "Tom and I broke up."),
        ("Meine Freundin heißt Lea.", "Lea hat mich verlassen."),
        ("Mi novia se llama Lea.", "Lea me ha dejado."),
        ("Ma copine s'appelle Léa.", "Léa m'a quitté."),
        ("Is engaged to Paul", "Paul called off the engagement"),
    ],
    "jobs": [
        ("Works as a chef at the Ritz", "I got fired."),
        ("Works at Siemens as an engineer", "they let me go on monday"),
        ("Ich arbeite bei Bosch.", "Ich wurde entlassen."),
        ("Trabajo en Mercadona.", "Me han despedido."),
        ("Je travaille chez Orange.", "J'ai été licenciée."),
        ("Works at Greggs", "my contract wasn't renewed"),
    ],
    "habits": [
        ("Smokes ten cigarettes a day", "I haven't smoked since Monday, I quit."),
        ("I smoke a pack a day", "gave up the fags in september"),
    ],
    "allergies": [
        ("Son Ben is allergic to eggs", "Ben has outgrown his egg allergy."),
        ("Is allergic to cats", "I've outgrown my cat allergy"),
        ("My daughter Ida is allergic to milk", "Ida is no longer allergic to milk."),
    ],
    "values": [
        ("Phone number is 0171 2345678", "I have a new number: 0160 9988776."),
        ("My email is jo@example.org", "got a new email, it's jo@example.com"),
        ("Lives at 4 Church Road", "We moved into the new house last week, it's 9 Mill Lane."),
        ("Mi hija Dani tiene cuatro años.", "Dani ya cumplió cinco."),
        ("My son Leo is 6", "Leo's just turned seven"),
    ],
}
COMPATIBLE = [
    ("Smokes ten cigarettes a day", "My doctor told me to stop smoking."),
    ("Takes metformin", "My doctor told me to stop ibuprofen."),
    ("Mum takes ibuprofen", "My doctor told me to stop ibuprofen."),
    ("Was born in Rome", "The Rome trip is off."),
    ("Sister lives in Rome", "The Rome trip is off."),
    ("Drinks oat milk in coffee", "The milk is off."),
    ("We're going to Paris in May.", "The Rome trip is off."),
    ("Sister's wedding is on 12 June", "My wedding is off."),
    ("Girlfriend is called Lea", "Lea left me a note."),
    ("Girlfriend is called Lea", "Tom dumped my sister."),
    ("Wife is called Ana", "Mum left me her house."),
    ("Works at Siemens as an engineer", "My brother got fired."),
    ("Works at Siemens as an engineer", "The company let me go home early"),
    ("Works at Greggs", "my phone contract ended"),
    ("Smokes ten cigarettes a day", "I haven't smoked since this morning."),
    ("Son Ben is allergic to nuts", "Ben has outgrown his egg allergy."),
    ("Daughter Ida is allergic to eggs", "Ben has outgrown his egg allergy."),
    ("Is allergic to eggs", "Ben has outgrown his egg allergy."),
    ("Mum's number is 0171 2345678", "I have a new number: 0160 9988776."),
    ("Lives in Bristol", "We moved into the new house last week, it's 9 Mill Lane."),
    ("My daughter Mia is 4", "Leo's just turned seven"),
    ("My son Leo has 4 guinea pigs", "Leo's just turned seven"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), [pair for pairs in ENDED.values() for pair in pairs])
def test_what_has_ended_is_outdated(old: str, new: str) -> None:
    assert contradicts(new, old, stated_at=STATED_AT)


@pytest.mark.parametrize(("old", "new"), COMPATIBLE)
def test_something_else_is_not_outdated(old: str, new: str) -> None:
    assert not contradicts(new, old, stated_at=STATED_AT)
