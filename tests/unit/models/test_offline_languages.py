"""The offline model answers in the language of the message, from memories in that language or in English."""

from dataclasses import fields

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from agent.models.offline import DONE, answer
from agent.models.offline_language import LANGUAGES, Language, known_language, language_of_message
from agent.models.offline_phrases import PHRASES, Phrases
from agent.models.request_results import ENGLISH, RESULTS, RequestResults

ENGLISH_MEMORIES = (
    "Works at Tesco",
    "Lives in Leeds",
    "Husband Tom is a plumber",
    "Daughter Ruby is 7",
    "Ruby loves ballet",
    "Dog is called Rex",
    "Is allergic to walnuts",
    "Birthday is on 3 May",
    "Is 34",
)


def reply_to(question: str, *memories: str) -> str:
    return answer([SystemMessage("\n".join(f"- {one}" for one in memories)), HumanMessage(question)])


@pytest.mark.parametrize(
    ("language", "question", "memory"),
    [
        ("es", "¿Dónde trabajo?", "Works at Tesco"),
        ("es", "¿Dónde vivo?", "Lives in Leeds"),
        ("es", "donde vivo", "Lives in Leeds"),
        ("es", "¿A qué se dedica mi marido?", "Husband Tom is a plumber"),
        ("es", "¿Cuántos años tiene Ruby?", "Daughter Ruby is 7"),
        ("es", "¿Cuántos años tengo?", "Is 34"),
        ("es", "¿Cómo se llama mi perro?", "Dog is called Rex"),
        ("es", "¿A qué soy alérgica?", "Is allergic to walnuts"),
        ("de", "Wo arbeite ich?", "Works at Tesco"),
        ("de", "Wo wohne ich?", "Lives in Leeds"),
        ("de", "Was macht mein Mann beruflich?", "Husband Tom is a plumber"),
        ("de", "Wie alt ist Ruby?", "Daughter Ruby is 7"),
        ("de", "Wann habe ich Geburtstag?", "Birthday is on 3 May"),
        ("fr", "Où est-ce que je travaille ?", "Works at Tesco"),
        ("fr", "Où est-ce que j'habite ?", "Lives in Leeds"),
        ("fr", "Que fait mon mari dans la vie ?", "Husband Tom is a plumber"),
        ("fr", "Quel âge a Ruby ?", "Daughter Ruby is 7"),
        ("it", "Dove lavoro?", "Works at Tesco"),
        ("it", "Dove abito?", "Lives in Leeds"),
        ("it", "Che lavoro fa mio marito?", "Husband Tom is a plumber"),
        ("it", "Come si chiama il mio cane?", "Dog is called Rex"),
        ("pt", "Onde eu trabalho?", "Works at Tesco"),
        ("pt", "Onde moro?", "Lives in Leeds"),
        ("pt", "Quantos anos tem a Ruby?", "Daughter Ruby is 7"),
        ("nl", "Waar werk ik?", "Works at Tesco"),
        ("nl", "Waar woon ik?", "Lives in Leeds"),
        ("nl", "Wat doet mijn man?", "Husband Tom is a plumber"),
        ("nl", "Hoe oud is Ruby?", "Daughter Ruby is 7"),
    ],
)
def test_questions_in_other_languages_are_answered_from_english_memories(
    language: Language, question: str, memory: str
) -> None:
    assert reply_to(question, *ENGLISH_MEMORIES) == f"{PHRASES[language].quoted}\n- {memory}"


