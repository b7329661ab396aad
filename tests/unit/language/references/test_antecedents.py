"""Messages that are not understood without an earlier one: what they correct or continue, and what they do not."""

import pytest

from agent.language.references.antecedents import (
    Antecedent,
    find_antecedent,
    is_elliptical_correction,
    without_antecedent,
)

CORRECTIONS = [
    ("my dentist appointment is Tuesday at 3", "sorry, I meant Thursday"),
    ("The team meets at 9:15 in room 4.", "wait no, 9:45"),
    ("shift starts 0600 dock 4", "0530"),
    ("My dad turned 70 last week.", "71! oh no, nobody tell him"),
    ("Our anniversary is October 12th.", "oh god it's the 21st"),
    ("My niece is called Katherine.", "*Kathryn"),
    ("We keep bees, Buckfast mostly.", "Carniolan, rather."),
    ("Rent is 850 a month.", "make that 925"),
    ("The meeting with the lawyer is on May 3.", "I mean May 4"),
    ("lily's dentist appointment is wednesday at three", "sorry thursday not wednesday for the dentist"),
    ("we're flying to denver december 22, back on the 28th", "change of plans we're leaving on the 21st"),
    ("thursday mom picks the kids up", "no, the nanny picks the kids up on thursday now"),
    ("Der Elternabend ist am Mittwoch um 19 Uhr.", "sorry, meinte Donnerstag"),
    ("La boda de mi prima es el 17 de mayo.", "uy perdón, el 24"),
    ("J'ai rendez-vous samedi à 14h.", "ah non, vendredi"),
    ("我今年35岁", "说错了,是36"),
    ("My favourite colour is green.", "nope, burgundy"),
    ("The best food is ramen.", "nah its tacos now"),
    ("My insulin is 14 units at night.", "not 14 but 18, they put it up"),
    ("My rent is 1,340 a month.", "1,430* fat fingers"),
    ("I support Torino.", "ok I lied, Juventus"),
    ("I weigh 82 kilos.", "84 if the new scale is right"),
    ("Our cleaner Marta comes on Wednesdays.", "her agency moved her to Fridays"),
    ("We picked oak for the worktop.", "overruled by the wife. granite"),
    ("My thesis defense is in Hadley Hall.", "The office swapped us into the Quimby Auditorium"),
    ("My new manager is called Petra.", "Petra's been poached already, so it's Lars"),
    ("I'm allergic to penicillin.", "my mum says it's amoxicillin"),
    ("Wir heiraten am 5. Juni in Erfurt.", "Standesamt hat uns auf den 12. geschoben"),
    ("Je pars à Séville en avril.", "ma copine préfère Grenade"),
    ("El examen es el 3 de febrero.", "lo han pasado al 10"),
    ("Domani andiamo a Ortisei.", "tutto pieno, ripieghiamo su Canazei"),
    ("Moi, c'est Kevin.", "en fait c'est Kelvin, avec un l"),
    ("My bus is the 42.", "the 42 was axed, so the 17"),
    ("My desk is on floor 3.", "floor 4 since the reorg"),
    ("I support Hearts.", "my dad would kill me, I meant Hibs"),
    ("I have adopted a greyhound called Duke.", "renamed him Dougal, suits him better"),
    ("Mein Auto ist ein Polo.", "war ein Polo, hab ihn gestern verkauft"),
    ("The exam is on 14 March.", "The center wrote me an email that they postpone it to 4 April."),
    ("Mi vuelo sale el jueves a las 7:45", "me acaban de avisar, se pasó al viernes, misma hora"),
    ("We invited 100 guests.", "the venue says 80 max"),
    ("My desk is 212.", "just got reassigned, 304"),
    ("I'm off for 2 weeks.", "boss says 10 days max"),
    ("I take 20mg of lisinopril.", "Doctor's office just messaged: down to 10mg from today."),
    ("my dorm is Hawthorne Hall room 214", "they changed my dorm, im in Baxter Hall 305 now"),
]
CONTINUATIONS = [
    ("party's on Friday", "at 8"),
    ("party's on Friday", "at Jo's place"),
    ("I have a dog", "called Rex"),
    ("I have an interview on Friday", "from 2 to 4"),
    ("I'm off to Rome on Friday", "for two weeks"),
    ("mein Termin ist am Freitag", "um 8"),
    ("tengo cita el viernes", "a las 8"),
    ("mon rdv est vendredi", "à 8h"),
    ("My mother-in-law is staying with us until Easter.", "She snores."),
    ("I host a show on community radio.", "Mostly ska."),
    ("I don't drink alcohol.", "Because my dad drank."),
]
UNRELATED = [
    ("I like jazz", "for the record, I hate techno"),
    ("il treno parte alle 8", "alle 9 ho yoga"),
    ("party's on Friday", "at work I use Linux"),
    ("I have a dog", "in my opinion"),
    ("I live in Leeds.", "My sister Nora lives in Ghent."),
    ("I live in Leeds.", "I work at a bakery near the station."),
    ("I get migraines from red wine.", "yes, and from blue cheese"),
    ("I have two cats.", "What do they eat?"),
    ("I live in Leeds.", "thanks!"),
    ("I live in Leeds.", "Thanks, Deb! Appreciate your support. It's great that you do this."),
    ("I live in Leeds.", "That's great. I'll try it."),
    ("we're planning a trip to the zoo with my sister's two kids", "ugh my knee, physio says no running for 6 weeks"),
    ("we have two cats", "the garage says the car takes 4 days to repair"),
    ("I've read 31 books this year", "mechanic says the clutch costs 800"),
    ("choir practice is on Wednesdays", "boss says I'm on the late shift this Saturday"),
    ("I see my therapist on Mondays", "the bank says the transfer arrives Wednesday"),
    ("I have three brothers", "HR says I have 12 vacation days left"),
    ("I weigh 82 kilos", "my flatmate says he's moving out in 2 months"),
    ("Ich habe 12 Schafe", "mein Chef sagt, ich bekomme 30 Tage Urlaub"),
    ("Tengo dos perros", "el médico dice reposo por 2 semanas"),
    ("i wanna be a marine biologist", "i play bass in a band, were called Soggy Paper Towels"),
    ("I live in Leeds.", "Our dog was sold out of a farm, I work at Siemens now"),
    ("The maths exam is at 9am.", "The chemistry exam is at 11am."),
    ("Montags gehe ich schwimmen.", "Mittwochs gehe ich klettern."),
    ("My railcard number ends in 4471.", "got a gift card that ends in 4417, how do I check the balance?"),
    ("I work at a bank.", "The board approved the budget yesterday at work"),
    ("I'm a nurse.", "Let's make it happen."),
    ("I'm a nurse.", "no, i have one already"),
    ("Ich wohne in Köln.", "Nein danke, passt so"),
    ("Ich bin Lehrerin.", "Das Wetter ist heute echt mies"),
    ("Vivo en Sevilla.", "no, gracias, con eso me vale"),
    ("Mon mari a 66 ans.", "Mon beau-frère vient d'avoir 70 ans."),
    ("I live in Leeds.", "Count."),
    ("I take 5 mg of ramipril.", "Mein Sohn Jonas ist 9 und spielt Handball."),
    ("My dad loves fishing.", "no, my dad already has a rod"),
    ("I am thinking of buying a narrowboat.", "Not Otley, I mean Burley."),
    ("My boss lives near me.", "I mean, who does that"),
    ("My budget is 90 a week. Convert 250 dollars into euros.", "sorry, 350"),
    ("I own a bakery. Price a wedding cake for 80 guests please", "hang on, 120 guests"),
    ("I'm allergic to walnuts, can you find me a recipe?", "sorry, I meant the other recipe you listed"),
    ("My cat is named Olive. Suggest names for a puppy.", "nah, shorter ones"),
    ("Ich bin Bäckerin. Schreib mir bitte eine Entschuldigung.", "nein, kürzer"),
    ("I gave up sugar in May.", "My scooter is at the garage, it's an old Vespa, maybe I take the bus instead."),
    ("Ich habe die Prüfung bestanden.", "Zu mir: Imker, drei Söhne, zu Hause in Plön."),
    ("We moved in June.", "my setup: two screens, one laptop"),
    ("我搬到苏州了", "关于我：会计，两个孩子"),
]


