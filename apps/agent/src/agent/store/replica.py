"""Searches on a standby of the store's database, if it contains everything that the user has written so far.

The position in the primary's write-ahead log is read before the search, while the query is embedded: every earlier
commit precedes it. The standby is searched only if it has replayed the log up to there; otherwise, and after any error,
the primary is. A standby replays within milliseconds, and an embedding takes longer.
"""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import LiteralString, NewType, cast

from langgraph.store.base import SearchItem, SearchOp

from agent.database import open_pool
from agent.database.errors import translated_errors
from agent.database.fair_queue import SYSTEM
from agent.database.pools import Pool
from agent.database.statements import Statements
from agent.deadlines import waiting_timeout
from agent.errors import AgentError, SetupError, StoreUnavailableError
from agent.store.indexing import ExactIndexConfig
from agent.store.postgres import ExactPostgresStore

logger = logging.getLogger(__name__)

WalPosition = NewType("WalPosition", str)
"""A position in the write-ahead log, as Postgres prints its type `pg_lsn`."""

CONNECTIONS = 12


class SQL(Statements, file="replica.sql"):
    """Statements of `replica.sql`."""

    position: LiteralString
    has_replayed: LiteralString
    is_standby: LiteralString


@dataclass(frozen=True, slots=True)
class Replica:
    """A store, and the same store on a standby."""

    primary: Pool
    standby: Pool
    store: ExactPostgresStore
    """The store on the standby's pool."""

    async def position(self) -> WalPosition | None:
        """The position that every committed write precedes; None if the primary does not answer."""
        try:
            with translated_errors():
                async with self.primary.connection_for(SYSTEM) as connection:
                    row = await (await connection.execute(SQL.position)).fetchone()
        except StoreUnavailableError as error:
            logger.debug("the position of the write-ahead log is unknown", exc_info=error)
            return None
        return WalPosition(row["position"]) if row else None

    async def search(
        self, ops: Sequence[SearchOp], position: WalPosition, *, deadline_seconds: float
    ) -> list[list[SearchItem]] | None:
        """Search the standby as `ExactPostgresStore.abatch` does; None if it is not new enough, fails or is late."""
        try:
            async with waiting_timeout(deadline_seconds):
                if not await self._has_replayed(position):
                    return None
                return cast("list[list[SearchItem]]", await self.store.abatch(ops))
        except (AgentError, TimeoutError) as error:
            logger.warning("the replica did not answer; the primary is searched", exc_info=error)
            return None

    async def _has_replayed(self, position: WalPosition) -> bool:
        with translated_errors():
            async with self.standby.connection_for(SYSTEM) as connection:
                row = await (await connection.execute(SQL.has_replayed, {"position": position})).fetchone()
        return bool(row and row["replayed"])


@asynccontextmanager
async def open_replica(uri: str, store: ExactPostgresStore) -> AsyncIterator[Replica]:
    """Open connections to a standby of the store's database; it may be unreachable.

    Raises:
        SetupError: the server is not a standby, or the store's memories expire, which reads would have to note.
    """
    if store.ttl_config is not None:
        raise SetupError("KEEPSAKE_REPLICA_URL cannot be combined with LANGGRAPH_STORE_TTL_MINUTES")
    if not isinstance(store.conn, Pool):
        raise SetupError("KEEPSAKE_REPLICA_URL needs LANGGRAPH_STORE_TYPE=postgres")
    async with open_pool(uri, size=CONNECTIONS, name="replica") as pool:
        try:
            with translated_errors():
                async with pool.connection_for(SYSTEM) as connection:
                    row = await (await connection.execute(SQL.is_standby)).fetchone()
        except StoreUnavailableError as error:
            logger.warning("the replica is not reachable; the primary is searched", exc_info=error)
        else:
            if row is None or not row["standby"]:
                raise SetupError("KEEPSAKE_REPLICA_URL: the server is not a standby of DATABASE_URL")
        index = cast("ExactIndexConfig | None", store.index_config)
        standby = ExactPostgresStore(pool, index=index, role=store.role, language=store.language)
        yield Replica(store.conn, pool, standby)
