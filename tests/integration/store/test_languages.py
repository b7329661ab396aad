"""The words of a query find texts in any language, whatever language is configured."""

from typing import cast

import pytest
from langgraph.store.base import PutOp, SearchItem

from agent.store import ExactPostgresStore
from agent.store.operations import UnindexedSearchOp, WordSearchOp
from integration.store.embedder import WordEmbedder
from integration.store.stores import EXACT, STOCK, Namespace, Store, indexed, keys_of, opened, rows

OTHERS = {
    "german": ["Das Wetter war am Wochenende schlecht", "Mein Bruder kauft ein Fahrrad", "Wir haben Tomaten gepflanzt"],
    "spanish": ["El tiempo fue muy malo", "Mi primo se compra una bicicleta", "Hemos plantado tomates"],
    "french": ["Le temps était mauvais", "Mon cousin s'achète un vélo", "Nous avons planté des tomates"],
    "russian": ["Погода была плохая", "Мой брат покупает велосипед", "Мы посадили помидоры"],
    "greek": ["Καιρός κακός", "Αδελφός μου αγοράζει ποδήλατο", "Φυτέψαμε ντομάτες"],
    "chinese": ["周末的天气非常不好", "我表哥想买一辆新自行车", "我们在花园里种了西红柿"],
    "japanese": ["週末の天気は悪かったです", "いとこは自転車を買います", "庭にトマトを植えました"],
    "korean": ["주말 날씨가 나빴어요", "사촌이 자전거를 사요", "정원에 토마토를 심었어요"],
    "thai": ["อากาศแย่มาก", "พี่ชายซื้อจักรยานใหม่", "เราปลูกมะเขือเทศในสวน"],
}

FOUND = [
    ("german", "Ich spiele Geige", "Welches Instrument spielst du?"),
    ("german", "Ich spiele Geige", "spielen"),
    ("german", "Ich wohne in der Bahnhofstraße", "bahnhofstrasse"),
    ("german", "Sie mag Äpfel", "Wer mag einen Apfel?"),
    ("spanish", "¿Dónde está mi canción?", "cancion"),
    ("spanish", "Toqué las canciones con el niño", "¿De qué era la canción de los niños?"),
    ("french", "Ma sœur Élise chante des opéras", "soeur elise"),
    ("french", "Ma sœur Élise chante des opéras", "Qui est-ce qui a chanté un opéra ?"),
    ("russian", "Я играю на скрипке", "Что ты знаешь про скрипку?"),
    ("russian", "Мой попугай жёлтый", "желтый"),
    ("greek", "Παίζω βιολί", "βιολι"),
    ("chinese", "我对花生过敏", "花生"),
    ("chinese", "我对花生过敏", "你还记得我上次说的是对什么食物过敏吗"),
    ("chinese", "我养了一只猫", "猫"),
    ("chinese", "我对花生过敏", "花生 and other nuts"),
    ("japanese", "私はピーナッツアレルギーです", "何のアレルギーですか"),
    ("japanese", "日曜日はいつも山に行きます", "山"),
    ("japanese", "私はﾋﾟｰﾅｯﾂが好きです", "ピーナッツ"),
    ("korean", "저는 땅콩 알레르기가 있어요", "알레르기"),
    ("thai", "ฉันแพ้ถั่วลิสง", "ถั่วลิสง"),
    ("thai", "ฉันแพ้ถั่วลิสง", "ฉันแพ้ถั่วอะไร"),
]


async def _put(store: Store, home: Namespace, *texts: str) -> None:
    await store.abatch([PutOp(home, str(key), {"text": text}) for key, text in enumerate(texts)])


@pytest.mark.parametrize(("language", "text", "query"), FOUND)
async def test_a_text_is_found_by_its_words(
    exact: Store, home: Namespace, language: str, text: str, query: str
) -> None:
    await _put(exact, home, *OTHERS[language], text)
    [found] = await exact.asearch(home, query=query, limit=1)
    assert found.value["text"] == text