@pytest.mark.parametrize(("statement", "message"), CORRECTIONS)
def test_a_correction_follows_what_it_corrects(statement: str, message: str) -> None:
    found = find_antecedent(message, [statement], answers_question=False)
    assert found is not None
    assert found.is_corrected
    text = found.before(message)
    assert text == f"{statement.rstrip('.')} → {message}"
    assert without_antecedent(text) == message


@pytest.mark.parametrize(("statement", "message"), CONTINUATIONS)
def test_a_fragment_follows_what_it_continues(statement: str, message: str) -> None:
    found = find_antecedent(message, [statement], answers_question=False)
    assert found is not None
    assert not found.is_corrected
    text = found.before(message)
    assert text == f"{statement.rstrip('.')} … {message}"
    assert without_antecedent(text) == message


@pytest.mark.parametrize(("statement", "message"), UNRELATED)
def test_other_messages_stand_by_themselves(statement: str, message: str) -> None:
    assert find_antecedent(message, [statement], answers_question=False) is None


def test_a_time_belongs_to_the_message_before_it_unless_that_has_one() -> None:
    flight = "my flight is on 3 December at 6am from Gatwick"
    found = find_antecedent("at 8", [flight, "party's on Friday"], answers_question=False)
    assert found == Antecedent((1,), "party's on Friday", is_corrected=False)
    corrected = find_antecedent("at 8", [flight], answers_question=False)
    assert corrected
    assert corrected.is_corrected


