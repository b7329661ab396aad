"""`keepsake memories`: what is known about a user, and what was."""

import json
from collections.abc import AsyncIterator
from typing import Any, get_args

import click

from agent import Agent, Category, Kind, Memory, MemoryId, UserId, Version, parse_uuid
from gateway.commands.person import of_a_user
from gateway.shown import shown, shown_version

PAGE = 100

as_json = click.option("--json", "as_json", is_flag=True, help="A line of JSON each, as over HTTP.")


def _parsed(_: click.Context, __: click.Parameter, value: str) -> MemoryId:
    return MemoryId(parse_uuid(value))


memory_id = click.argument("memory", metavar="ID", callback=_parsed)


@click.group()
def memories() -> None:
    """See, search and change what is remembered about a user."""


@memories.command("list")
@click.option("--kind", type=click.Choice(get_args(Kind)))
@as_json
@of_a_user
async def list_(agent: Agent, user: UserId, *, kind: Kind | None, as_json: bool) -> None:
    """List memories, the latest first."""
    async for memory in _all(agent, user, kind):
        _tell(memory, as_json=as_json)


@memories.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, PAGE), default=10, show_default=True)
@as_json
@of_a_user
async def search(agent: Agent, user: UserId, *, query: str, limit: int, as_json: bool) -> None:
    """List what is nearest to QUERY first, each with its score."""
    page = await agent.memories.list_memories(user, kind=None, query=query, limit=limit, cursor=None)
    for memory in page.items:
        _tell(memory, as_json=as_json)


@memories.command()
@memory_id
@as_json
@of_a_user
async def history(agent: Agent, user: UserId, *, memory: MemoryId, as_json: bool) -> None:
    """List what a memory was before, the latest first; each with an id of its own, to be undone by."""
    for version in await agent.memories.history(user, memory):
        _tell_version(version, as_json=as_json)


@memories.command()
@memory_id
@as_json
@of_a_user
async def undo(agent: Agent, user: UserId, *, memory: MemoryId, as_json: bool) -> None:
    """Take back what was last done to a memory, or bring back one that has retired."""
    known = await agent.undo(user, memory)
    if known is not None:
        _tell(known, as_json=as_json)
    elif not as_json:
        click.echo("It is not remembered any more; undo it again to have it back.")


@memories.command()
@click.argument("text")
@click.option("--kind", type=click.Choice(get_args(Kind)), default="user", show_default=True)
@click.option("--category", type=click.Choice(get_args(Category)), default="personal", show_default=True)
@as_json
@of_a_user
async def add(agent: Agent, user: UserId, *, as_json: bool, **memory: Any) -> None:  # noqa: ANN401 - as in `Library.add`
    """Keep TEXT as a memory."""
    _tell(await agent.memories.add(user, **memory), as_json=as_json)


@memories.command()
@memory_id
@click.argument("text")
@as_json
@of_a_user
async def edit(agent: Agent, user: UserId, *, memory: MemoryId, text: str, as_json: bool) -> None:
    """Give a memory other words; the old ones become history."""
    _tell(await agent.memories.edit(user, memory, text=text), as_json=as_json)


@memories.command()
@memory_id
@of_a_user
async def forget(agent: Agent, user: UserId, *, memory: MemoryId) -> None:
    """Forget a memory for ever, with its history, and with what would bring it back."""
    await agent.memories.forget(user, memory)


async def _all(agent: Agent, user: UserId, kind: Kind | None) -> AsyncIterator[Memory]:
    cursor: str | None = "0"
    while cursor is not None:
        page = await agent.memories.list_memories(user, kind=kind, query=None, limit=PAGE, cursor=cursor)
        for memory in page.items:
            yield memory
        cursor = page.next_cursor


def _tell(memory: Memory, *, as_json: bool) -> None:
    if as_json:
        _tell_json(shown(memory))
        return
    score = "" if memory.score is None else f"{memory.score:.2f}  "
    click.echo(f"{memory.id}  {memory.kind:10}  {score}{_in_a_line(memory.text)}")


def _tell_version(version: Version, *, as_json: bool) -> None:
    if as_json:
        _tell_json(shown_version(version))
        return
    text = _in_a_line(version.memory.text)
    click.echo(f"{version.id}  {version.retired_at[:19]}  {version.why} by {version.who}: {text}")


def _tell_json(fields: dict[str, Any]) -> None:
    click.echo(json.dumps(fields, ensure_ascii=False))


def _in_a_line(text: str) -> str:
    return " ".join(text.split())
