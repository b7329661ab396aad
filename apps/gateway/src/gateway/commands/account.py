"""Commands for a user's account: token, export, import, pause, resume and erase."""

import signal
import sys
from collections.abc import AsyncIterator
from typing import BinaryIO, get_args

import click

from agent import Agent, AgentSettings, ImportFormat, UserId, open_agent
from gateway.commands.maintenance import scrub_database
from gateway.commands.runner import run
from gateway.commands.user_command import UnknownUserError, for_any_user, for_existing_user, selected_user
from gateway.server import load_local_sign_in
from gateway.settings import GatewaySettings

CHUNK_BYTES = 1 << 20


@click.command()
@click.option("--user", metavar="NAME", required=True, help="Name at sign-in.")
def token(user: str) -> None:
    """Print a token that is valid for one day, for use with curl."""
    if GatewaySettings().oidc_issuer:
        raise click.ClickException("KEEPSAKE_OIDC_ISSUER is set: only the issuer issues tokens")
    click.echo(run(_issue(user)))


@click.command()
@click.option("-o", "--output", type=click.File("wb"), default="-", help="Output file; standard output by default.")
@for_existing_user
async def export(agent: Agent, user: UserId, *, output: BinaryIO) -> None:
    """Export all memory of a user as JSON lines, which `import` accepts."""
    async for lines in agent.export_memories(user):
        output.write(lines)


@click.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--from", "file_format", type=click.Choice(get_args(ImportFormat)), default="auto", show_default=True)
@click.option("--dry-run", is_flag=True, help="Import nothing, and show what would be imported.")
@for_existing_user
async def import_(agent: Agent, user: UserId, *, file: BinaryIO, file_format: ImportFormat, dry_run: bool) -> None:
    """Import FILE (- for standard input): JSON lines, or an export of another application.

    Of JSON lines, either all are imported or, if one is invalid, none.
    """
    result = await agent.import_memories(user, _chunks(file), file_format=file_format, dry_run=dry_run)
    if dry_run:
        for entry in result.preview:
            click.echo(f"{entry.ts[:10]:10}  {entry.kind:10}  {' '.join(entry.text.split())}")
    unit = "lines" if result.format == "keepsake" else f"memories and messages of {result.format}"
    verb = "would be imported" if dry_run else "imported"
    click.echo(f"{result.imported:,} {unit} {verb}, {result.unchanged:,} unchanged.")
    for reason, count in sorted(result.skipped.items()):
        click.echo(f"{count:,} skipped: {reason.replace('_', ' ')}")
    if result.warning:
        click.echo(result.warning)


@click.command()
@for_existing_user
async def pause(agent: Agent, user: UserId) -> None:
    """Pause a user's memory: nothing is recalled and nothing is saved."""
    await agent.users.update(user, memory_enabled=False)
    click.echo(f"Memory is paused for {selected_user()}.")


@click.command()
@for_existing_user
async def resume(agent: Agent, user: UserId) -> None:
    """Resume a user's memory."""
    await agent.users.update(user, memory_enabled=True)
    click.echo(f"Memory is on for {selected_user()}.")


@click.command()
@click.option("--scrub", is_flag=True, help="Also remove the data from disk, as `keepsake scrub`.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@for_any_user
async def erase(agent: Agent, user: UserId, *, scrub: bool, yes: bool) -> None:
    """Delete a user's account and data permanently; print the number of rows per table."""
    has_account = await agent.users.find(user) is not None
    if has_account and not yes:
        _confirm(f"Permanently delete the account and all data of {selected_user()}?")
    # An interrupted erasure may have left data without an account.
    deleted = await agent.erase(user) if has_account or yes else {}
    if not any(deleted.values()):
        raise UnknownUserError
    for table, rows in deleted.items():
        click.echo(f"{rows:>9,}  {table}")
    if scrub:
        sys.stdout.flush()
        await scrub_database(agent)


def _confirm(question: str) -> None:
    if not sys.stdin.isatty():
        raise click.UsageError("give --yes to confirm: there is no terminal for the question")
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # that of the loop waits for the end of the line
    try:
        click.confirm(question, abort=True)
    finally:
        signal.signal(signal.SIGINT, handler)


async def _issue(user: str) -> str:
    async with open_agent(AgentSettings(), start_worker=False, warm_up=False) as agent:
        access_token, _ = (await load_local_sign_in(agent)).issue(user)
        return access_token


async def _chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        yield chunk
