"""Recall over HTTP: ranking by similarity and confidence, without duplicates."""

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from support.client import ApiClient

NOW = datetime.now(UTC)


async def _import(client: ApiClient, *lines: dict[str, Any]) -> None:
    (await client.http.post("/memories/import", content="\n".join(map(json.dumps, lines)))).raise_for_status()


async def test_facts_confirmed_long_ago_rank_below_recent_ones(ada: ApiClient) -> None:
    long_ago = (NOW - timedelta(weeks=80)).isoformat()
    old = {"kind": "user", "text": "Plays the violin", "confidence": 1.0, "ts": long_ago}
    recent = {"kind": "user", "text": "Plays the violin in a trio", "confidence": 0.9, "ts": NOW.isoformat()}
    await _import(ada, old, recent)
    assert (await ada.send("Do I play the violin?")).recalled == ["Plays the violin in a trio", "Plays the violin"]
    confirmed = {**old, "last_seen": NOW.isoformat(), "id": str(uuid.uuid4()), "text": "Plays the violin well"}
    await _import(ada, confirmed)
    assert (await ada.send("Do I play the violin well?")).recalled[0] == "Plays the violin well"


async def test_an_inbox_item_is_not_recalled_together_with_its_fact(ada: ApiClient) -> None:
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
