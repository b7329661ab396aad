"""Each request of the guide is carried out, and is no statement."""

import re
from pathlib import Path

from agent.models.offline_phrases import PHRASES
from support.client import ApiClient, new_thread, signed_in
from support.gateway import RunningGateway

GUIDE = Path(__file__).parents[3] / "docs" / "chat.md"
EXAMPLES = re.findall(r"^\| \*(.+?)\* \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
FACTS = (
    "I live in Leeds. I work at Lidl. My weight is 80 kg. My dog is called Rex. I drive a Volvo. My sister is a nurse."
    " My ex is called Tom. My dentist appointment is tomorrow at 3."
)
REFERS = re.compile(r"That's|Pin that")
STATES = re.compile(r"Remember|Remind|Change|Rename|You got|Stop mentioning")
"""The examples that also state something."""


async def test_every_example_is_carried_out(shared_gateway: RunningGateway) -> None:
    failed = []
    for example in EXAMPLES:
        async with signed_in(shared_gateway.url) as client:
            if not await _is_carried_out(client, example):
                failed.append(example)
    assert (len(EXAMPLES) > 20, failed) == (True, [])


async def _is_carried_out(client: ApiClient, example: str) -> bool:
    """Send an example in a thread that states facts and, before a reference, shows one of them."""
    thread = new_thread()
    await client.send(FACTS, thread=thread)
    if REFERS.match(example):
        await client.send("Where do I live?", thread=thread)
    reply = (await client.send(example, thread=thread)).text
    pending = [one for one in (await client.http.get("/memories/inbox")).json()["items"] if one["recallable"]]
    is_stored = any(example.rstrip(".?") in one["text"] for one in pending)
    phrases = PHRASES["en"]
    reply = reply.removeprefix(phrases.cannot_remind)
    is_understood = not any(one in reply for one in (phrases.cannot_answer, phrases.noted, phrases.nothing_known))
    return is_understood and (not is_stored or STATES.match(example) is not None)