@pytest.mark.parametrize(
    ("question", "memory", "other"),
    [
        ("¿Dónde trabajo?", "Trabajo en Mercadona", "Mi hija Lucía tiene 6 años"),
        ("¿Cuántos años tiene Lucía?", "Mi hija Lucía tiene 6 años", "A Lucía le gusta el ballet"),
        ("Wo wohne ich?", "Ich wohne in Köln", "Mein Hund heißt Rex"),
        ("Wie heißt mein Hund?", "Mein Hund heißt Rex", "Mein Hund ist krank"),
        ("Où est-ce que je travaille ?", "Je travaille chez Renault", "Mon chien s'appelle Rex"),
        ("Dove abito?", "Abito a Torino", "Il mio cane si chiama Rex"),
        ("Onde moro?", "Moro em Recife", "O meu cachorro se chama Rex"),
        ("Waar woon ik?", "Ik woon in Utrecht", "Mijn hond heet Rex"),
    ],
)
def test_memories_in_the_language_of_the_user_answer(question: str, memory: str, other: str) -> None:
    reply = reply_to(question, other, memory)
    assert memory in reply
    assert other not in reply


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("es", "¿Cuál es mi talla de zapatos?"),
        ("de", "Welche Schuhgröße habe ich?"),
        ("fr", "Quelle est ma pointure ?"),
        ("it", "Che numero di scarpe ho?"),
        ("pt", "Qual é o meu número de sapato?"),
        ("nl", "Wat is mijn schoenmaat?"),
        ("zh", "我的鞋码是多少？"),
        ("en", "Can you tell me what my shoe size is?"),
    ],
)
def test_a_question_about_the_user_without_an_answer_gets_no_other_memories(language: Language, question: str) -> None:
    assert reply_to(question, "Lives in Leeds", "I'm allergic to nuts").startswith(PHRASES[language].nothing_known)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("es", "¿Cuál es la capital de Francia?"),
        ("de", "Was ist die Hauptstadt von Norwegen?"),
        ("fr", "Quelle est la capitale de la Norvège ?"),
        ("it", "Qual è la capitale della Francia?"),
        ("pt", "Qual é a capital da Noruega?"),
        ("nl", "Wat is de hoofdstad van Noorwegen?"),
        ("zh", "挪威的首都是哪里？"),
    ],
)
def test_a_general_question_gets_no_memories(language: Language, question: str) -> None:
    assert reply_to(question, *ENGLISH_MEMORIES).startswith(PHRASES[language].cannot_answer)


@pytest.mark.parametrize(
    ("language", "statement"),
    [
        ("es", "Vivo en Sevilla."),
        ("de", "Ich wohne in Köln."),
        ("fr", "J'habite à Lyon."),
        ("it", "Abito a Torino."),
        ("pt", "Moro em Recife."),
        ("nl", "Ik woon in Utrecht."),
    ],
)
def test_statements_are_acknowledged_in_their_language_and_quoted_later_in_the_thread(
    language: Language, statement: str
) -> None:
    phrases = PHRASES[language]
    assert answer([HumanMessage(statement)]) == f"{phrases.noted} {phrases.about_model}"
    thread = [HumanMessage(statement), AIMessage(phrases.noted), HumanMessage("Where do I live?")]
    assert answer(thread) == f"{PHRASES['en'].quoted}\n- {statement.rstrip('.')}"


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("Hola", PHRASES["es"].hello),
        ("Guten Morgen!", PHRASES["de"].hello),
        ("Vielen Dank!", PHRASES["de"].welcome),
        ("Merci beaucoup", PHRASES["fr"].welcome),
        ("Wer bist du?", PHRASES["de"].about_model),
        ("¿Quién eres?", PHRASES["es"].about_model),
    ],
)
def test_small_talk_is_answered_in_its_language(message: str, reply: str) -> None:
    assert reply_to(message).startswith(reply)


@pytest.mark.parametrize(
    "text",
    [
        "Write me a poem.",
        "I'm an apprentice electrician",
        "Name three rivers in South America.",
        "My son is called Kind",
        "I want to die another day on the screen",
        "Translate hola into French",
        "No",
    ],
)
def test_english_is_recognised(text: str) -> None:
    assert known_language(text) == "en"


@pytest.mark.parametrize(
    ("language", "text"), [("de", "Was macht Anna?"), ("pt", "O que estudo?"), ("en", "It was hot")]
)
def test_short_questions_have_a_language(language: Language, text: str) -> None:
    assert known_language(text) == language


@pytest.mark.parametrize("text", ["jestem uczulona na laktozę", "k\u0131z\u0131m Defne 4 ya\u015f\u0131nda"])
def test_languages_that_the_model_does_not_speak_are_none_of_its_own(text: str) -> None:
    assert known_language(text) is None


@pytest.mark.parametrize(("language", "text"), [("de", "Ich wohne mit Wałęsa in Köln"), ("fr", "je suis à Łódź")])
def test_foreign_names_do_not_change_the_language(language: Language, text: str) -> None:
    assert known_language(text) == language


