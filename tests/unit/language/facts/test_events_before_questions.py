"""The event that a clause tells before a question is kept, also without "I" or of a named person."""

import pytest

from agent.language.authorship.own_words import mask_quoted
from agent.language.facts.addressed import is_standing_instruction
from agent.language.facts.statements import statement_spans


def _statements(message: str) -> list[str]:
    return [message[slice(*span)] for span in statement_spans(mask_quoted(message))]


@pytest.mark.parametrize(
    "message",
    [
        "Bought a new laptop yesterday, how do i set it up?",
        "moved to Derby last month, any good pubs?",
        "just been diagnosed with asthma, what should i avoid?",
        "got a puppy last week, how do i stop him biting?",
        "quit my job on friday, how do i tell my parents?",
        "joined a gym near work, what should i start with?",
        "turned 40 yesterday, what checkups do i need?",
        "failed my driving test again, any tips?",
        "Dot has stopped laying, what could be wrong?",
        "Ollie has chickenpox, can he go to nursery?",
        "Nadia and Tom are expecting twins, what's a good present?",
        "Max is scared of fireworks, what can i do?",
        "bin letzten Monat nach Köln gezogen, wo kann man gut essen?",
        "Tobias hat sich das Bein gebrochen, wie lange dauert das?",
        "acabo de mudarme a Sevilla, ¿algún bar bueno?",
        "Marta se ha roto el tobillo, ¿cuánto tarda en curar?",
        "Giulia ha cambiato scuola, come la aiuto?",
        "Léa a cassé ses lunettes, où aller ?",
        "heb gisteren een laptop gekocht, hoe stel ik die in?",
        "Sanne is verhuisd naar Utrecht, wat geef ik haar?",
        "Ana está grávida, o que dar de presente?",
        "kupiłam laptopa Asus za 3299 zł, jak przenieść pliki ze starego?",
        "Ola jest w ciąży, co jej kupić?",
    ],
)
def test_the_event_is_kept_without_the_question(message: str) -> None:
    assert _statements(message) == [message.partition(",")[0]]


@pytest.mark.parametrize(
    "message",
    [
        "moved the file to the server, what next?",
        "got it, what next?",
        "got three errors in the log, what do they mean?",
        "had a look, what's next?",
        "changed the loop, why does it still fail?",
        "started the server, why is the port closed?",
        "Python is slow, what else can i use?",
        "London is expensive, where else could i go?",
        "Hamlet is a prince, who is his father?",
        "Paris is the capital of France, right?",
        "left join vs inner join, what's the difference?",
        "hat Berlin mehr Einwohner als Wien, oder?",
        "ha piovuto ieri, vero?",
    ],
)
def test_steps_of_a_task_and_general_knowledge_leave_nothing(message: str) -> None:
    assert _statements(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "with whom should I walk",
        "to whom do I send the form",
        "At what time I should take the tablet",
        "if i moved to london how much would rent be?",
    ],
)
def test_questions_in_other_orders_leave_nothing(message: str) -> None:
    assert _statements(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "Rob works at Greggs",
        "mow lawns for cash at weekends",
        "in which case we moved to plan B",
        "name's Dave, scaffolder from Hull",
        "list of my meds: ramipril, metformin",
    ],
)
def test_words_that_may_be_commands_are_kept(message: str) -> None:
    assert _statements(message) == [message]


@pytest.mark.parametrize("message", ["Junior developer at a fintech here", "Software developer from Cork"])
def test_a_job_is_no_instruction(message: str) -> None:
    assert not is_standing_instruction(message)
