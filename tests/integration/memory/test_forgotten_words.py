"""What is forgotten remains in no table except those of the conversation itself."""

from support.client import ApiClient
from support.formation import extraction, fact
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI
from support.stored_documents import tables_containing

MEMORY_TABLES = {"store", "store_vectors", "formation", "users"}


async def test_a_forgotten_statement_remains_in_no_table_of_memory(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    text = "I'm a vet in Leeds. I have a peanut allergy."
    extracted = extraction(
        fact("Is a vet in Leeds", "I'm a vet in Leeds"),
        personal_context="Is a vet in Leeds.",
        episode="User is a vet in Leeds and has a peanut allergy.",
    )
    model.script.structured = lambda *_: extracted.model_dump()
    await client.send(text)
    await client.flush()
    [memory] = [one for one in await client.memories(kind="user") if "Leeds" in one["text"]]
    await client.http.patch(f"/memories/{memory['id']}", json={"text": "Is a vet near Leeds"})
    (await client.http.delete(f"/memories/{memory['id']}")).raise_for_status()
    for word in ("Leeds", "leed"):
        assert MEMORY_TABLES.isdisjoint(tables_containing(gateway.database, word))
    assert "peanut" in str(await client.memories())
