"""Opening the store: its tables, and the checks without which it would fail later and stranger."""

from langgraph.store.base import TTLConfig
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database.open import Pool
from agent.database.wall import ROLE
from agent.errors import SetupError
from agent.models.embeddings import CachedEmbeddings
from agent.settings import AgentSettings
from agent.store.indexing import ExactIndexConfig
from agent.store.postgres import ExactPostgresStore

SWEEP_MINUTES = 5


def make_store(settings: AgentSettings, pool: Pool, embeddings: CachedEmbeddings) -> ExactPostgresStore:
    """Return the store over a pool; its `setup()` makes the tables."""
    index = ExactIndexConfig(
        dims=settings.dims,
        embed=embeddings,
        fields=["text"],
        language=settings.language,
        conversation=("source_thread", "ts"),
    )
    minutes = settings.store_ttl_minutes
    ttl = (
        TTLConfig(default_ttl=minutes, refresh_on_read=True, sweep_interval_minutes=SWEEP_MINUTES) if minutes else None
    )
    return ExactPostgresStore(pool, index=index, ttl=ttl, wall=ROLE)


async def check_embedder(settings: AgentSettings, connection: AsyncConnection[DictRow]) -> None:
    """Make sure that the vectors of this database and the configured model fit; the first start decides.

    Raises:
        SetupError: they do not.
    """
    ours = f"{settings.embedder}/{settings.dims}"
    await connection.execute("INSERT INTO installation VALUES ('embedder', %s) ON CONFLICT DO NOTHING", (ours,))
    cursor = await connection.execute("SELECT value FROM installation WHERE name = 'embedder'")
    row = await cursor.fetchone()
    theirs = row["value"] if row else ours
    if theirs != ours:
        model, _, dims = theirs.rpartition("/")
        raise SetupError(
            f"the memories here were embedded with {model} ({dims} dimensions), and {settings.embedder} "
            f"({settings.dims}) is configured: convert them with `keepsake reembed`, or set "
            f"KEEPSAKE_EMBEDDING_MODEL={model} and KEEPSAKE_EMBEDDING_DIMS={dims}"
        )
