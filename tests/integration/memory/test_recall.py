"""Recall: what is near and still sure comes first, and nothing is told twice."""

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from support.client import ApiClient

NOW = datetime.now(UTC)


async def _import(client: ApiClient, *lines: dict[str, Any]) -> None:
    (await client.http.post("/memories/import", content="\n".join(map(json.dumps, lines)))).raise_for_status()


async def test_a_fact_that_nobody_has_confirmed_for_long_comes_after_one_that_is_sure(ada: ApiClient) -> None:
    long_ago = (NOW - timedelta(weeks=80)).isoformat()
    near = {"kind": "user", "text": "Plays the violin", "confidence": 1.0, "ts": long_ago}
    sure = {"kind": "user", "text": "Plays the violin in a trio", "confidence": 0.9, "ts": NOW.isoformat()}
    await _import(ada, near, sure)
    assert (await ada.send("Do I play the violin?")).recalled == ["Plays the violin in a trio", "Plays the violin"]
    again = {**near, "last_seen": NOW.isoformat(), "id": str(uuid.uuid4()), "text": "Plays the violin well"}
    await _import(ada, again)
    assert (await ada.send("Do I play the violin well?")).recalled[0] == "Plays the violin well"


async def test_a_message_and_what_it_taught_are_not_told_both(ada: ApiClient) -> None:
    thread, message, ts = str(uuid.uuid4()), str(uuid.uuid4()), NOW.isoformat()
    source = {"thread": thread, "message": message, "quote": "I play the violin", "ts": ts}
    await _import(
        ada,
        {
            "place": "inbox",
            "id": message,
            "text": "I play the violin.",
            "source_thread": thread,
            "ts": ts,
        },
        {"kind": "user", "text": "Plays the violin", "ts": ts, "sources": [source]},
    )
    assert (await ada.send("Do I play the violin?")).recalled == ["Plays the violin"]