def test_several_details_follow_the_same_statement() -> None:
    found = find_antecedent("at Jo's place", ["party's on Friday", "at 8"], answers_question=False)
    assert found
    assert (found.positions, found.statement) == ((0, 1), "party's on Friday; at 8")


def test_an_answer_to_a_question_corrects_nothing() -> None:
    assert find_antecedent("7", ["My daughter is 4."], answers_question=True) is None
    assert find_antecedent("sorry, 5", ["My daughter is 4."], answers_question=True) is not None


def test_the_second_correction_follows_the_first() -> None:
    earlier = ["The dentist is on Tuesday.", "sorry, Thursday"]
    found = find_antecedent("no wait, Friday", earlier, answers_question=False)
    assert found is not None
    assert found.positions == (0, 1)
    assert found.before("no wait, Friday") == "The dentist is on Tuesday; sorry, Thursday → no wait, Friday"


def test_a_correction_finds_the_statement_with_the_wrong_value() -> None:
    earlier = ["I live in Otley.", "I am thinking of buying a narrowboat.", "I like jazz.", "My brother is Ken."]
    found = find_antecedent("Not Otley, I mean Burley.", earlier, answers_question=False)
    assert found is not None
    assert found.positions == (0,)
    assert found.is_corrected


def test_a_date_is_no_end_of_a_sentence() -> None:
    earlier = ["Ich habe am 8. Dezember um 14:30 einen Zahnarzttermin. Danke!"]
    found = find_antecedent("sorry, meinte den 10. Dezember", earlier, answers_question=False)
    assert found is not None
    assert found.statement.startswith("Ich habe am 8. Dezember um 14:30 einen Zahnarzttermin")


def test_a_correction_finds_its_value_a_few_messages_before() -> None:
    earlier = ["The dentist is on Tuesday.", "I like jazz."]
    found = find_antecedent("sorry, I meant Thursday", earlier, answers_question=False)
    assert found is not None
    assert found.statement == "The dentist is on Tuesday"
    far = ["The dentist is on Tuesday.", *["I like jazz."] * 5]
    assert find_antecedent("sorry, I meant Thursday", far, answers_question=False) is None


def test_of_a_long_message_the_statement_with_the_value_is_meant() -> None:
    padding = "Our garden has many apple trees that my grandfather planted a long time ago, and they bear well. " * 3
    found = find_antecedent(
        "sorry, Thursday", [f"{padding}The dentist is on Tuesday. {padding}"], answers_question=False
    )
    assert found is not None
    assert found.statement == "The dentist is on Tuesday"


