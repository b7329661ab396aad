"""Statements of what changed, ended or was said wrongly, in several languages, and others that leave it true."""

import pytest

from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-05T10:00:00+00:00"


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(old.strip(), new.strip()) for old, _, new in (line.partition("|") for line in text.strip().splitlines())]


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        My interview is on the 14th. | oh sorry my interview is on the 15th
        Our anniversary is on 4 May. | I got that wrong, our anniversary is on 5 May.
        My bike cost 700 euros. | Oops, my bike cost 750 euros.
        My flight is on Monday. | No wait. My flight is on Tuesday.
        My phone number ends in 32. | Correction, my phone number ends in 23.
        Mein Chef heißt Vogt. | Ich meinte: Mein Chef heißt Voigt.
        Mi cita es el 3 de mayo. | Perdón, mi cita es el 5 de mayo.
        我的会议是三点。 | 说错了,我的会议是四点。
    """),
)
def test_a_statement_after_the_opener_of_a_correction_supersedes_the_wrong_one(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        My car has 80,000 miles on it. | My car has 95,000 miles on it.
        Takes 50 mg of sertraline | I take 75 mg of sertraline.
        My train leaves at 7.40 | My train leaves at 7.55 from next week on
        I'm in second year at uni | Third year now!
        My nephew is in Year 9. | My nephew is in Year 10 now.
        My son's class meets on the first Monday. | My son's class meets on the second Monday now.
        My violin lesson is on Tuesdays. | My violin lesson is on Fridays from now on.
        My username is kestrel4 | my username is kestrel5
        Ich nehme 50 mg Sertralin. | Ich nehme jetzt 100 mg Sertralin.
        Die Miete beträgt 600 Euro. | Ab März beträgt die Miete 640 Euro.
        Je suis en première année. | Je suis en deuxième année maintenant.
        Meu voo é às 15h. | Meu voo mudou para as 17h.
    """),
)
def test_a_new_value_of_the_same_kind_supersedes_the_old_one(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        I rent a garage. | I no longer rent a garage.
        I do judo on Saturdays. | I no longer do judo, it's too far.
        I'm seeing a therapist called Ruth. | I've stopped seeing Ruth.
        I work at Lidl. | I was sacked from Lidl.
        I'm a member of the sailing club. | I left the sailing club.
        I'm looking for a flat. | We found a flat!
        My wife is pregnant. | Our daughter was born on Friday.
        My hamster is called Nibbles. | Nibbles died yesterday.
        My nan lives in Poole. | My nan died in April.
        We use Slack at work. | We moved from Slack to Teams at work.
        Meine Katze heißt Minka. | Minka ist gestern gestorben.
        Je fume. | J'ai arrêté de fumer.
        Tenho um carro. | Vendi o carro.
        我在银行上班。 | 我从银行辞职了。
    """),
)
def test_the_end_of_something_supersedes_statements_about_it(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        I hate jogging. | I actually enjoy jogging now.
        I can't stand opera. | I've grown to love opera.
        I love sushi. | I've gone off sushi.
        I find chess boring. | I've started to love chess.
        I prefer trains to planes. | I prefer planes to trains now.
        Ich hasse Rosenkohl. | Inzwischen mag ich Rosenkohl.
        我讨厌香菜。 | 我现在喜欢香菜了。
    """),
)
def test_the_opposite_attitude_to_the_same_thing_supersedes_the_old_one(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        Lives in Derby | We bought a house in Leeds and moved in last week.
        I live at 5 Mill Road. | My new address is 8 Park Street.
        I live in York. | We've settled in Hull after the move.
        J'habite à Nice. | Je viens de déménager à Toulon.
        Moro em Braga. | Acabei de me mudar para Lisboa.
        Wir wohnen in Kassel. | Wir sind nach Fulda umgezogen.
    """),
)
def test_a_move_supersedes_the_old_home(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        I shop at Tesco. | I quit my job at Tesco.
        I study law. | I might drop law.
        I work at Acme. | I'm thinking of leaving Acme.
        I play guitar. | I sold my old guitar case.
        I drink coffee. | I stopped drinking coffee after 6pm.
        I'm training for a marathon. | I finished the half marathon.
        My nan lives in Poole. | My nan's cat died in April.
        My first son is 3. | My second son is 1.
        My flight to Oslo is on Monday. | My flight back from Oslo is on Friday.
        I do yoga on Mondays. | I do yoga on Thursdays.
        I ran 10k on Sunday. | I ran 12k on Sunday.
        I bought a bike in March. | I bought a bike in June.
        My cousin had a baby in April. | Actually, Sam is my cousin too.
        I like jazz. | Actually I like blues.
        I hate mushrooms in soup. | I love mushrooms on pizza.
        My rent is 700 euros. | My phone bill went up to 45 euros.
        I live in Ghent. | My office moved to Antwerp.
        Ich trinke Kaffee. | Ich trinke jetzt einen Tee.
        我有一只狗。 | 我现在有一只猫。
    """),
)
def test_a_statement_that_leaves_the_earlier_one_true_supersedes_nothing(earlier: str, later: str) -> None:
    assert not contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        I don't drink alcohol | I have a glass of wine with dinner these days
        Does not drink | I've started drinking again.
        Ich trinke keinen Alkohol. | Ich trinke wieder Bier.
        I smoke a pack a day | haven't smoked in three months
        Smokes ten a day | It's been six weeks without a cigarette.
        Is studying medicine at Leeds | I graduated!
        I'm in my final year at uni. | I've finally finished my degree
        Estudio derecho en Sevilla. | Me he graduado.
        Is unemployed | I got the job!
        I'm between jobs at the moment | just started my new job
        Lives with my parents | finally got my own flat!
        I'm sleeping on my brother's sofa | I moved into my own place
        Is allergic to eggs | turns out I've outgrown the egg allergy
        I have a milk allergy | my milk allergy has completely gone
        Is training for the London marathon | I ran the marathon yesterday
        Does not have kids | I had a baby boy in June
        Does not have any pets | we got a puppy!
        Lives alone | my girlfriend moved in with me
        Ich bin Single. | Ich habe jetzt eine Freundin.
        Estoy soltera. | ahora tengo novio
        No como carne. | he vuelto a comer carne
        Eats gluten free | I can eat gluten again
        I've never been to Japan | I went to Japan in March!
        I'm saving for a car | I bought the car!
        I'm waiting for my visa | my visa came through
        I'm revising for my driving test | I passed my driving test!
    """),
)
def test_a_statement_ends_a_state_of_the_user(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        Does not drink | my brother started drinking again
        I don't drink alcohol | I might have a glass of wine now
        I smoke a pack a day | my wife hasn't smoked in three months
        Is studying medicine at Leeds | my brother graduated!
        Is studying medicine at Leeds | I graduated from high school in Leeds
        Is unemployed | my wife got the job
        Is unemployed | I hope I get the job
        Lives with my parents | my brother got his own flat
        Is allergic to eggs | my son has outgrown his egg allergy
        Is allergic to eggs | I've outgrown the peanut allergy
        I'm allergic to nuts and eggs | I've outgrown my egg allergy
        My son is allergic to eggs | I've outgrown my egg allergy
        Is training for the London marathon | I ran a half marathon yesterday
        Is training for the London marathon | my sister ran the marathon
        Does not have kids | my sister had a baby boy
        Does not have any pets | we got a dog sitter job
        Does not have any pets | we got a cat flap for the new door
        Does not drink | I drink a lot of water now
        I smoke a pack a day | I haven't smoked since breakfast
        I'm studying medicine at Leeds | I've finished my course of antibiotics
        Is unemployed | I got the job centre appointment
        Lives with my parents | we bought our own house name sign
        Lives alone | my friend moved in next door
        Does not have any pets | my neighbour got a puppy
        Does not have any pets | we might get a puppy
        Lives alone | my girlfriend moved to Leeds
        Ich bin Single. | Mein Bruder sagt, ich habe jetzt eine Freundin? Nein.
        I've never been to Japan | I went to China in March
        I've never been to Japan | my parents went to Japan
    """),
)
def test_a_statement_about_others_or_other_things_ends_no_state(earlier: str, later: str) -> None:
    assert not contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        Is vegan | Eats fish again
        Is vegetarian | I eat fish again
        Is vegan | been eating cheese again since Christmas
        Is pescatarian | I've gone back to eating meat
        Ich bin Veganerin | Ich esse wieder Käse
        Is married to Dave | the divorce came through last week
        Is married | the divorce is finally final
        Is 29 years old | it's my 30th birthday today
        I have an iPhone 12 | bye bye iPhone, got myself a Pixel
        Work laptop is a dell | goodbye dell, hello macbook
        Plays tennis on Sundays | my knee means no more tennis for me
        Wears glasses | had laser eye surgery so no glasses any more
        Lives in Leeds | settling into our new place in York
        Is a waiter | i'm a barista now
        Is a junior developer | I got promoted to senior developer
        Is left-handed | I'm actually right-handed
        Is a Muslim | I converted to Buddhism
        Is on a keto diet | I stopped keto
        I work as a nurse. | I'm now a teacher.
        I'm single. | I got a girlfriend!
        I weigh 80 kg. | I'm down to 75 kg.
        Salary is 50k | I got a raise, I make 60k now.
        I study biology. | I switched my major to chemistry.
        Time zone is CET | I'm in PST now.
        I've been at Acme for 3 years. | I don't work at Acme anymore.
        Takes ibuprofen daily | My doctor took me off ibuprofen.
        I rent an apartment. | We finally bought a house!
        Ich wohne zur Miete. | Wir haben endlich ein Haus gekauft.
        Has two kids | We just had our third kid.
    """),
)
def test_everyday_wordings_of_a_change_supersede_the_old_statement(earlier: str, later: str) -> None:
    assert contradicts(later, earlier, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    _pairs("""
        Is vegetarian | I eat cheese again
        Is pescatarian | I eat fish again
        Is vegan | my sister eats fish again
        Is vegan | I want to eat cheese again
        Is vegetarian | I eat fish-free sushi again
        Is married to Dave | Anna is now my ex colleague
        Is married to Dave | my sister's divorce came through
        Is 29 years old | it's my 30th birthday next month
        Is a nurse | my wife is a teacher now
        Is a nurse | I'm a mother now
        Is left-handed | my son is right-handed
        Is a Muslim | my brother converted to Buddhism
        Is a runner | I'm a vegetarian
        Favourite season is winter | autumn is my mum's favourite season
        Plays tennis on Sundays | no more tennis lessons for my son
        Drinks coffee every morning | no more coffee after 4pm for me
        Lives in Leeds | greetings from my hotel in York
        Weighs 75 kg | I'm up to 80 kg on the bench press.
        Weighs 75 kg | My dog is down to 20 kg.
        Earns 60k | I make 20 pancakes every Sunday now.
        Studies at night | I switched my major to chemistry.
        Rents a holiday home in Wales | We bought a house!
        Rents out a flat | We bought a house!
        Has two kids called Mia and Leo | We just had our third kid.
        Is a nurse | My sister is now a teacher.
        Works at Acme | My wife has been at Globex for two years.
        Is single | My brother got a girlfriend.
        Takes vitamin D daily | My doctor took me off ibuprofen.
        Runs daily | I don't swim daily anymore.
    """),
)
def test_similar_wordings_leave_the_old_statement(earlier: str, later: str) -> None:
    assert not contradicts(later, earlier, stated_at=STATED_AT)
