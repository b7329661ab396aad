"""A correction that gives nothing but another value replaces the one in its statement."""

import pytest

from agent.language.references.corrected_values import is_own_text, states_correction, with_corrected_value

CORRECTED = [
    ("my dentist appointment is Tuesday at 3", "sorry, I meant Thursday", "my dentist appointment is Thursday at 3"),
    ("my dentist appointment is on Tuesday", "no wait, Thursday", "my dentist appointment is on Thursday"),
    ("Rent is 900 a month", "it's 950 actually", "Rent is 950 a month"),
    (
        "my flight leaves at 6:40 on Friday (4 December 2026)",
        "flight got moved to 9:15",
        "my flight leaves at 9:15 on Friday (4 December 2026)",
    ),
    ("my flight leaves at 6:40 on Friday (4 December 2026)", "no, on Saturday", "my flight leaves at 6:40 on Saturday"),
    ("my sister is called Anna", "sorry, Hannah not Anna", "my sister is called Hannah"),
    ("shift starts 0600 dock 4", "0530", "shift starts 0530 dock 4"),
    ("Our anniversary is October 12th", "no, the 21st", "Our anniversary is October 21st"),
    ("we're flying to Lisbon in May", "sorry, Porto", "we're flying to Porto in May"),
    ("we're flying to Lisbon in May", "oops, June", "we're flying to Lisbon in June"),
    ("the party is on Friday at 8pm", "make that Saturday at 9", "the party is on Saturday at 9pm"),
    (
        "mein Zahnarzttermin ist am Dienstag um 15 Uhr",
        "quatsch, Mittwoch",
        "mein Zahnarzttermin ist am Mittwoch um 15 Uhr",
    ),
    (
        "Ich habe morgen um 10 Uhr einen Termin beim Amt",
        "nein, um 11",
        "Ich habe morgen um 11 Uhr einen Termin beim Amt",
    ),
    ("el dentista es el martes a las 5", "perdón, el jueves", "el dentista es el jueves a las 5"),
    ("el dentista es el martes a las 5", "digo, a las 6", "el dentista es el martes a las 6"),
    ("J'ai rendez-vous chez le kiné mardi à 14h", "pardon, mercredi", "J'ai rendez-vous chez le kiné mercredi à 14h"),
    ("la riunione è lunedì alle 10", "anzi martedì alle 11", "la riunione è martedì alle 11"),
    ("a consulta é na terça às 15h", "aliás, quinta", "a consulta é na quinta às 15h"),
    ("mam wizytę we wtorek o 15", "jednak w czwartek", "mam wizytę w czwartek o 15"),
    ("ik heb dinsdag om 9 uur een afspraak", "sorry, woensdag", "ik heb woensdag om 9 uur een afspraak"),
    ("I have 3 cats", "sorry, 4", "I have 4 cats"),
    ("I'm 29", "oops 30", "I'm 30"),
    ("my locker is 114", "141, sorry", "my locker is 141"),
    ("gig starts at 8", "the gig's pushed back to 9", "gig starts at 9"),
    ("my train is at 7:05 from platform 3", "actually 7:15", "my train is at 7:15 from platform 3"),
    ("mum's birthday is 12 May", "no the 14th", "mum's birthday is 14th May"),
    ("mum's birthday is 12 May", "no, June", "mum's birthday is 12 June"),
    ("the meeting is tomorrow at 10", "no, Thursday", "the meeting is Thursday at 10"),
    ("I take 20mg of citalopram", "sorry, 40mg", "I take 40mg of citalopram"),
    ("I weigh 80kg", "82kg actually", "I weigh 82kg"),
    ("my pin locker code is A12", "sorry A21", "my pin locker code is A21"),
    ("I met Tom in Leeds", "sorry, in York", "I met Tom in York"),
    ("the cabin wifi is PineHollow5G", "sorry, PineHollow2G", "the cabin wifi is PineHollow2G"),
    ("cinema on Friday with Lena", "sorry, Sunday with Lena", "cinema on Sunday with Lena"),
    ("swim class on mondays", "sorry, tuesdays", "swim class on tuesdays"),
    ("I live at 12 Oak Street", "14, sorry", "I live at 14 Oak Street"),
    ("my daughter is six", "she's seven actually", "my daughter is seven"),
    ("lunch is at noon", "make it 1", "lunch is at 1"),
    ("call me at 07700 900123", "sorry 07700 900321", "call me at 07700 900321"),
    ("the wedding is in June", "it's in July", "the wedding is in July"),
    ("party on 12/05", "no, 13/05", "party on 13/05"),
    ("Sarah is coming on Friday", "sorry, Sara", "Sara is coming on Friday"),
    ("the deposit was £480 for 3 nights", "sorry £450", "the deposit was £450 for 3 nights"),
    ("Wizyta jest we wtorek", "przepraszam, w środę", "Wizyta jest w środę"),
    ("mein Sohn ist 7", "nein, 8", "mein Sohn ist 8"),
    ("j'ai 2 chats", "pardon, trois", "j'ai trois chats"),
    ("party at 8pm", "make it 9", "party at 9pm"),
    ("a consulta é na terça às 15h", "aliás, no sábado", "a consulta é no sábado às 15h"),
    ("i'm on 15mg mirtazapine at night", "oops 30mg", "i'm on 30mg mirtazapine at night"),
    (
        "Our boiler service is booked for the 14th of January between 8 and 12",
        "sorry, the 15th",
        "Our boiler service is booked for the 15th of January between 8 and 12",
    ),
    (
        "the twins' recital starts 18:30 in the school hall",
        "correction: 19:00",
        "the twins' recital starts 19:00 in the school hall",
    ),
    ("rent day is the 1st", "no, the 3rd", "rent day is the 3rd"),
    ("I owe Marcus 40 quid", "45 actually", "I owe Marcus 45 quid"),
    ("my bench press max is 85kg", "typo, 95kg", "my bench press max is 95kg"),
    ("il dentista è giovedì alle 16:30", "scusa, venerdì", "il dentista è venerdì alle 16:30"),
    ("ho due gatti", "anzi tre", "ho tre gatti"),
    ("mia nonna compie 88 anni a marzo", "89, mi sbaglio", "mia nonna compie 89 anni a marzo"),
    ("el examen de inglés es el 12 de junio", "perdón, el 13", "el examen de inglés es el 13 de junio"),
    ("mi hija mide 1,20", "1,25 en realidad", "mi hija mide 1,25"),
    (
        "quedamos el viernes a las 21:00 en casa de Lucía",
        "mejor dicho el sábado",
        "quedamos el sábado a las 21:00 en casa de Lucía",
    ),
    ("mon train part à 7h42", "pardon, 7h24", "mon train part à 7h24"),
    ("le bébé est attendu pour mars", "non, avril", "le bébé est attendu pour avril"),
    ("meine Blutgruppe Termin ist am 3. März", "sorry, am 4.", "meine Blutgruppe Termin ist am 4. März"),
    ("wir sind 12 Leute beim Essen", "quatsch, 14", "wir sind 14 Leute beim Essen"),
    ("der Elternabend ist am Montag um 19 Uhr", "doch erst um 19:30", "der Elternabend ist am Montag um 19:30 Uhr"),
    ("wizyta u ortodonty jest 5 maja o 16:00", "pomyłka, 6 maja", "wizyta u ortodonty jest 6 maja o 16:00"),
    ("mój brat ma 34 lata", "jednak 35", "mój brat ma 35 lata"),
    ("a reunião com o Paulo é na quarta às 10h", "desculpa, às 11h", "a reunião com o Paulo é na quarta às 11h"),
    ("pago 700 de renda", "aliás, 750", "pago 750 de renda"),
    ("de tandarts is maandag om 10:30", "foutje, dinsdag", "de tandarts is dinsdag om 10:30"),
    ("ik weeg 72 kilo", "sorry 74", "ik weeg 74 kilo"),
    ("we booked the Lisbon flights for 3 April", "wait no 5 April", "we booked the Lisbon flights for 5 April"),
    ("the plumber comes tomorrow between 9 and 11", "no wait, Thursday", "the plumber comes Thursday between 9 and 11"),
    ("grandpa's room number is 214", "sorry 241", "grandpa's room number is 241"),
    ("meeting Priya at Café Nero at 4", "make it 4:30", "meeting Priya at Café Nero at 4:30"),
    ("my new manager is called Hanna", "Hannah, sorry", "my new manager is called Hannah"),
    ("we are going to Crete in September", "sorry, to Malta", "we are going to Malta in September"),
    ("My cello lesson moved to Wednesdays", "I mean Tuesdays", "My cello lesson moved to Tuesdays"),
    ("train at 7:05 and back at 18:10", "sorry, 7:15", "train at 7:15 and back at 18:10"),
    ("the gym is 45 a month", "they raised it to 52", "the gym is 52 a month"),
    ("our landlord is called Mr Hill", "sorry, Mr Hall", "our landlord is called Mr Hall"),
    ("my car is a 2012 golf", "2014 actually", "my car is a 2014 golf"),
    ("the code for the gate is 4471", "sorry 4417", "the code for the gate is 4417"),
    ("my shoe size is 42", "43, oops", "my shoe size is 43"),
    ("Ich wohne im 3. Stock", "nein, im 4.", "Ich wohne im 4. Stock"),
    ("Mia's exam is Thursday morning", "no wait, Friday morning", "Mia's exam is Friday morning"),
    ("we meet at the station at 5", "5:30, sorry", "we meet at the station at 5:30"),
    (
        "I've got physio on Wednesday at 2 with Karen",
        "it's with Sharon, sorry",
        "I've got physio on Wednesday at 2 with Sharon",
    ),
    ("I'm off to Japan for 2 weeks in April", "3 weeks actually", "I'm off to Japan for 3 weeks in April"),
    ("je vois le dentiste jeudi prochain", "pardon, vendredi", "je vois le dentiste vendredi prochain"),
    ("tengo cita con el médico mañana a las 9", "no, pasado mañana", "tengo cita con el médico pasado mañana a las 9"),
    ("The MOT runs out on the 3rd of Feb", "13th, sorry", "The MOT runs out on the 13th of Feb"),
    (
        "Zoe's party is at ours on Sunday from 2 to 5",
        "sorry, Saturday",
        "Zoe's party is at ours on Saturday from 2 to 5",
    ),
    ("the hotel is 120 a night", "102, typo", "the hotel is 102 a night"),
    ("My flight is BA117 on Friday", "sorry, BA171", "My flight is BA171 on Friday"),
    ("I work Mondays, Tuesdays and Fridays", "sorry, not Fridays, Thursdays", "I work Mondays, Tuesdays and Thursdays"),
    ("rehearsal is at 19h in room 4", "room 6, sorry", "rehearsal is at 19h in room 6"),
    (
        "dad's surgery is on the 9th at St Mary's",
        "the 9th of December",
        "dad's surgery is on the 9th of December at St Mary's",
    ),
    ("my sister is expecting twins in May", "June!", "my sister is expecting twins in June"),
    ("my rent is 900 a month", "rent went up to 950", "my rent is 950 a month"),
    ("meine Miete beträgt 800 Euro", "die Miete wurde auf 850 erhöht", "meine Miete beträgt 850 Euro"),
    ("el alquiler es de 700", "ha subido a 750", "el alquiler es de 750"),
    ("le loyer est de 650 euros", "il a augmenté à 700", "le loyer est de 700 euros"),
    ("I weigh 80kg", "went down to 76kg", "I weigh 76kg"),
    ("My dad turned 70 last week", "71! oh no. nobody tell him", "My dad turned 71 last week; nobody tell him"),
    (
        "I take 50 mg of sertraline every morning",
        "75 actually, they bumped it in spring",
        "I take 75 mg of sertraline every morning; they bumped it in spring",
    ),
    (
        "I start at Brightwell on the 4th of September",
        "Make that the 11th, HR moved the induction.",
        "I start at Brightwell on the 11th of September; HR moved the induction.",
    ),
    ("my roommate's name is Marik", "Marek*", "my roommate's name is Marek"),
    ("el alquiler son 600 al mes", "no, 650, que me lo subieron", "el alquiler son 650 al mes; que me lo subieron"),
    ("rdv chez l'ophtalmo le 5 mars", "le rdv ophtalmo est décalé au 19 mars", "rdv chez l'ophtalmo le 19 mars"),
]

