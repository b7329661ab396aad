"""A user's account as a whole: taken out, brought in, paused, erased."""

import sys
from collections.abc import AsyncIterator
from typing import BinaryIO

import click

from agent import Agent, UserId
from gateway.commands.person import of_a_user, of_anybody

PIECE_BYTES = 1 << 20


@click.command()
@click.option("-o", "--output", type=click.File("wb"), default="-", help="A file; else it is printed.")
@of_a_user
async def export(agent: Agent, user: UserId, *, output: BinaryIO) -> None:
    """Write everything that memory holds of a user, a line of JSON each, as `import` takes it."""
    async for lines in agent.export_memories(user):
        output.write(lines)


@click.command("import")
@click.argument("file", type=click.File("rb"))
@of_a_user
async def import_(agent: Agent, user: UserId, *, file: BinaryIO) -> None:
    """Take memories in from FILE, or from - what is typed: all of it or, if a line is wrong, nothing."""
    done = await agent.import_memories(user, _pieces(file))
    click.echo(f"{done.imported:,} lines are taken in; {done.unchanged:,} were there already.")


@click.command()
@of_a_user
async def pause(agent: Agent, user: UserId) -> None:
    """Let memory neither be read nor written in a user's answers."""
    await agent.users.set_memory_enabled(user, enabled=False)


@click.command()
@of_a_user
async def resume(agent: Agent, user: UserId) -> None:
    """Let memory be read and written in a user's answers again."""
    await agent.users.set_memory_enabled(user, enabled=True)


@click.command()
@click.option("--scrub", is_flag=True, help="Take it off the disk, too: rewrites the tables, which others wait for.")
@of_anybody
async def erase(agent: Agent, user: UserId, *, scrub: bool) -> None:
    """Delete a user's account and everything in it; tell how many rows of each table."""
    for table, rows in (await agent.erase(user)).items():
        click.echo(f"{rows:>9,}  {table}")
    if scrub:
        sys.stdout.flush()
        await agent.scrub()
        click.echo(
            "The database's files hold nothing of it any more. Backups, replicas and archives are yours to clear."
        )


async def _pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    while piece := file.read(PIECE_BYTES):
        yield piece
