"""`keepsake reembed`, `keepsake repartition`, `keepsake scrub` and `keepsake doctor`."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import click

from agent import Agent, AgentSettings, Progress, diagnose, open_agent, reembed_database, repartition_database
from gateway.commands.runner import run

INTERRUPTED = 130  # the exit status of a shell after Ctrl-C
PROGRESS_SECONDS = 10.0
COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}


async def scrub_database(agent: Agent) -> None:
    """Remove deleted data from disk, and print where else it may remain."""
    await agent.scrub()
    click.echo("The data is removed from the database files. Backups, replicas and archives may still contain it.")


@click.command()
def reembed() -> None:
    """Convert the vectors of all memories to the configured model, while Keepsake runs with the old one."""
    try:
        run(_reembed(AgentSettings()))
    except KeyboardInterrupt:
        click.echo("\nStopped. Converted texts are kept: run `keepsake reembed` again to continue.")
        sys.exit(INTERRUPTED)


@click.command()
def repartition() -> None:
    """Convert the tables of memories to KEEPSAKE_STORE_PARTITIONS hash partitions, while Keepsake is stopped."""
    try:
        result = run(repartition_database(AgentSettings()))
    except KeyboardInterrupt:
        click.echo("\nStopped. The tables are converted completely or not at all; `keepsake doctor` shows which.")
        sys.exit(INTERRUPTED)
    partitions = f"{result.partitions} partitions" if result.partitions else "one table"
    if not result.rows:
        click.echo(f"Nothing to do: the memories are in {partitions}.")
    for table, rows in result.rows.items():
        click.echo(f"{table}: {rows:,} rows in {partitions}")


@click.command()
def scrub() -> None:
    """Remove deleted data from disk; rewrites and locks the tables."""
    run(_scrub(AgentSettings()))


@click.command()
def doctor() -> None:
    """Check the installation without changing anything; exit with status 1 if there is a problem."""
    if run(_doctor(AgentSettings())):
        sys.exit(1)


async def _doctor(settings: AgentSettings) -> bool:
    problems = 0
    async for finding in diagnose(settings):
        problems += finding.level == "problem"
        level = click.style(f"{finding.level:8}", fg=COLOURS[finding.level])
        click.echo(f"{level} {finding.subject}: {finding.message}")
    return problems > 0


async def _scrub(settings: AgentSettings) -> None:
    async with open_agent(settings, start_worker=False, warm_up=False) as agent:
        await scrub_database(agent)


async def _reembed(settings: AgentSettings) -> None:
    model = f"{settings.embedder} ({settings.dims} dimensions)"
    async with contextlib.aclosing(reembed_database(settings)) as conversion:
        first = await anext(conversion, None)
        if first is None:
            click.echo(f"Nothing to do: all vectors are from {model}.")
            return
        if first.dropped:
            click.echo(f"Discarded an unfinished conversion to {first.dropped}.")
        elif first.done:
            click.echo(f"{first.done:,} of {first.total:,} texts are already converted.")
        with _progress_display(first) as show:
            async for progress in conversion:
                show(progress)
    click.echo(f"{first.total:,} texts have vectors from {model}.")
    click.echo("Restart Keepsake with these settings: searches with the old model fail from now on.")


@contextlib.contextmanager
def _progress_display(first: Progress) -> Iterator[Callable[[Progress], None]]:
    if sys.stdout.isatty():
        with click.progressbar(length=first.total - first.done, label="Converting", show_pos=True) as bar:
            yield lambda progress: bar.update(progress.done - first.done - bar.pos)
        return
    started_at = printed_at = time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal printed_at
        now = time.monotonic()
        if now - printed_at < PROGRESS_SECONDS and progress.done < progress.total:
            return
        printed_at = now
        seconds_left = (progress.total - progress.done) * (now - started_at) / max(1, progress.done - first.done)
        left = timedelta(seconds=round(seconds_left))
        click.echo(f"{progress.done:,} of {progress.total:,} texts, {left} left")

    yield show
