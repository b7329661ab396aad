"""`keepsake reembed`: the third composition root, which opens no more than it needs."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import LiteralString

import openai
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database import open_database, open_pool
from agent.database.errors import translated_errors
from agent.database.migration import migrate, migration_lock
from agent.errors import EmbedderUnavailableError, SetupError, StoreUnavailableError
from agent.models.embeddings import make_embeddings
from agent.settings import AgentSettings
from agent.store import ExactPostgresStore, schema
from agent.store.conversion import ATTEMPTS, SQL, Conversion, Progress
from agent.store.factory import index_of
from agent.store.indexing import Indexing
from agent.store.lock_retry import exclusive_conversion, retry_on_lock_timeout

CONNECTIONS = 2
RESUMABLE = "what is converted is kept; run `keepsake reembed` again to go on from there"


async def reembed_database(
    settings: AgentSettings, *, attempts: Sequence[tuple[float, int]] = ATTEMPTS
) -> AsyncGenerator[Progress]:
    """Convert every vector to the configured model, while a Keepsake with the old one may go on reading and writing.

    Args:
        settings: the model.
        attempts: to embed; see `ATTEMPTS`.

    Yields:
        How far it is, at first where an earlier run was stopped; nothing at all where there is nothing to convert.

    Raises:
        SetupError: there are no vectors, or somebody is converting them already.
        EmbedderUnavailableError: the model failed again and again; what is converted is kept.
        StoreUnavailableError: the database did not answer, or tables stay locked; the same.
    """
    with _resumable(settings):
        async with _open_conversion(settings, attempts) as (installation, conversion):
            if await installation.is_converted(conversion):
                return
            dropped = await installation.begin(conversion)
            async for progress in conversion.run():
                yield replace(progress, dropped=dropped)
            await retry_on_lock_timeout(lambda: installation.end(conversion))


@dataclass(frozen=True, slots=True)
class _Installation:
    """What the database of ours, which need not be that of the vectors, knows of them.

    A target under `reembedding` says: its table was made. Is the table gone, it has taken the place of the old one.
    """

    uri: str
    target: str

    async def is_converted(self, conversion: Conversion) -> bool:
        """Tell whether the vectors are as they should be; what an earlier conversion has left is tidied up."""
        async with migration_lock(self.uri) as connection:
            await migrate(self.uri)
            kept = await _kept(connection)
        fits, begun = await conversion.fits(), await conversion.begun()
        if fits and not begun and kept.get("reembedding") == self.target:
            await self._execute(SQL.abandon, SQL.end)
            return True
        if fits and kept.get("embedder") == self.target:
            await self._execute(SQL.abandon)
            await conversion.drop()
            return True
        return False

    async def begin(self, conversion: Conversion) -> str | None:
        """Go on with the conversion that was begun, or begin one; return the other target of one that is dropped."""
        async with migration_lock(self.uri) as connection:
            before = (await _kept(connection)).get("reembedding")
        begun = await conversion.begun()
        if not begun or before != self.target:
            await self._execute(SQL.abandon)
            await conversion.drop()
        await conversion.prepare()
        await self._execute(SQL.begin)
        return before if begun and before != self.target else None

    async def end(self, conversion: Conversion) -> None:
        """Catch up, and let the new vectors take the place of the old ones."""
        await conversion.catch_up()
        async with migration_lock(self.uri) as connection:
            await conversion.swap()
            for statement in (SQL.abandon, SQL.end):
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
    async with openai.DefaultAioHttpClient() as http, open_database(settings) as uri:
        dsn = settings.store_postgres_dsn.get_secret_value() if settings.store_postgres_dsn else uri
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
        cause = type(error.__cause__).__name__
        raise EmbedderUnavailableError(
            f"the embedding model {settings.embedder} did not answer ({cause}); {RESUMABLE}"
        ) from error
    except StoreUnavailableError as error:
        raise StoreUnavailableError(f"{error}; {RESUMABLE}") from error


async def _kept(connection: AsyncConnection[DictRow]) -> dict[str, str]:
    rows = await (await connection.execute(SQL.kept)).fetchall()
    return {row["name"]: row["value"] for row in rows}
