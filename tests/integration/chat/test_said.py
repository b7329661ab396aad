"""Questions for what was said in a period, and for when something was said."""

import json
import uuid
from datetime import UTC, datetime, timedelta

from agent.memory.recall.tip import RECALLED_HEADER
from support.client import ApiClient, new_thread
from support.scripted_openai import ScriptedOpenAI

NOW = datetime.now(UTC)
YESTERDAY, LAST_WEEK = NOW - timedelta(days=1), NOW - timedelta(days=7)


async def _import(client: ApiClient, *said: tuple[str, datetime]) -> None:
    lines = []
    for text, time in said:
        ts = time.isoformat()
        source = {"thread": str(uuid.uuid4()), "message": str(uuid.uuid4()), "quote": text, "ts": ts}
        lines.append(json.dumps({"kind": "user", "text": text, "ts": ts, "sources": [source]}))
    (await client.http.post("/memories/import", content="\n".join(lines))).raise_for_status()


def _day(time: datetime) -> str:
    return f"{time.day} {time:%B %Y}"


async def test_only_what_was_said_in_the_period_is_recalled(ada: ApiClient) -> None:
    await _import(
        ada, ("Has a cat called Miso", YESTERDAY), ("Is allergic to nuts", YESTERDAY), ("Plays chess", LAST_WEEK)
    )
    await ada.send("I bought a red bike.")
    reply = await ada.send("What did I tell you yesterday?")
    assert set(reply.text.splitlines()) == {
        f"You told me on {_day(YESTERDAY)}:",
        "- Has a cat called Miso",
        "- Is allergic to nuts",
    }
    assert "Plays chess" in (await ada.send("What did I tell you last week?")).text
    before = await ada.send("What did I tell you the day before yesterday?")
    assert before.text.startswith(f"You told me nothing on {_day(NOW - timedelta(days=2))}.")


async def test_what_was_said_in_the_thread_today_counts(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I bought a red bike.", thread=thread)
    await _import(ada, ("Plays chess", YESTERDAY))
    for question in ("What did I tell you today?", "What was the last thing I told you?"):
        reply = await ada.send(question, thread=thread)
        assert "a red bike" in reply.text
        assert "chess" not in reply.text
    await ada.flush()
    assert await ada.memories(q="What did I tell you today?") != []
    assert all("tell" not in memory["text"] for memory in await ada.memories())


async def test_the_day_is_that_of_the_users_time_zone(ada: ApiClient) -> None:
    (await ada.http.patch("/me", json={"time_zone": "Asia/Tokyo"})).raise_for_status()
    await _import(ada, ("Is training for the Leeds marathon", datetime(2026, 10, 3, 20, tzinfo=UTC)))
    reply = await ada.send("When did I tell you about the marathon?")
    assert reply.text == "You told me on 4 October 2026:\n- Is training for the Leeds marathon"


async def test_a_topic_leaves_out_what_else_was_said(ada: ApiClient) -> None:
    await _import(ada, ("Got promoted at work", YESTERDAY), ("Has a cat called Miso", YESTERDAY))
    assert "Miso" not in (await ada.send("What did I tell you about work yesterday?")).text
    assert "Miso" in (await ada.send("Have I told you about my cat?")).text
    denial = await ada.send("Did I ever mention a dog?")
    assert denial.text.startswith("You have not told me anything about that yet.")


async def test_a_language_model_learns_which_period_was_searched(client: ApiClient, model: ScriptedOpenAI) -> None:
    await client.send("What did I tell you yesterday?")
    *_, recalled, _ = model.chat_requests()[-1].messages
    assert recalled["content"] == f"{RECALLED_HEADER}\nSaid {YESTERDAY:%Y-%m-%d}, the period asked about: nothing."
    await _import(client, ("Has a cat called Miso", YESTERDAY))
    await client.send("What did I tell you yesterday?")
    *_, recalled, _ = model.chat_requests()[-1].messages
    assert str(recalled["content"]).endswith(f"the period asked about:\n{YESTERDAY:%Y-%m-%d}:\n- Has a cat called Miso")