@pytest.mark.parametrize(("language", "text", "query"), FOUND)
async def test_a_text_is_found_by_its_words_alone(
    exact: ExactPostgresStore, home: Namespace, language: str, text: str, query: str
) -> None:
    await _put(exact, home, *OTHERS[language])
    await exact.aput(home, "unindexed", {"text": text}, index=False)
    by_words = await exact.abatch([op(home, query=query, limit=9) for op in (WordSearchOp, UnindexedSearchOp)])
    [found, *_], [only] = cast("list[list[SearchItem]]", by_words)
    assert found.key == only.key == "unindexed"


@pytest.mark.parametrize(
    ("query", "key"),
    [("Where does my cat sleep?", "0"), ("Wo wohnt mein Bruder?", "1"), ("我喜欢喝什么茶", "2"), ("Momo", "0")],
)
async def test_a_user_may_mix_languages(exact: Store, home: Namespace, query: str, key: str) -> None:
    texts = (
        "My cat Momo sleeps on the sofa",
        "Meine Brüder wohnen in Köln",
        "我早上喜欢喝绿茶",
        "Ma voiture est rouge",
    )
    await _put(exact, home, *texts)
    assert keys_of(await exact.asearch(home, query=query, limit=1)) == [key]


@pytest.mark.parametrize("query", ["old man", "MAN", "die hard", "war"])
async def test_words_of_english_are_not_dropped_as_stop_words_of_others(
    exact: Store, home: Namespace, query: str
) -> None:
    await _put(exact, home, "The weather was bad", "An old man", "A die-hard fan", "A long war", "We planted tomatoes")
    [found] = await exact.asearch(home, query=query, limit=1)
    assert query.lower().removeprefix("old ").removeprefix("die ") in found.value["text"]


async def test_frequent_parts_of_chinese_questions_do_not_outweigh_their_subject(exact: Store, home: Namespace) -> None:
    await _put(exact, home, "你说什么是什么", "我是在这里的", "安娜不能喝牛奶")
    [found] = await exact.asearch(home, query="什么是谁说的牛奶", limit=1)
    assert found.key == "2"


async def test_results_in_many_languages_do_not_depend_on_physical_order(exact_uri: str, home: Namespace) -> None:
    async with opened(EXACT, exact_uri, index=indexed(WordEmbedder())) as store:
        await _put(store, home, *(text for texts in OTHERS.values() for text in texts))
        found = [keys_of(await store.asearch(home, query=query, limit=9)) for _, _, query in FOUND]
        await rows(exact_uri, "UPDATE store_vectors SET updated_at = now() WHERE hashtext(key) %% 2 = %s", 0)
        assert [keys_of(await store.asearch(home, query=query, limit=9)) for _, _, query in FOUND] == found


async def test_words_of_an_earlier_version_are_extracted_again(new_database: str) -> None:
    home, stock_home = ("users", "ada"), ("users", "bob")
    async with opened(EXACT, new_database, index=indexed(WordEmbedder())) as store:
        await store.setup()
        await _put(store, home, *(f"{text} {n}" for n in range(60) for text in OTHERS["chinese"]), "我对花生过敏")
    before = await rows(new_database, "SELECT prefix, key, words FROM store_vectors ORDER BY key")
    await rows(new_database, "UPDATE store_vectors SET words = to_tsvector('english', 'of an earlier version')")
    await rows(new_database, "COMMENT ON COLUMN store_vectors.words IS 'english'")
    async with opened(STOCK, new_database, index=indexed(WordEmbedder())) as stock:
        await _put(stock, stock_home, "我对花生过敏")
    async with opened(EXACT, new_database, index=indexed(WordEmbedder())) as store:
        await store.setup()
        for namespace, key in ((home, str(len(before) - 1)), (stock_home, "0")):
            assert keys_of(await store.asearch(namespace, query="花生", limit=1)) == [key]
    after = "SELECT prefix, key, words FROM store_vectors WHERE prefix = 'users.ada' ORDER BY key"
    assert await rows(new_database, after) == before
