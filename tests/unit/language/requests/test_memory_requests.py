"""Requests to remember and to forget, and choices from a list, are recognised by their form in six languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.language.requests.list_choices import chosen_numbers
from agent.language.requests.memory_requests import memory_requests, without_forget_requests, without_requests
from support.growth import MAX_GROWTH, growth

DATA = Path(__file__).parents[2] / "data"


def cases(*names: str) -> list[dict[str, Any]]:
    texts = [(DATA / f"memory_requests_{name}.jsonl").read_text(encoding="utf-8") for name in names]
    return [json.loads(line) for text in texts for line in text.splitlines()]


@pytest.mark.parametrize("case", cases("tuning", "held_back"), ids=lambda case: str(case["message"])[:60])
def test_a_request_is_recognised_by_its_form(case: dict[str, Any]) -> None:
    found = [(request.action, request.scope, request.text) for request in memory_requests(case["message"])]
    assert found == ([(case["action"], case["scope"], case["text"])] if case["action"] else [])


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("I moved to York. Forget that I live in Leeds.", "I moved to York."),
        ("Forget that I live in Leeds, I live in York now.", "I live in York now."),
        ("Forget that I live in Leeds because I moved to York.", "I moved to York."),
        ("Forget that I live in Leeds and I like jazz.", ""),
        ("Forget that I live in Leeds. What is the capital of Norway?", "What is the capital of Norway?"),
        ("I like tea.", "I like tea."),
    ],
)
def test_the_rest_of_a_message_does_not_contain_the_request(message: str, rest: str) -> None:
    assert without_requests(message, memory_requests(message)) == rest


@pytest.mark.parametrize(
    "message",
    [
        "Write a function that adds numbers. Note that the list may be empty.",
        "Keep in mind that the guests are children. What should I cook?",
    ],
)
def test_a_note_about_a_task_is_no_request(message: str) -> None:
    assert memory_requests(message) == []


def test_two_statements_in_one_request_are_two_requests() -> None:
    requests = memory_requests("Please forget that I live in Leeds and I like jazz.")
    assert [request.text for request in requests] == ["I live in Leeds", "I like jazz"]


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        ("remember that I'm vegan and that my locker is 12", ["I'm vegan", "my locker is 12"]),
        ("can u remember im coming off my meds", ["im coming off my meds"]),
        ("could you remember my locker is 14?", ["my locker is 14"]),
        ("remember that I ski, that I sing and that I sew", ["I ski", "I sing", "I sew"]),
        ("recuerda que soy celíaca y que mi talla es la 38", ["soy celíaca", "mi talla es la 38"]),
        ("Merk dir, dass ich Anna bin und dass ich male.", ["ich Anna bin", "ich male"]),
        ("Retiens que j'ai un chien et que mon code est 12", ["j'ai un chien", "mon code est 12"]),
        ("Ricordati che sono celiaca e che porto la 38", ["sono celiaca", "porto la 38"]),
        ("Lembra-te que sou vegana e que moro em Faro", ["sou vegana", "moro em Faro"]),
        ("Onthoud dat ik vegan ben en dat ik rook.", ["ik vegan ben", "ik rook"]),
        ("Remember that my mum says that I smoke and that I drink.", ["my mum says that I smoke and that I drink"]),
        ("Remember that I'm allergic to nuts and that she is too.", ["I'm allergic to nuts and that she is too"]),
        ("Remember that the key of the shed and that of the gate are red.", None),
        ("Remember that I like tea and coffee.", ["I like tea and coffee"]),
    ],
)
def test_contents_joined_with_and_that_are_remembered_one_by_one(message: str, texts: list[str] | None) -> None:
    requests = memory_requests(message)
    assert {(one.action, one.scope) for one in requests} == {("remember", "statement")}
    whole = message.removeprefix("Remember that ").rstrip(".")
    assert [one.text for one in requests] == (texts or [whole])


@pytest.mark.parametrize(
    ("message", "action", "scope", "text"),
    [
        ("Ricorda che sono celiaco", "remember", "statement", "sono celiaco"),
        ("Non dimenticare che sono allergico alle noci", "remember", "statement", "sono allergico alle noci"),
        ("Ricordati questo", "remember", "previous", ""),
        ("Não se esqueça de que moro em Lisboa", "remember", "statement", "moro em Lisboa"),
        ("Lembra-te disto", "remember", "previous", ""),
        ("Onthoud: mijn kluisje is 12", "remember", "statement", "mijn kluisje is 12"),
        ("Vergeet niet dat ik vegan ben", "remember", "statement", "ik vegan ben"),
        ("Kun je onthouden dat ik linkshandig ben?", "remember", "statement", "ik linkshandig ben"),
        ("Vergeet mijn kluisje maar.", "forget", "subject", "mijn kluisje"),
        ("Vergeet dat ik in Leeds woon.", "forget", "statement", "ik in Leeds woon"),
        ("Kun je vergeten dat ik rook?", "forget", "statement", "ik rook"),
        ("Vergeet waar ik woon.", "forget", "question", "waar ik woon"),
        ("Vergeet alles over mijn ex.", "forget", "topic", "mijn ex"),
        ("Vergeet wat ik net zei.", "forget", "previous", ""),
        ("Wis alles wat je over mij weet", "forget", "all", ""),
    ],
)
def test_requests_in_dutch_italian_and_portuguese_are_recognised(
    message: str, action: str, scope: str, text: str
) -> None:
    assert [(one.action, one.scope, one.text) for one in memory_requests(message)] == [(action, scope, text)]


@pytest.mark.parametrize(
    "message",
    [
        "Vergeet mijn afspraak morgen niet!",
        "Vergiss meinen Termin nicht!",
        "Vergeet de lijst, geef me proza.",
        "Ik vergeet mijn sleutels vaak.",
        "Ricordi che ieri ti ho detto?",
        "Lembra que eu falei do João?",
        "Can you remember my name?",
        "can you remember our wifi password?",
    ],
)
def test_words_for_forgetting_and_remembering_alone_are_no_request(message: str) -> None:
    assert memory_requests(message) == []


@pytest.mark.parametrize(
    ("message", "scope", "text"),
    [
        ("You don't need to remember my therapist.", "subject", "my therapist"),
        ("You don't have to remember that I smoke.", "statement", "I smoke"),
        ("Du musst dir meine Therapeutin nicht merken.", "subject", "meine Therapeutin"),
        ("no hace falta que recuerdes a mi terapeuta", "subject", "mi terapeuta"),
        ("tu n'as pas besoin de retenir ma psy", "subject", "ma psy"),
        ("non c'è bisogno che ricordi il mio armadietto", "subject", "il mio armadietto"),
        ("não precisas de lembrar o meu cacifo", "subject", "o meu cacifo"),
        ("je hoeft mijn kluisje niet te onthouden", "subject", "mijn kluisje"),
        ("forget what music I like", "question", "what music I like"),
        ("vergiss, welche Musik ich mag", "question", "welche Musik ich mag"),
        ("olvida qué música me gusta", "question", "qué música me gusta"),
        ("oublie quelle musique j'aime", "question", "quelle musique j'aime"),
        ("dimentica che musica mi piace", "question", "che musica mi piace"),
        ("esquece que música eu gosto", "question", "que música eu gosto"),
        ("vergeet welke muziek ik leuk vind", "question", "welke muziek ik leuk vind"),
        ("can you delete everything about liam pls", "topic", "liam"),
        ("kannst du alles über liam löschen?", "topic", "liam"),
        ("quita lo de mi novio", "subject", "mi novio"),
        ("enlève ce que j'ai dit sur mon mec", "subject", "mon mec"),
        ("delete my salary from your memory please", "subject", "my salary"),
        ("wipe my birthday from what you know", "subject", "my birthday"),
        ("delete my salary from the spreadsheet", "mention", "my salary from the spreadsheet"),
        ("I don't want you to remember my diagnosis.", "subject", "my diagnosis"),
        ("I don't want you to know where I live", "question", "where I live"),
        ("I'd rather you didn't keep anything about my therapist.", "topic", "my therapist"),
        ("I'd prefer you didn't store my address", "subject", "my address"),
        ("Please don't keep any details about my divorce", "topic", "my divorce"),
        ("Kindly strike what I told you about how I voted.", "question", "how I voted"),
        ("delete that pls, shouldnt have told you", "previous", ""),
        ("forget I said that, the money stuff", "previous", ""),
        ("dimentica quello che ti ho detto sul mio peso", "topic", "mio peso"),
        ("把我刚才说的工资忘掉吧", "topic", "工资"),
    ],
)
def test_less_direct_requests_to_forget_are_recognised(message: str, scope: str, text: str) -> None:
    assert [(one.action, one.scope, one.text) for one in memory_requests(message)] == [("forget", scope, text)]


@pytest.mark.parametrize(
    "message",
    [
        "forget everything except my job",
        "Vergiss alles außer meinem Beruf.",
        "olvida todo menos mi trabajo",
        "oublie tout sauf mon travail",
        "dimentica tutto tranne il mio lavoro",
        "esquece tudo menos o meu trabalho",
        "vergeet alles behalve mijn baan",
    ],
)
def test_everything_with_an_exception_is_a_request_for_everything_which_forgets_nothing(message: str) -> None:
    assert [(one.action, one.scope) for one in memory_requests(message)] == [("forget", "all")]


@pytest.mark.parametrize(
    "message",
    [
        "You don't need to remember my name to help me write this.",
        "You don't need to remember the formula.",
        "delete everything about the second paragraph",
        "delete everything except the first line",
        "quita la sal de la receta",
        "forget what else I said",
        "I'd rather you didn't use emojis",
        "I don't want my mum to know my grades",
        "Delete that, it should have been a comma",
        "Strike what matters least.",
        "Don't store any data in the class.",
    ],
)
def test_instructions_for_a_task_are_no_requests_to_forget(message: str) -> None:
    assert memory_requests(message) == []


def test_a_request_to_remember_stays_in_a_message_without_its_requests_to_forget() -> None:
    message = "Remember that I like tea. Forget that I like coffee."
    assert without_forget_requests(message) == "Remember that I like tea."


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [
        ("2", [2]),
        ("the second one", [2]),
        ("1 and 3", [1, 3]),
        ("1, 3", [1, 3]),
        ("number 2 please", [2]),
        ("the last one", [4]),
        ("all of them", [1, 2, 3, 4]),
        ("none", []),
        ("No, thanks.", []),
        ("die zweite", [2]),
        ("la primera", [1]),
        ("le deuxième", [2]),
        ("1 und 3", [1, 3]),
        ("第二个", [2]),
        ("الثاني", [2]),
        ("٢", [2]),
        ("9", None),
        ("yes", [1, 2, 3, 4]),
        ("2 tickets please", None),
        ("I have 2 cats", None),
        ("What is the second one about?", None),
        ("", None),
    ],
)
def test_a_reply_chooses_from_a_list(reply: str, numbers: list[int] | None) -> None:
    assert chosen_numbers(reply, 4) == numbers


def test_yes_chooses_the_only_entry() -> None:
    assert chosen_numbers("Yes, please", 1) == [1]


@pytest.mark.parametrize(
    "unit", ["forget that ", "remember, ", "please ", "a, ", "forget everything ", "1 and ", "\uff0c", " "]
)
def test_messages_are_examined_in_linear_time(unit: str) -> None:
    assert growth(memory_requests, unit) < MAX_GROWTH
    assert growth(lambda text: chosen_numbers(text, 4), unit) < MAX_GROWTH
