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
    "switches": [
        ("Injects Kesimpta every month", "My neurologist switched me from Kesimpta to Ocrevus infusions."),
        ("nehme 75 Mikrogramm L-Thyroxin", "der Arzt hat mein L-Thyroxin auf 100 erhöht"),
        ("Works at aldi", "quit aldi lol"),
        ("ik leer Zweeds", "gestopt met Zweeds, ik leer nu Noors"),
        ("Ik woon in Utrecht", "Ik woon niet meer in Utrecht, we zitten nu in Zwolle."),
        ("i live with my parents in Breda", "finally moved out of my parents' place, got a studio in Delft"),
        ("I live at 14 Elm Road.", "New address from today: 9 Station Lane."),
        ("Flatmates are Priya and Dan", "Priya moved out."),
    ],
    "homes": [
        ("My brother Kevin is in Toronto.", "Kevin's moved to Galway."),
        ("unsere Tochter Silke wohnt in Oslo", "Silke ist nach Bergen gezogen."),
        ("Mi hermano Andrés vive en Chile.", "Andrés ha vuelto de Chile y vive en Madrid."),
        ("Our sister Eva lives in Rome", "Eva lives in Turin now."),
    ],
    "diets": [
        ("Ich bin Vegetarierin.", "Seit ein paar Wochen esse ich doch wieder Fleisch."),
        ("Ik ben vegetariër", "Ik eet sinds kort weer vlees."),
        ("Sou vegetariana", "Voltei a comer carne."),
    ],
    "numbers": [
        ("Our wedding is on 12 June in Bath.", "We had to push the wedding back to 4 September."),
        ("ich nehme jeden morgen 50 mg l-thyroxin", "die dosis wurde erhöht, ich nehme jetzt 75 mg l-thyroxin"),
        ("My salary is 40k", "I got a raise to 44k!"),
        ("I earn 54k before tax", "my salary went up to 58k"),
        ("I weigh 92 kg", "Stepped on the scale this morning: 87 kg!"),
        ("Our wedding's booked for 12 September", "venue flooded so the wedding's moved to 3 October"),
        ("Our wedding is on 12 June in Bath.", "We've pushed the wedding back to 4 September."),
        ("Ich singe montags im Chor.", "Der Chor ist jetzt immer dienstags."),
    ],
    "deaths": [
        ("Our cat Luna is 15 and diabetic.", "Luna didn't make it."),
        ("wir haben nen hamster namens krümel", "krümel lebt leider nicht mehr"),
        ("Our dog is called Rex", "We had to say goodbye to Rex today."),
    ],
    "names": [
        ("My friends call me Lizzie.", "I'd rather be Beth if it's all the same to you."),
        ("me llamo Paco", "prefiero que me llames Francisco"),
        ("moi c'est Titi", "appelle-moi plutôt Thierry"),
        ("name's Dave, scaffolder from Hull", "sick of Dave tbh, its David from here on"),
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
        ("mon copain Hugo travaille à Lyon", "Hugo et moi, on n'est plus ensemble."),
        ("Is engaged to Paul", "Paul called off the engagement"),
        ("My fiancée Amy and I are saving for a house.", "Amy called off the engagement."),
        ("Sadly I'm a widow, my Frank passed in 2016", "I have remarried, his name is Dennis"),
        ("divorced two years, not looking", "I've got a boyfriend now, Stuart"),
        ("I'm 12 weeks pregnant, due in June!", "We lost the baby."),
    ],
    "jobs": [
        ("Works as a chef at the Ritz", "I got fired."),
        ("Works at Siemens as an engineer", "they let me go on monday"),
        ("Ich arbeite bei Bosch.", "Ich wurde entlassen."),
        ("Trabajo en Mercadona.", "Me han despedido."),
        ("Je travaille chez Orange.", "J'ai été licenciée."),
        ("Works at Greggs", "my contract wasn't renewed"),
        ("Lavoro come cuoco", "Non faccio più il cuoco, adesso sono pasticciere."),
        ("Ik heb een abonnement op de Volkskrant.", "Ik heb de Volkskrant opgezegd en lees nu NRC."),
    ],
    "habits": [
        ("Smokes ten cigarettes a day", "I haven't smoked since Monday, I quit."),
        ("I smoke a pack a day", "gave up the fags in september"),
        ("Is a smoker, about a pack a day", "It's been three weeks without a single cigarette!"),
        ("Has been sober for 4 years", "I relapsed on Friday."),
    ],
    "allergies": [
        ("Son Ben is allergic to eggs", "Ben has outgrown his egg allergy."),
        ("Is allergic to cats", "I've outgrown my cat allergy"),
        ("My daughter Ida is allergic to milk", "Ida is no longer allergic to milk."),
        ("my little one Ella is allergic to eggs", "Good news, Ella's egg allergy is gone"),
    ],
    "values": [
        ("Phone number is 0171 2345678", "I have a new number: 0160 9988776."),
        ("My email is jo@example.org", "got a new email, it's jo@example.com"),
        ("Lives at 4 Church Road", "We moved into the new house last week, it's 9 Mill Lane."),
        ("Mi hija Dani tiene cuatro años.", "Dani ya cumplió cinco."),
        ("My son Leo is 6", "Leo's just turned seven"),
        ("j'ai une fille, Chloé, qui a 8 ans", "Chloé vient d'avoir 9 ans !"),
    ],
}
COMPATIBLE = [
    ("Kevin is in Year 9", "Kevin's moved to Galway."),
    ("I live in Oslo", "Silke ist nach Bergen gezogen."),
    ("My sister Eva lives in Rome", "Kevin's moved to Galway."),
    ("My parents live in Cork", "Kevin's moved to Galway."),
    ("Kevin works in Cork", "Kevin's moved to Galway."),
    ("Takes Kesimpta", "Dr Lee switched from Leeds to York."),
    ("I earn 54k before tax", "my brother's salary went up to 58k"),
    ("Wife weighs 62 kg", "I weigh 87 kg now"),
    ("I sing in the choir on Mondays", "Der Chor ist laut."),
    ("Susan visits on Sundays", "Susan has swimming on Wednesdays now."),
    ("I have chess on Mondays", "My tennis is on Saturdays now."),
    ("Our son's birthday party is on 12 June", "The wedding has moved to 4 September."),
    ("Our cat Luna is 15", "Luna didn't eat it."),
    ("Friends call me Lizzie", "I'd rather be at home."),
    ("Has a boyfriend, Stuart", "My sister lost the baby."),
    ("I'm 12 weeks pregnant", "My sister lost the baby."),
    ("Sister is divorced", "I've got a boyfriend now, Stuart"),
    ("My parents live in Breda", "finally moved out of my parents' place"),
    ("Dan is my brother", "Dan moved out."),
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


def test_a_new_number_of_the_user_is_not_that_of_another_person() -> None:
    plumber = "need to ring the plumber, his number is 01632 960111"
    assert not contradicts("got a new number, it's 07700 900456", plumber, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Band is called The Static", "Kyle left the band, we got a new drummer named Nina"),
        ("band practice is now on wednesdays", "Kyle left the band"),
        ("I'm in a chess club", "Sam dropped out of the chess club"),
        ("Works at Dell", "Greg left Dell"),
        ("Unsere Band heißt Nordlicht.", "Kai hat leider die Band verlassen."),
    ],
)
def test_one_who_leaves_ends_nothing_of_the_others(old: str, new: str) -> None:
    assert not contradicts(new, old, stated_at=STATED_AT)
