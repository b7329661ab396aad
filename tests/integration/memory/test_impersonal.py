"""Statements that are not about the user."""

from support.client import ApiClient, new_thread


async def test_a_remark_on_an_answer_is_neither_recalled_nor_kept(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("What is the capital of Turkey?", thread=thread)
    await ada.send("it's Ankara, not Istanbul", thread=thread)
    await ada.send("that function returns None when the list is empty", thread=thread)
    assert (await ada.send("Ankara")).recalled == []
    await ada.flush()
    assert await ada.memories() == []


async def test_what_the_user_asks_to_remember_may_be_general(ada: ApiClient) -> None:
    await ada.send("remember that the capital of Canada is Ottawa")
    await ada.flush()
    [memory] = await ada.memories()
    assert "Ottawa" in memory["text"]
