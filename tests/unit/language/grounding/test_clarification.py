"""The dates and the question that are added to a sentence of the user."""

from datetime import date

import pytest

from agent.language.dates.notes import date_note, split_date_note
from agent.language.dates.resolution import unsupported_dates
from agent.language.grounding.clarification import MAX_QUESTION_CHARS, clarify, split_clarification
from agent.language.removal.redaction import Redaction
from support.growth import MAX_GROWTH, growth

TODAY = date(2026, 11, 24)  # a Tuesday

NOTES = {
    "the plumber comes tomorrow at 8": "25 November 2026",
    "our boiler exploded last night": "23 November 2026",
    "my visa interview is the day after tomorrow": "26 November 2026",
    "I have to hand in the thesis by Thursday": "26 November 2026",
    "Gran arrives next Monday": "30 November 2026",
    "we sail next Saturday": "28 November 2026 or 5 December 2026",
    "Leo starts school next Wednesday": "2 December 2026",  # nobody says so of tomorrow
    "we sail this coming Saturday": "28 November 2026",
    "last Sunday I ran my first marathon": "22 November 2026",
    "the surgery is in ten days": "4 December 2026",
    "the baby is due in six weeks": "around 5 January 2027",
    "we bought the house four years ago": "2022",
    "I came back a week ago": "around 17 November 2026",
    "I retire next month": "December 2026",
    "heute habe ich gekündigt, übermorgen fliege ich": "heute: 24. November 2026; übermorgen: 26. November 2026",
    "vor fünf Tagen kam unsere Tochter zur Welt": "19. November 2026",
    "am Samstag zieht meine Schwester ein": "28. November 2026",
    "mañana operan a mi madre": "25 de noviembre de 2026",
    "el próximo lunes empiezo el curso": "30 de noviembre de 2026",
    "hace dos días nos dieron las llaves": "22 de noviembre de 2026",
    "après-demain j'ai un entretien à Nantes": "26 novembre 2026",
    "je passe mon permis demain matin": "25 novembre 2026",
    "后天我要做手术": "2026年11月26日",
    "下周六我们搬家": "2026年12月5日",
    "三天前我辞职了": "2026年11月21日",
    "سأسافر غدا إلى عمان": "25 نوفمبر 2026",
    "وصلت أختي أمس من دبي": "23 نوفمبر 2026",
    "domani ho il dentista a Torino": "25 novembre 2026",
    "depois de amanhã faço a prova de direção": "26 de novembro de 2026",
}
NO_NOTES = [
    "I live in Oslo",
    "we fly to Lisbon on 12 December and come back a week later",
    "the job starts a month earlier than planned",
    "die Stelle fängt zwei Wochen später an",
    "the wedding is on 12 June 2027",
    "we fly next Friday, 27 November",
    "I swim every Tuesday",
    "choir is on Thursdays",
    "I work Monday to Thursday",
    "the shop is closed on Monday, as always",
    "on Sunday I booked a room",
    "I may move, mon ami",
    "ich wohne seit Jahren hier",
    "jeden Morgen gehe ich schwimmen",
    "Morgen! Ich bin neu hier",
    "por la mañana tomo café",
    "tengo la segunda dosis",
    "le vendredi je joue aux échecs",
    "每周五我打球",
    "no running for a month",
]


@pytest.mark.parametrize(("sentence", "dates"), NOTES.items())
def test_relative_dates_are_written_out_in_the_users_language(sentence: str, dates: str) -> None:
    note = date_note(sentence, TODAY)
    assert note == f" ({dates})"
    assert split_date_note(sentence + note) == (sentence, note)
    if "around" not in dates and " or " not in dates and ":" not in dates:
        assert not unsupported_dates(dates, [sentence], TODAY)


@pytest.mark.parametrize("sentence", NO_NOTES)
def test_what_is_no_single_date_gets_none(sentence: str) -> None:
    assert not date_note(sentence, TODAY)
    assert split_date_note(sentence) == (sentence, "")


def test_the_models_date_decides_between_two_readings() -> None:
    for meant, dates in {
        "Sails on Saturday 5 December 2026": "5 December 2026",
        "Sails on 2026-11-28": "28 November 2026",
        "Sails on 3 May 2027": "28 November 2026 or 5 December 2026",
    }.items():
        assert date_note("we sail next Saturday", TODAY, meant=meant) == f" ({dates})"


@pytest.mark.parametrize(
    ("answered", "message", "stored"),
    [
        ("Lovely! When is the wedding?", "June 12", "(asked: When is the wedding?) June 12"),
        ("When?", "ok so, next Monday", "(asked: When?) ok so, next Monday (30 November 2026)"),
        ("Wie heißt er?", "Bruno, ein Dackel", "(asked: Wie heißt er?) Bruno, ein Dackel"),
        ("¿Dónde es la boda?", "en Sevilla", "(asked: ¿Dónde es la boda?) en Sevilla"),
        ("婚礼是什么时候\uff1f", "五月二十日", "(asked: 婚礼是什么时候\uff1f) 五月二十日"),
        ("When is the wedding?", "I think it is in June", "I think it is in June"),
        ("When is the wedding?", "When is yours?", "When is yours?"),
        ("How can I help?", "a beagle", "a beagle"),
        ("Noted.", "a beagle", "a beagle"),
        ("Is your password still hunter22?", "a beagle", "a beagle"),
    ],
)
def test_a_short_answer_is_stored_with_its_question(answered: str, message: str, stored: str) -> None:
    text = clarify(message, message=message, answered=answered, today=TODAY)
    assert text == stored
    assert split_clarification(text)[1] == message


def test_only_the_beginning_of_a_message_answers_the_question() -> None:
    message = "June 12. A beagle would be nice."
    for sentence, lead in (("June 12.", "(asked: When?) "), ("A beagle would be nice.", "")):
        assert clarify(sentence, message=message, answered="When?", today=TODAY) == lead + sentence


def test_a_long_question_is_cut() -> None:
    question = "When " + "oh " * 100 + "when?"
    lead, _, _ = split_clarification(clarify("June 12", message="June 12", answered=question, today=TODAY))
    assert lead
    assert len(lead) <= MAX_QUESTION_CHARS + len("(asked: ) ")


def test_a_redacted_text_leaves_no_question_or_date_alone() -> None:
    text = "(asked: When is the wedding?) June 12"
    forgotten = Redaction.forgotten(["June 12"], quotes=["June 12"], messages={"m"})
    assert not forgotten.redact(text, {"m"}, is_verbatim=True)
    text = "the vet is in Leeds, we fly next Monday (30 November 2026)"
    for about, rest in {"vet": "we fly next Monday (30 November 2026)", "fly": "the vet is in Leeds"}.items():
        redaction = Redaction.forgotten([about], quotes=[], messages={"m"})
        assert redaction.redact(text, {"m"}, is_verbatim=False) == rest


@pytest.mark.parametrize("part", ["next friday ", "(asked: ", "2 ", "vor ", "ab", "no "])
def test_the_time_for_a_text_is_linear(part: str) -> None:
    def add_and_split(text: str) -> None:
        split_clarification(clarify(text, message=text, answered=text, today=TODAY))

    assert growth(add_and_split, part) < MAX_GROWTH