KEPT = [
    ("the budget for the kitchen is $18,000", "Make that 22"),
    ("my twins are 18 months", "the twins are two now!"),
    ("I've supported Everton since I was a lad", "Scratch that, I only said it to wind you up. It's Liverpool"),
    ("my dentist appointment is on Tuesday", "Thursday, sorry. or was it Friday?"),
    ("my rent is 900", "no, 950, and 30 for the bins"),
    ("mon film préféré c'est Amélie Poulain", "mon film préféré a changé, c'est Intouchables"),
    ("my rent is 900 a month", "rent went up by 50"),
    ("meine Miete beträgt 800 Euro", "die Miete wurde um 50 Euro erhöht"),
    ("le loyer est de 650 euros", "il a augmenté de 50"),
    ("el alquiler es de 700", "ha subido 50"),
    ("the gym is 45 a month", "they put it up another 7"),
    ("we have 2 kids and 3 dogs", "sorry, 4"),
    ("my dentist is on Tuesday and the vet on Friday", "sorry, Thursday"),
    ("my dentist is on Tuesday", "not Tuesday"),
    ("my dentist is on Tuesday", "no, it's not on Thursday"),
    ("my dentist is on Tuesday", "no, the barber is on Thursday"),
    ("my dentist is on Tuesday", "i quit going there"),
    ("I met Tom in Leeds", "sorry, York"),
    ("swim class on mondays and fridays", "sorry, tuesdays"),
    ("the meeting is on Monday", "it's not on Tuesday"),
    ("my dentist appointment is Tuesday at 3", "and the vet is on Thursday"),
    ("I have 3 cats", "my sister has 4"),
    ("the party is on Friday", "I'm working on Saturday"),
    ("rent is 900 a month", "I was paying 850 before"),
    ("I'm 29", "my wife is 31"),
    ("we fly on Monday", "we come back on Friday"),
    ("my flight leaves Friday at 6", "check-in closes at 5"),
    ("I run 5k on Mondays", "and 10k on Sundays"),
    ("Emma's party is on Saturday", "sorry, can't make it on Saturday"),
    ("my exam is on 12 May", "should I start studying in April?"),
    ("my rent is 900", "it was 800 last year"),
    ("I take 20mg citalopram and 10mg cetirizine", "sorry, 40mg"),
    ("the kids are 5 and 7", "sorry, 6 and 8"),
    ("I live in Leeds", "not for long, moving in June"),
    ("my locker is 114", "3rd floor"),
    ("the gig is on Friday at 8", "doors open at 7"),
    ("I paid 300 for the bike", "sold it for 250"),
    ("my appointment is on Tuesday", "I won't be there on Tuesday"),
    ("the meeting is at 3", "2 people can't come"),
]


