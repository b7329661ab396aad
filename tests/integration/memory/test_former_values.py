"""Former values are recalled for questions for them, and only then, until they are forgotten."""

from support.client import ApiClient

QUESTION = "Where did I live before?"
FORMER = "Lives in Oslo"


async def _move(client: ApiClient) -> None:
    for text in ("I live in Oslo.", "I moved to Bergen."):
        await client.send(text)
        await client.flush()


async def test_a_question_for_a_former_value_recalls_what_was_replaced(ada: ApiClient) -> None:
    await _move(ada)
    asked = await ada.send(QUESTION)
    assert FORMER in asked.recalled
    assert f"{FORMER} (until " in asked.text
    assert FORMER not in (await ada.send("Where do I live?")).recalled


async def test_a_forgotten_former_value_is_not_recalled(ada: ApiClient) -> None:
    await _move(ada)
    assert (await ada.send("Forget that I lived in Oslo.")).text.startswith(f"Forgotten: {FORMER}")
    asked = await ada.send(QUESTION)
    assert not any("Oslo" in text for text in asked.recalled)


async def test_what_a_forgotten_memory_replaced_is_not_recalled(ada: ApiClient) -> None:
    await _move(ada)
    await ada.send("Forget that I moved to Bergen.")
    assert not any("Oslo" in text for text in (await ada.send(QUESTION)).recalled)
