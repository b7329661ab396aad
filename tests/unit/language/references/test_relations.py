"""A change and the earlier statement that it most likely concerns name the same thing."""

import pytest

from agent.language.references.relations import gives_new_value, loses_details, shared_things, states_change

RELATED = [
    ("I'm conversational in French", "My French has got rusty, I couldn't hold a chat in it now."),
    ("I love horror films, the gorier the better", "I can't watch horror films anymore, since the baby came"),
    ("I'm a Lakers fan since birth", "im done with the lakers. warriors fan now"),
    ("I do the PTA treasurer stuff", "Handed over the PTA money box to Gemma, freedom!!"),
    ("My sister Ines lives in Bristol", "Ines packed up and took the little one to Cardiff"),
    ("Our oldest, Felix, goes to Oakmont Elementary.", "since the break Felix has been at the Montessori"),
    ("Max is gluten free by the way", "Right so the consultant says max can eat gluten after all!!"),
    ("My birthday's on Halloween, 31 October", "Mam says it was after midnight, so my birthday is actually the 1st"),
    ("Since childhood I have a shellfish allergy", "shellfish allergy was a false alarm, I can eat prawns"),
    ("Ik heb een hernia en mag niet tillen", "mijn rug is weer genezen, tillen mag weer"),
    ("ich liebe Fußball gucken", "Fußball gucken langweilt mich nur noch"),
    ("je bois 6 cafés par jour", "j'ai arrêté le café complètement"),
    ("falo inglês só o básico", "agora falo inglês fluente, depois de um ano em Dublin"),
    ("Tomo metformina de 500 por la mañana", "La doctora me subió la metformina a 850"),
    ("mio marito fa il cuoco al Gambero", "mio marito non lavora più al Gambero"),
    ("我每天晚上都打王者", "王者我卸载了,早就不玩了"),
]

NAMES = [
    ("Hi I'm Priya Nair, new here", "got married last month so my surname is now Menon"),
    ("u can call me Jay", "changed my name officially, its Jasmine now"),
    ("me dicen Lucho", "ya no uses ese apodo, mejor dime Luis"),
    ("我叫小雨", "以后别用小名了,叫我思雨吧,已经改名字了"),
]

UNRELATED = [
    ("budget's tight this month, like 40 quid for food", "six foot four so no budget airlines"),
    ("coffee after noon keeps me up all night", "I keep kosher at home but not outside"),
    ("Turns out I'm pregnant", "I'm trans and not out at work"),
    ("Grandad left me his watch, a 1962 Omega", "Left my umbrella on the 43 bus again"),
    ("I have a dog called Rex.", "My neighbour's dog died last week."),
    ("my little brother has asthma", "My cousin doesn't have asthma btw, turns out it was an infection"),
    ("I work for the council in the parks department.", "My new hearing aid doesn't work properly."),
    ("home for me is Cardiff", "changed my home screen, looks sick now"),
    ("My favourite film is Alien.", "My favourite book is Dune now."),
    ("shoe size is 43 for me", "jeans size is 34 now, gained a bit lol"),
    ("I'm allergic to peanuts", "no longer allergic to strawberries, got tested"),
    ("I study law in Durham", "I changed my study playlist, lo-fi was putting me to sleep"),
    ("My mum's birthday is 14 June", "correction, dads birthday is the 9th of May, not the 8th"),
    ("I like tea", "I like coffee now"),
    ("I'm conversational in French", "Do I still speak French now?"),
    ("I'm conversational in French", "imagine my French was gone by now"),
    ("my mum's email is jean@example.com", "my email changed, it's kim@keepsake.test"),
    ("Steve's new address is 4 Elm Road, Hull", "we've moved, our new address is 12 Oak Street, York"),
]

DETAILED = [
    (
        "la nonna prende la pastiglia per la pressione alle 8 e va dal cardiologo il 3 dicembre alle 11",
        "il cardiologo di nonna è rimandato al 10 dicembre, stessa ora",
    ),
    (
        "mi madre está ingresada en el Miguel Servet, habitación 412, le operan la vesícula el jueves",
        "a mi madre la han cambiado a la 307 y la operan el viernes en vez del jueves",
    ),
    (
        "il 4 dicembre ho la visita di controllo dall'ortopedico, dottoressa Ricci, alle 16",
        "l'ortopedico è spostato al 9 dicembre alle 10",
    ),
    ("dentist is on tuesday at 3 with Dr Patel in Headingley", "the dentist has been moved to thursday"),
    (
        "der Elternabend ist am Donnerstag um 19 Uhr in der Aula",
        "der Elternabend ist auf Montag verschoben, gleiche Uhrzeit",
    ),
    (
        "le rendez-vous chez le kiné est lundi à 14h avec Sophie, rue Garibaldi",
        "le kiné est reporté à mercredi, même heure",
    ),
    ("mijn gesprek bij Philips is vrijdag om 10 in Eindhoven", "het gesprek is verplaatst naar maandag, zelfde tijd"),
    ("a reunião com o banco é quinta às 9 com a Marta", "a reunião com o banco passou para sexta, mesma hora"),
    ("la cita con el dentista es el martes a las 5", "la cita con el dentista se ha movido al jueves, misma hora"),
    ("the vet is on friday at 4", "the vet moved us to monday, same time"),
]

BRIEF = [
    ("my meeting is on Tuesday", "my meeting is on Thursday now"),
    ("I pay 450 rent", "my rent is now 480"),
    ("das Training ist um 18 Uhr", "das Training ist jetzt um 19 Uhr"),
    ("I live in Leeds with Tom", "I moved to York"),
    ("we broke our lease in Bremen", "we have a new lease"),
    ("my bus leaves at 8", "my bus leaves at 8:15 now"),
    ("mi clase es el lunes", "mi clase es el martes ahora"),
    ("I weigh 80 kg", "I weigh 78 kg now"),
    ("our boss is Karen from Leeds", "our new boss is Kwame"),
    ("I gave up smoking", "I'm smoking again"),
]

NO_CHANGE = ["I have a dog called Rex.", "what did I tell you about my job?", "Lisbon is lovely", "我喜欢猫", ""]


@pytest.mark.parametrize(("old", "new"), RELATED)
def test_a_change_names_a_thing_of_the_statement_that_it_concerns(old: str, new: str) -> None:
    assert shared_things(new, old)


@pytest.mark.parametrize(("old", "new"), NAMES)
def test_a_new_name_concerns_statements_of_names(old: str, new: str) -> None:
    assert "name" in shared_things(new, old)


@pytest.mark.parametrize(("old", "new"), UNRELATED)
def test_statements_about_different_things_are_unrelated(old: str, new: str) -> None:
    assert shared_things(new, old) == frozenset()


@pytest.mark.parametrize("text", NO_CHANGE)
def test_most_texts_state_no_change(text: str) -> None:
    assert not states_change(text)


def test_a_statement_by_itself_concerns_nothing_else() -> None:
    old = "I'm conversational in French"
    assert shared_things(old, "I read French novels") == frozenset()


@pytest.mark.parametrize(("old", "new"), DETAILED)
def test_a_new_time_does_not_repeat_the_details_of_the_old_statement(old: str, new: str) -> None:
    assert loses_details(old, new)


@pytest.mark.parametrize(("old", "new"), BRIEF)
def test_a_statement_without_details_loses_none(old: str, new: str) -> None:
    assert not loses_details(old, new)


def test_another_month_is_a_new_value_whatever_follows_it() -> None:
    assert gives_new_value("she starts in october, at Rainbow", "she starts in august at the nursery")
    assert not gives_new_value("she starts in august, at Rainbow", "she starts in august at the nursery")
