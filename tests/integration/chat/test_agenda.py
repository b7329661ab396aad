"""Questions for what takes place in a period, and next."""

import json
import uuid
from datetime import UTC, datetime, timedelta

from agent.memory.recall.tip import RECALLED_HEADER
from support.client import ApiClient
from support.scripted_openai import ScriptedOpenAI

NOW = datetime.now(UTC)


def _day(days: int) -> str:
    day = NOW + timedelta(days)
    return f"{day.day} {day:%B %Y}"


async def _import(client: ApiClient, *texts: str, days_ago: int = 0, kind: str = "user") -> None:
    ts = (NOW - timedelta(days_ago)).isoformat()
    source = {"thread": str(uuid.uuid4()), "message": str(uuid.uuid4()), "ts": ts}
    lines = [
        json.dumps({"kind": kind, "text": text, "ts": ts, "sources": [{**source, "quote": text}]}) for text in texts
    ]
    (await client.http.post("/memories/import", content="\n".join(lines))).raise_for_status()


async def test_plans_are_listed_in_the_order_of_time_from_memories_and_pending_messages(ada: ApiClient) -> None:
    await _import(ada, f"Dentist on {_day(1)} at 15:00", "Is vegan", f"Concert on {_day(9)}", "Plays the violin")
    await ada.send("I have yoga tomorrow at 8")
    reply = await ada.send("What do I have on tomorrow?")
    assert (
        reply.text == f"Planned on {_day(1)}:\n- I have yoga tomorrow at 8 ({_day(1)})\n- Dentist on {_day(1)} at 15:00"
    )
    following = await ada.send("When is my next appointment?")
    assert following.text.splitlines()[0] == f"Next, on {_day(1)}:"
    assert "yoga" in following.text
    free = await ada.send("Am I free the day after tomorrow?")
    assert free.text.startswith(f"You told me of nothing planned on {_day(2)}.")


async def test_what_is_over_is_not_presented_as_coming(ada: ApiClient) -> None:
    await _import(
        ada, "I have a dentist appointment tomorrow", "I'm in Paris until tomorrow", days_ago=5, kind="episodic"
    )
    assert "dentist" not in (await ada.send("What's coming up?")).text
    assert "Paris" not in (await ada.send("Where am I right now?")).text


async def test_the_day_is_that_of_the_users_time_zone(ada: ApiClient) -> None:
    (await ada.http.patch("/me", json={"time_zone": "Pacific/Kiritimati"})).raise_for_status()
    local = datetime.now(UTC) + timedelta(hours=14)
    tomorrow = local.date() + timedelta(1)
    await _import(ada, f"Dentist on {tomorrow.day} {tomorrow:%B %Y}")
    assert "Dentist" in (await ada.send("What do I have on tomorrow?")).text


async def test_a_language_model_learns_which_period_was_searched(client: ApiClient, model: ScriptedOpenAI) -> None:
    await _import(client, "Plays the violin")
    await client.send("Am I free tomorrow?")
    *_, recalled, _ = model.chat_requests()[-1].messages
    tomorrow = f"{NOW + timedelta(1):%Y-%m-%d}"
    heading = f"{RECALLED_HEADER}\nPlanned for {tomorrow}, the period asked about:"
    assert recalled["content"] == f"{heading} nothing that they told."