@pytest.mark.parametrize(
    ("text", "is_elliptical"),
    [
        ("sorry, I meant Thursday", True),
        ("quise decir julio", True),
        ("nope, burgundy", True),
        ("no, perdón, es el jueves", True),
        ("actually it's 6.45", True),
        ("I moved to York.", False),
        ("no, i have one already", False),
        ("hi", False),
    ],
)
def test_an_elliptical_correction_is_recognised_without_the_statement(text: str, *, is_elliptical: bool) -> None:
    assert is_elliptical_correction(text) is is_elliptical


ROLES = [
    "Let's role-play. You're the innkeeper and I'm a knight called Rolf.",
    "Pretend you're my boss and I want a raise.",
    "Rollenspiel: du bist der Wirt, ich bin ein Ritter.",
    "Tú eres el detective y yo soy la viuda.",
    "我们来角色扮演,你是老板我是员工",
    "You're the ferryman, I'm a deserter with a dog. Begin.",
    "i'm a ghost in the lift and you are the night porter, say hi first",
    "You are Holmes and I am Watson.",
    "Du spielst die Hexe und ich spiele den Müller.",
    "tu es la reine, moi je suis le bouffon",
    "tu sei il giudice e io sono l'imputato",
    "jij bent de koning en ik ben een dief",
    "你来当医生,我演病人",
]
NO_ROLES = [
    "I play the violin.",
    "We are the best team, and you're great",
    "I'm a nurse",
    "You're right, I'm a terrible planner and I book everything twice.",
    "you are so patient, I am a slow typist",
    "You're a star, I'm a total beginner at this.",
    "I'm a coeliac and I was told you are good at recipes",
    "I'm not sure what you are able to read, I'm on a boat in Split.",
    "You're the first to hear it: I'm a granddad!",
    "Du bist ein Schatz, ich bin nämlich Linkshänderin.",
    "Du bist schnell! Ich bin der Langsame in der Familie.",
    "tú eres un sol, yo soy la vecina de Marta",
    "tu es super rapide, je suis un peu perdu",
    "tu sei un genio, io sono un pasticcione",
    "jij bent een engel, ik ben de oma van Lotte",
    "你是对的,我是急性子",
]


@pytest.mark.parametrize("role", ROLES)
def test_what_is_said_in_a_role_follows_the_message_that_began_it(role: str) -> None:
    earlier = [role, "Good evening, is there a room?"]
    found = find_antecedent("I own three castles and a dragon.", earlier, answers_question=True)
    assert found is not None
    assert found.positions == (0,)
    assert not found.is_corrected


def test_a_role_ends_when_its_author_leaves_it() -> None:
    role = ROLES[0]
    assert find_antecedent("btw I work as a nurse.", [role], answers_question=False) is None
    assert find_antecedent("I work as a nurse.", [role, "ok, stop the role-play"], answers_question=False) is None
    assert find_antecedent("I work as a nurse.", [role, *["Go on."] * 6], answers_question=False) is None


@pytest.mark.parametrize("message", NO_ROLES)
def test_other_messages_begin_no_role(message: str) -> None:
    assert find_antecedent("I own three cats and a dog.", [message], answers_question=False) is None


@pytest.mark.parametrize(
    ("earlier", "correction", "statement"),
    [
        ("My dentist is Dr Patel. My GP is Dr Li.", "Oh wait, the dentist is Dr Pavel.", "My dentist is Dr Patel"),
        ("I love opera. I play the oboe.", "scratch that about opera", "I love opera"),
        ("The plumber comes at 9. I work late.", "no, at 10, sorry", "The plumber comes at 9"),
    ],
)
def test_a_correction_is_kept_with_the_statements_that_it_concerns(
    earlier: str, correction: str, statement: str
) -> None:
    antecedent = find_antecedent(correction, [earlier], answers_question=False)
    assert antecedent is not None
    assert antecedent.statement == statement
