"""`keepsake reembed`: the composition root for the conversion of vectors; opens only what it needs."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import LiteralString

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database import open_database, open_pool
from agent.database.errors import translated_errors
from agent.database.migration import migrate, migration_lock
from agent.errors import EmbedderUnavailableError, SetupError, StoreUnavailableError
from agent.models.embedder_factory import make_embeddings
from agent.models.failures import name_of
from agent.models.http_client import make_http_client
from agent.settings import AgentSettings
from agent.store import ExactPostgresStore, schema
from agent.store.conversion import ATTEMPTS, SQL, Conversion, Progress
from agent.store.factory import index_of, store_uri
from agent.store.indexing import Indexing
from agent.store.lock_retry import exclusive_conversion, retry_on_lock_timeout

CONNECTIONS = 2
RESUMABLE = "converted vectors are kept; run `keepsake reembed` again to continue"


async def reembed_database(
    settings: AgentSettings, *, attempts: Sequence[tuple[float, int]] = ATTEMPTS
) -> AsyncGenerator[Progress]:
    """Convert every vector to the configured model, while a Keepsake with the old one may read and write.

    Yields:
        The progress, starting where an earlier run was interrupted; nothing if there is nothing to convert.

    Raises:
        SetupError: there are no vectors, or another process is converting them.
        EmbedderUnavailableError: the model failed in every attempt; converted vectors are kept.
        StoreUnavailableError: the database did not answer, or tables remain locked; converted vectors are kept.
    """
    with _resumable(settings):
        async with _open_conversion(settings, attempts) as (installation, conversion):
            if await installation.is_converted(conversion):
                return
            dropped = await installation.start(conversion)
            async for progress in conversion.run():
                yield replace(progress, dropped=dropped)
            await retry_on_lock_timeout(lambda: installation.finish(conversion))


@dataclass(frozen=True, slots=True)
class _Installation:
    """The state of the conversion in Keepsake's own database, which may be another than that of the vectors.

    The entry `reembedding` contains the target of a conversion whose table was created; if that table no longer
    exists, it has replaced the old one.
    """

    uri: str
    target: str

    async def is_converted(self, conversion: Conversion) -> bool:
        """Check whether the vectors are from the target model; clean up after an interrupted conversion."""
        async with migration_lock(self.uri) as connection:
            await migrate(self.uri)
            entries = await _entries(connection)
        has_type, has_started = await conversion.has_target_type(), await conversion.has_started()
        if has_type and not has_started and entries.get("reembedding") == self.target:
            await self._execute(SQL.clear_target, SQL.finish)
            return True
        if has_type and entries.get("embedder") == self.target:
            await self._execute(SQL.clear_target)
            await conversion.drop()
            return True
        return False

    async def start(self, conversion: Conversion) -> str | None:
        """Start or resume the conversion; return the target of an unfinished one that was discarded, if any."""
        async with migration_lock(self.uri) as connection:
            previous = (await _entries(connection)).get("reembedding")
        has_started = await conversion.has_started()
        if not has_started or previous != self.target:
            await self._execute(SQL.clear_target)
            await conversion.drop()
        await conversion.prepare()
        await self._execute(SQL.start)
        return previous if has_started and previous != self.target else None

    async def finish(self, conversion: Conversion) -> None:
        """Catch up with changes, and replace the old vectors by the new ones."""
        await conversion.catch_up()
        async with migration_lock(self.uri) as connection:
            await conversion.swap()
            for statement in (SQL.clear_target, SQL.finish):
                await connection.execute(statement, {"target": self.target})

    async def _execute(self, *statements: LiteralString) -> None:
        async with migration_lock(self.uri) as connection:
            for statement in statements:
                await connection.execute(statement, {"target": self.target})


@asynccontextmanager
async def _open_conversion(
    settings: AgentSettings, attempts: Sequence[tuple[float, int]]
) -> AsyncIterator[tuple[_Installation, Conversion]]:
    if settings.store_type != "postgres":
        raise SetupError(f"the memories are in a store of type {settings.store_type}, which has no vectors to convert")
    async with make_http_client(settings, follow_redirects=True) as http, open_database(settings) as uri:
        dsn = store_uri(settings, uri)
        embeddings = make_embeddings(settings, http)
        index = index_of(settings, embeddings)
        async with exclusive_conversion(dsn), open_pool(dsn, size=CONNECTIONS, name="reembed") as pool:
            steps = schema.vector_steps(ExactPostgresStore(pool, index=index))
            conversion = Conversion(pool, embeddings, Indexing.of(index), steps, attempts)
            yield _Installation(uri, f"{settings.embedder}/{settings.dims}"), conversion


@contextmanager
def _resumable(settings: AgentSettings) -> Iterator[None]:
    try:
        with translated_errors():
            yield
    except EmbedderUnavailableError as error:
        cause = error.__cause__ or error
        raise EmbedderUnavailableError(
            f"the embedding model {settings.embedder} did not answer ({name_of(cause)}); {RESUMABLE}"
        ) from error
    except StoreUnavailableError as error:
        raise StoreUnavailableError(f"{error}; {RESUMABLE}") from error


async def _entries(connection: AsyncConnection[DictRow]) -> dict[str, str]:
    rows = await (await connection.execute(SQL.installation)).fetchall()
    return {row["name"]: row["value"] for row in rows}
