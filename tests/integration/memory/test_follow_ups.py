"""Messages that are not understood by themselves are remembered together with what they correct or continue."""

import json
from collections.abc import Sequence

import pytest

from support.client import ApiClient, Json, new_thread
from support.scripted_openai import ScriptedOpenAI

QUESTION = "When is my dentist appointment?"


def extraction(text: str, quote: str) -> Json:
    """The answer of a model that finds one fact, and does not say that it replaces another."""
    memory = {"text": text, "kind": "user", "category": "personal", "confidence": 0.9, "quote": quote}
    memory |= {"standing": False, "until": None, "same_as": None, "replaces": None}
    profile = {"work_context": None, "personal_context": None, "top_of_mind": None}
    return {"memories": [memory], "profile": profile, "episode": ""}


@pytest.mark.parametrize("is_formed", [True, False])
async def test_a_value_corrects_the_statement_before_it(ada: ApiClient, *, is_formed: bool) -> None:
    thread = new_thread()
    await ada.send("My dentist appointment is on Tuesday at 3.", thread=thread)
    if is_formed:
        await ada.flush()
    await ada.send("sorry, I meant Thursday", thread=thread)
    expected = "My dentist appointment is on Thursday at 3"
    [pending] = (await ada.send(QUESTION)).recalled
    assert pending == expected
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"].startswith(expected)
    [recalled] = (await ada.send(QUESTION)).recalled
    assert recalled.startswith(expected)


@pytest.mark.parametrize("is_formed", [True, False])
async def test_of_several_corrections_only_the_last_remains(ada: ApiClient, *, is_formed: bool) -> None:
    thread = new_thread()
    for text in ("My dentist appointment is on Tuesday at 3.", "sorry, I meant Thursday", "no wait, Friday"):
        await ada.send(text, thread=thread)
        if is_formed:
            await ada.flush()
    expected = "My dentist appointment is on Friday at 3"
    [recalled] = (await ada.send(QUESTION)).recalled
    assert recalled.startswith(expected)
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"].startswith(expected)


