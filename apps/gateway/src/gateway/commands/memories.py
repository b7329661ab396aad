"""`keepsake memories`: view, search and change the memories of a user."""

import json
from collections.abc import AsyncIterator
from typing import Any, get_args

import click

import agent as api
from agent import Agent, Category, InvalidIdError, Kind, MemoryId, Statement, UserId, parse_uuid
from gateway.commands.user_command import for_existing_user
from gateway.schemas.memories import Memory, MemoryVersion

PAGE_SIZE = 100

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line, as over HTTP.")
memory_id = click.argument("memory", metavar="ID", callback=lambda _, __, value: MemoryId(parse_uuid(value)))


@click.group()
def memories() -> None:
    """View, search and change the memories of a user."""


@memories.command("list")
@click.option("--kind", type=click.Choice(get_args(Kind)))
@as_json
@for_existing_user
async def list_(agent: Agent, user: UserId, *, kind: Kind | None, as_json: bool) -> None:
    """List memories, the latest first."""
    async for memory in _list_all(agent, user, kind):
        _print_memory(memory, as_json=as_json)


@memories.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, PAGE_SIZE), default=10, show_default=True)
@as_json
@for_existing_user
async def search(agent: Agent, user: UserId, *, query: str, limit: int, as_json: bool) -> None:
    """List the memories that match QUERY best, the best first."""
    page = await agent.memories.list_memories(user, kind=None, query=query, limit=limit, cursor=None)
    for memory in page.items:
        _print_memory(memory, as_json=as_json)


@memories.command()
@memory_id
@as_json
@for_existing_user
async def history(agent: Agent, user: UserId, *, memory: MemoryId, as_json: bool) -> None:
    """List earlier versions of a memory, the latest first. `undo` accepts their ids."""
    for version in await agent.memories.history(user, memory):
        text = _one_line(version.memory.text)
        line = f"{version.id}  {version.retired_at[:19]}  {version.reason} by {version.actor}: {text}"
        click.echo(_to_json(MemoryVersion.of_version(version)) if as_json else line)


@memories.command()
@memory_id
@as_json
@for_existing_user
async def undo(agent: Agent, user: UserId, *, memory: MemoryId, as_json: bool) -> None:
    """Undo the last change to a memory, or restore a retired one."""
    restored = await agent.undo(user, memory)
    if restored is not None:
        _print_memory(restored, as_json=as_json)
    elif not as_json:
        click.echo("The memory is retired. Run undo again to restore it.")


@memories.command()
@click.argument("text")
@click.option("--kind", type=click.Choice(get_args(Kind)), default="user", show_default=True)
@click.option("--category", type=click.Choice(get_args(Category)), default="personal", show_default=True)
@as_json
@for_existing_user
async def add(agent: Agent, user: UserId, *, as_json: bool, **memory: Any) -> None:  # noqa: ANN401 - as in `Library.add`
    """Add a memory."""
    _print_memory(await agent.memories.add(user, **memory), as_json=as_json)


@memories.command()
@memory_id
@click.argument("text")
@as_json
@for_existing_user
async def edit(agent: Agent, user: UserId, *, memory: MemoryId, text: str, as_json: bool) -> None:
    """Change the text of a memory. The old text stays in its history."""
    _print_memory(await agent.memories.edit(user, memory, text=text), as_json=as_json)


@memories.command()
@memory_id
@for_existing_user
async def pin(agent: Agent, user: UserId, *, memory: MemoryId) -> None:
    """Include a memory in every prompt."""
    await agent.memories.edit(user, memory, pinned=True)


@memories.command()
@memory_id
@for_existing_user
async def unpin(agent: Agent, user: UserId, *, memory: MemoryId) -> None:
    """Recall a memory only for messages to which it is relevant."""
    await agent.memories.edit(user, memory, pinned=False)


@memories.command()
@click.argument("what", nargs=-1, required=True)
@click.option("--now", is_flag=True, help="Delete permanently, without undo. WHAT must be ids.")
@for_existing_user
async def forget(agent: Agent, user: UserId, *, what: tuple[str, ...], now: bool) -> None:
    """Forget memories with everything that comes from the same words; undo restores them for one day.

    WHAT: ids, or words ("that I live in Oslo", "everything about Oslo"). If the words may mean several memories, these
    are listed, and nothing is forgotten. Memories that also state something else are listed and kept.
    """
    ids = [_memory_id(one) for one in what]
    if now:
        for memory in ids:
            await agent.memories.forget(user, MemoryId(parse_uuid(memory or what[0])))
        return
    spared: tuple[Statement, ...] = ()
    if None in ids:
        selection = await agent.memories.find_statements(user, " ".join(what))
        statements, spared = selection.certain, selection.offered
        for one in selection.offered:
            click.echo(f"{one.id}  {_one_line(one.text)}")
        if not statements:
            raise click.ClickException(
                "nothing is forgotten yet: give the id" if selection.offered else "nothing like that is remembered"
            )
    else:
        memories = [await agent.memories.get(user, memory) for memory in ids if memory]
        statements = tuple(Statement(memory.id, memory.text, memory.ts) for memory in memories)
    for text in await agent.memories.withdraw(user, statements, spared=spared):
        click.echo(f"Forgotten: {_one_line(text)}")


def _memory_id(text: str) -> MemoryId | None:
    try:
        return MemoryId(parse_uuid(text))
    except InvalidIdError:
        return None


async def _list_all(agent: Agent, user: UserId, kind: Kind | None) -> AsyncIterator[api.Memory]:
    cursor: str | None = "0"
    while cursor is not None:
        page = await agent.memories.list_memories(user, kind=kind, query=None, limit=PAGE_SIZE, cursor=cursor)
        for memory in page.items:
            yield memory
        cursor = page.next_cursor


def _print_memory(memory: api.Memory, *, as_json: bool) -> None:
    text = f"{memory.id}  {memory.kind:10}  {_one_line(memory.text)}"
    click.echo(_to_json(Memory.of(memory)) if as_json else text)


def _to_json(memory: Memory) -> str:
    return json.dumps(memory.model_dump(), ensure_ascii=False)


def _one_line(text: str) -> str:
    return " ".join(text.split())
