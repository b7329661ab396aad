"""Questions and statements without a question mark, in several languages."""

import pytest

from agent.language.facts.extraction import contains_only_requests
from agent.language.parsing.sentences import is_request
from support.growth import MAX_GROWTH, growth

QUESTIONS = [
    "我在昆明开什么店",
    "我妹妹住在哪里",
    "我的狗叫什么名字",
    "谁教我弹钢琴",
    "我一个月交多少房租",
    "我是不是对花生过敏",
    "我会说法语吗",
    "私の犬の名前は何ですか",
    "私はどこで働いているの",
    "متى موعد طبيب الأسنان",
    "هل أنا نباتي",
    "في أي مدينة أعيش",
    "ما اسم قطتي",
    "in welcher Stadt wohne ich",
    "seit wann spiele ich Geige",
    "wie heißt mein Kater",
    "en qué ciudad vivo",
    "con quién voy a Lisboa",
    "cual es mi color favorito",
    "como se llama mi perra",
    "c'est quand mon rendez-vous",
    "dans quelle ville j'habite",
    "je travaille où",
    "in che città vivo",
    "com quem eu moro",
    "when is my appointment",
]
STATEMENTS = [
    "我什么都吃",
    "我没什么忌口",
    "我有几个朋友住在昆明",
    "我在昆明开了一家书店",
    "谁都喜欢我做的面",
    "私は毎朝コーヒーを飲みます",
    "いつか日本に行きたい",
    "ما أحب السمك",
    "من دبي وأعمل مهندسا",
    "أعيش في مدينة صغيرة",
    "mit meiner Schwester wohne ich in Bonn",
    "in Bonn wohne ich",
    "como carne todos los días",
    "cuando llueve, me duele la rodilla",
    "a mi hijo le gusta el fútbol",
    "de Lima vengo yo",
    "j'habite à Nantes avec ma sœur",
    "je mange n'importe quoi",
    "de ma fenêtre je vois la mer",
    "a Torino ho due gatti",
    "com a minha irmã moro no Porto",
    "I live where the tram ends",
]


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_needs_no_question_mark(text: str) -> None:
    assert is_request(text, (0, len(text)))
    assert contains_only_requests(text)


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_question_word_does_not_make_a_question(text: str) -> None:
    assert is_request(text, (0, len(text))) is False


@pytest.mark.parametrize("part", ["什么", "où ", "いつ", "c'est ", "a "])
def test_the_time_for_a_text_is_linear(part: str) -> None:
    assert growth(lambda text: is_request(text, (0, len(text))), part) < MAX_GROWTH