def test_a_message_that_does_not_tell_has_the_language_of_the_latest_that_does() -> None:
    assert language_of_message("Rex!", ["Where do I live?", "Ich wohne in Köln.", "Ok"]) == "de"
    assert language_of_message("Rex!") == "en"


def test_a_message_that_does_not_tell_has_the_language_of_what_the_user_said_before() -> None:
    assert language_of_message("Rex!", (), ["Lives in Recife", "Moro em Recife"]) == "pt"
    assert language_of_message("Rex!", ["Ich wohne in Köln."], ["Moro em Recife"]) == "de"
    assert reply_to("O que estudo?", "Moro no Porto e estudo medicina").startswith(PHRASES["pt"].quoted)


def test_all_languages_have_all_phrases() -> None:
    for field in fields(Phrases):
        phrases = [getattr(PHRASES[language], field.name) for language in LANGUAGES]
        assert all(phrases), field.name
        assert len(set(phrases)) >= len(LANGUAGES) - 2, field.name  # "Anotado." is both Spanish and Portuguese


def test_the_description_is_given_once_in_a_thread_of_two_languages() -> None:
    first = answer([HumanMessage("Ich wohne in Köln.")])
    thread = [HumanMessage("Ich wohne in Köln."), AIMessage(first), HumanMessage("What is the capital of Norway?")]
    assert answer(thread) == PHRASES["en"].cannot_answer


@pytest.mark.parametrize(
    ("request_text", "result", "reply"),
    [
        ("Vergiss bitte, dass ich in Kassel wohne.", "Forgotten: Wohnt in Kassel", "Vergessen: Wohnt in Kassel"),
        ("Olvida que vivo en Madrid", "Forgotten: Vive en Madrid", "Olvidado: Vive en Madrid"),
        ("Oublie que j'habite à Lille", ENGLISH.nothing_found, "Rien de tel n'est enregistré."),
        ("Merk dir bitte: ich trinke keinen Kaffee", "Remembered: Ich trinke", "Gemerkt: Ich trinke"),
        (
            "Vergiss meine Katze",
            f"{ENGLISH.choose}\n1. Nothing is forgotten. (2026-01-02)",
            "Noch ist nichts vergessen. Was davon meinst du? Antworte mit Nummern, oder mit „ja“ für alle."
            "\n1. Nothing is forgotten. (2026-01-02)",
        ),
        ("Forget that I live in Leeds", "Forgotten: Lives in Leeds", "Forgotten: Lives in Leeds"),
    ],
)
def test_the_results_of_requests_are_told_in_the_language_of_the_message(
    request_text: str, result: str, reply: str
) -> None:
    assert answer([SystemMessage(f"{DONE}\n{result}"), HumanMessage(request_text)]) == reply


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_every_result_is_translated(language: Language) -> None:
    for field in fields(RequestResults):
        assert getattr(RESULTS[language], field.name) != getattr(ENGLISH, field.name)


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("我的狗叫什么名字", "我的狗叫旺财"),
        ("我叫什么？", "我叫小明"),
        ("我住在哪里", "我住在中山路12号"),
        ("我对什么过敏？", "我对花生过敏"),
        ("我开什么车", "我的车是一辆红色的比亚迪"),
        ("我怎么上班？", "我骑车上班"),
        ("我女儿几岁？", "我女儿八岁了"),
    ],
)
def test_a_chinese_question_is_answered_with_the_statement_that_has_its_words(question: str, statement: str) -> None:
    others = ("我的猫很胖", "我在银行上了三年班", "我儿子喜欢足球")
    assert reply_to(question, statement, *others) == f"{PHRASES['zh'].quoted}\n- {statement}"


@pytest.mark.parametrize(
    ("text", "language"),
    [("你好", "zh"), ("我用 Python 写代码", "zh"), ("I like 火锅", "en"), ("私の犬はポチです", None), ("123", None)],
)
def test_chinese_is_told_from_other_texts_with_its_characters(text: str, language: Language | None) -> None:
    assert known_language(text) == language


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("im dave, software dev in austin", "en"),
        ("whats sarahs last name", "en"),
        ("Was lernt Stefan?", "de"),
        ("Was hat Lena gekauft?", "de"),
    ],
)
def test_the_language_of_a_short_message_without_apostrophes(message: str, expected: Language) -> None:
    assert known_language(message) == expected