@pytest.mark.parametrize(("statement", "correction", "corrected"), CORRECTED)
def test_the_value_takes_the_place_of_the_one_that_it_corrects(statement: str, correction: str, corrected: str) -> None:
    assert with_corrected_value(f"{statement} → {correction}") == corrected


@pytest.mark.parametrize(("statement", "correction"), KEPT)
def test_a_message_that_says_more_or_has_no_counterpart_stays_beside_the_statement(
    statement: str, correction: str
) -> None:
    text = f"{statement} → {correction}"
    assert with_corrected_value(text) == text


def test_corrections_apply_in_turn() -> None:
    text = "Lena's wedding is on 12 June in Bath; oh sorry, the 19th → it's in Wells, not Bath"
    assert with_corrected_value(text) == "Lena's wedding is on 19th June in Wells"


def test_a_likely_change_gives_its_statement_another_value() -> None:
    text = "we have the vet on Thursday at 4 for Biscuit … Biscuit's vet is at 5 now"
    assert with_corrected_value(text) == "we have the vet on Thursday at 5 for Biscuit"


def test_a_text_that_may_only_add_to_a_statement_stays_beside_it() -> None:
    text = "my flight is on Friday … on Saturday"
    assert with_corrected_value(text) == text


@pytest.mark.parametrize(
    ("text", "is_own"),
    [
        ("rent is 950 a month", True),
        ("rent is 900 a month", True),
        ("rent is 980 a month", False),
        ("rent is 950 a month (28 November 2026)", True),
    ],
)
def test_a_corrected_statement_is_in_the_users_own_words(text: str, *, is_own: bool) -> None:
    assert is_own_text(text, ["rent is 900 a month → no, 950"]) == is_own


@pytest.mark.parametrize(
    ("statement", "change", "is_stated"),
    [
        ("Choir practice with Sue is on Wednesdays at 7 in the chapel", "choir practice is on Wednesdays now", True),
        ("El ensayo del coro es los miércoles a las 7", "el ensayo del coro ahora es los miércoles", True),
        ("Choir practice is on Tuesdays at 7", "choir practice is on Wednesdays now", False),
        ("Choir practice is on Wednesdays at 7", "choir practice is on Wednesdays now, Bob conducts", False),
        ("Choir practice is on Wednesdays at 7", "choir practice isn't on Wednesdays now", False),
    ],
)
def test_a_statement_with_the_value_of_a_change_states_the_change(
    statement: str, change: str, *, is_stated: bool
) -> None:
    assert states_correction(statement, change) == is_stated