async def test_an_update_that_names_what_it_changes_is_stored_by_itself(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("My landlord is Mr Kowalski and my rent is 900 euros.", thread=thread)
    await ada.send("The rent goes up to 950 from January.", thread=thread)
    recalled = " ".join((await ada.send("How much is my rent?")).recalled)
    assert ("950" in recalled, "900" in recalled) == (True, False)
    await ada.flush()
    texts = [memory["text"] for memory in await ada.memories()]
    assert "Landlord is Mr Kowalski" in texts
    assert not any("900" in text for text in texts)


async def test_a_correction_with_a_label_is_corrected(ada: ApiClient) -> None:
    thread = new_thread()
    for text in ("Ich habe zwei Katzen", "Korrektur: drei Katzen", "nein, vier, sorry"):
        await ada.send(text, thread=thread)
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"] == "Ich habe vier Katzen"


async def test_a_correction_that_was_forgotten_is_not_repeated_by_the_next(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("My dentist appointment is on Tuesday at 3.", thread=thread)
    await ada.send("sorry, I meant Thursday", thread=thread)
    await ada.flush()
    [memory] = await ada.memories()
    (await ada.http.delete(f"/memories/{memory['id']}")).raise_for_status()
    await ada.send("no wait, Friday", thread=thread)
    await ada.flush()
    assert all("Tuesday" not in one["text"] and "Thursday" not in one["text"] for one in await ada.memories())


async def test_other_facts_of_the_corrected_message_are_kept(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I'm allergic to walnuts. My dentist appointment is on Tuesday.", thread=thread)
    await ada.flush()
    await ada.send("no wait, Thursday", thread=thread)
    await ada.flush()
    texts = [memory["text"] for memory in await ada.memories(kind="user")]
    assert texts == ["Is allergic to walnuts"]


async def test_memories_that_the_user_entered_are_kept(ada: ApiClient) -> None:
    thread = new_thread()
    (await ada.http.post("/memories", json={"text": "Has a cat called Otto"})).raise_for_status()
    await ada.send("My dentist appointment is on Tuesday at 3.", thread=thread)
    await ada.send("sorry, I meant Thursday", thread=thread)
    assert "failed" not in await ada.flush()
    assert [memory["text"] for memory in await ada.memories(kind="user")] == ["Has a cat called Otto"]


async def test_the_replaced_fact_can_be_restored(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("My dentist appointment is on Tuesday at 3.", thread=thread)
    await ada.flush()
    [before] = await ada.memories(kind="user")
    await ada.send("sorry, I meant Thursday", thread=thread)
    await ada.flush()
    assert await ada.memories(kind="user") == []
    [retired] = (await ada.http.get(f"/memories/{before['id']}/history")).json()["items"]
    assert (retired["text"], retired["why"]) == (before["text"], "replaced")


async def test_a_continuation_replaces_no_fact(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I don't drink alcohol.", thread=thread)
    await ada.flush()
    await ada.send("Because my dad drank.", thread=thread)
    await ada.flush()
    texts = {memory["kind"]: memory["text"] for memory in await ada.memories()}
    assert texts == {
        "user": "Does not drink",
        "episodic": "I don't drink alcohol … Because my dad drank.",
    }


async def test_a_correction_in_a_new_thread_means_the_last_statement(ada: ApiClient) -> None:
    await ada.send("My dentist appointment is on Tuesday at 3.")
    await ada.send("sorry, I meant Thursday")
    [pending] = (await ada.send(QUESTION)).recalled
    assert pending == "My dentist appointment is on Thursday at 3"


async def test_the_last_statement_of_another_user_is_never_meant(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send("My dentist appointment is on Tuesday at 3.")
    await bob.send("sorry, I meant Thursday")
    await bob.flush()
    assert all("dentist" not in memory["text"] for memory in await bob.memories())


async def test_an_exported_follow_up_can_be_imported(ada: ApiClient, bob: ApiClient) -> None:
    thread = new_thread()
    await ada.send("My dentist appointment is on Tuesday at 3.", thread=thread)
    await ada.send("sorry, I meant Thursday", thread=thread)
    exported = (await ada.http.get("/memories/export")).content
    [correction] = [line for line in map(json.loads, exported.splitlines()) if line.get("corrects")]
    assert len(correction["follows"]) == 1
    (await bob.http.post("/memories/import", content=exported)).raise_for_status()
    await bob.flush()
    [memory] = await bob.memories()
    assert memory["text"].startswith("My dentist appointment is on Thursday at 3")


@pytest.mark.parametrize("text", ["Dentist appointment is on Thursday at 3", "Is afraid of dentists"])
async def test_a_model_reads_the_message_alone_and_the_correction_is_kept_in_the_users_words(
    client: ApiClient, model: ScriptedOpenAI, text: str
) -> None:
    thread = new_thread()
    stated, correction = "My dentist appointment is on Tuesday at 3.", "sorry, I meant Thursday"
    model.script.reply = lambda _: "Noted."
    model.script.structured = lambda *_: extraction("Dentist appointment is on Tuesday at 3", stated)
    await client.send(stated, thread=thread)
    await client.flush()
    model.script.structured = lambda *_: extraction(text, correction)
    await client.send(correction, thread=thread)
    await client.flush()
    request = str(model.structured_requests()[-1].messages[-1]["content"])
    assert request.endswith(f"user: {correction}\nassistant: Noted.")
    [memory] = await client.memories()
    assert memory["text"].startswith("My dentist appointment is on Thursday at 3")


async def test_a_fact_about_the_statement_before_is_kept(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "Noted."
    await client.send("My mother-in-law Vera is staying with us.", thread=thread)
    model.script.structured = lambda *_: extraction("Mother-in-law Vera snores", "She snores.")
    await client.send("She snores.", thread=thread)
    await client.flush()
    texts = [memory["text"] for memory in await client.memories(kind="user")]
    assert "Mother-in-law Vera snores" in texts


async def test_what_is_said_in_a_role_is_no_fact(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("Let's role-play. You're the innkeeper and I'm a knight called Rolf.", thread=thread)
    await ada.send("I have three castles and I'm allergic to silver.", thread=thread)
    await ada.send("btw I work as a nurse in Oslo.", thread=thread)
    await ada.flush()
    assert [memory["text"] for memory in await ada.memories(kind="user")] == ["Works as a nurse in Oslo"]
    assert all("role-play" in memory["text"] for memory in await ada.memories(kind="episodic"))


async def test_withdrawing_the_statement_removes_its_words_from_the_follow_up(ada: ApiClient) -> None:
    thread = new_thread()
    sent = await ada.send("My dentist appointment is on Tuesday at 3.", thread=thread)
    await ada.send("sorry, I meant Thursday", thread=thread)
    message = sent.data("run.started")["message_id"]
    assert (await ada.http.delete(f"/memories/inbox/{message}")).status_code == 204
    assert (await ada.send(QUESTION)).recalled == []
    await ada.flush()
    assert all("dentist" not in memory["text"] for memory in await ada.memories())


@pytest.mark.parametrize("is_formed", [True, False])
async def test_a_forgotten_statement_is_not_used_again(ada: ApiClient, *, is_formed: bool) -> None:
    thread = new_thread()
    sent = await ada.send("My dentist appointment is on Tuesday at 3.", thread=thread)
    address = f"/memories/inbox/{sent.data('run.started')['message_id']}"
    if is_formed:
        await ada.flush()
        [memory] = await ada.memories()
        address = f"/memories/{memory['id']}"
    (await ada.http.delete(address)).raise_for_status()
    await ada.send("sorry, I meant Thursday", thread=thread)
    await ada.flush()
    assert all("dentist" not in memory["text"] for memory in await ada.memories())


async def test_forgetting_the_statement_removes_its_words_from_the_follow_up(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("My dentist appointment is on Tuesday at 3.", thread=thread)
    await ada.flush()
    [memory] = await ada.memories()
    await ada.send("sorry, I meant Thursday", thread=thread)
    (await ada.http.delete(f"/memories/{memory['id']}")).raise_for_status()
    assert all("dentist" not in text for text in (await ada.send(QUESTION)).recalled)
    await ada.flush()
    assert all("dentist" not in memory["text"] for memory in await ada.memories())


async def test_a_message_of_a_role_play_is_kept_with_what_began_it(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("Let's pretend I'm a doctor called House.", thread=thread)
    await ada.send("My daughter Zoe is allergic to penicillin.", thread=thread)
    kept = "Let's pretend I'm a doctor called House \u2026 My daughter Zoe is allergic to penicillin."
    assert kept in (await ada.send("What is Zoe allergic to?", memory=True)).recalled
    await ada.flush()
    assert [memory["text"] for memory in await ada.memories()] == [kept]


async def test_a_correction_leaves_the_other_statements_of_the_message(ada: ApiClient) -> None:
    await ada.send("I said earlier my dentist is Dr Patel. My GP is Dr Lindqvist and I see a physio called Marta.")
    await ada.flush()
    await ada.send("Oh wait, the dentist is Dr Pavel, not Patel, I misread it.")
    await ada.flush()
    texts = {memory["text"] for memory in await ada.memories()}
    assert "GP is Dr Lindqvist" in texts
    assert "My GP is Dr Lindqvist and I see a physio called Marta." in texts
    assert [text for text in texts if "Patel" in text and "Pavel" not in text] == []


@pytest.mark.parametrize(
    ("answer", "word", "kept"),
    [
        ("Noted.", "plumber", []),
        ("Which town do you live in?", "Skipton", ["(asked: Which town do you live in?) Skipton"]),
        ("Noted.", "vegan", ["vegan"]),
    ],
)
async def test_a_single_word_is_kept_only_if_it_answers_a_question_or_always_matters(
    client: ApiClient, model: ScriptedOpenAI, answer: str, word: str, kept: list[str]
) -> None:
    model.script.reply = lambda _: answer
    model.script.structured = lambda *_: extraction("", "") | {"memories": []}
    thread = new_thread()
    await client.send("Hello", thread=thread)
    await client.send(word, thread=thread)
    await client.flush()
    assert [memory["text"] for memory in await client.memories()] == kept


@pytest.mark.parametrize(
    "messages",
    [
        ("changed my door code to 5521", "actually no it's 5512"),
        ("We bought a canoe", "changed the wifi password to pike88", "sorry, pike98"),
    ],
)
async def test_a_correction_of_a_credential_is_not_kept(ada: ApiClient, messages: Sequence[str]) -> None:
    thread = new_thread()
    for message in messages:
        await ada.send(message, thread=thread)
    assert not any("55" in text or "pike" in text for text in (await ada.send("What was it?")).recalled)
    await ada.flush()
    assert not any("55" in memory["text"] or "pike" in memory["text"] for memory in await ada.memories())
