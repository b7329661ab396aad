"""Converting the vectors of a database to another embedding model."""

from collections.abc import AsyncIterator

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from agent.models.embeddings import CachedEmbeddings

TEXTS_AT_ONCE = 64


async def reembed(
    connection: AsyncConnection[DictRow], embeddings: CachedEmbeddings, *, embedder: str, dims: int
) -> AsyncIterator[tuple[int, int]]:
    """Embed every indexed text anew, in one transaction: until it ends, everything is as it was.

    Yields:
        How many texts are done, and how many there are.
    """
    async with connection.transaction():
        cursor = await connection.execute("""
            SELECT v.prefix, v.key, v.field_name, s.value ->> v.field_name AS text
            FROM store_vectors v JOIN store s USING (prefix, key)""")
        rows = await cursor.fetchall()
        await connection.execute("DELETE FROM store_vectors")
        await connection.execute(
            sql.SQL("ALTER TABLE store_vectors ALTER COLUMN embedding TYPE vector({})").format(sql.Literal(dims))
        )
        for start in range(0, len(rows), TEXTS_AT_ONCE):
            batch = rows[start : start + TEXTS_AT_ONCE]
            vectors = await embeddings.aembed_documents([row["text"] or "" for row in batch])
            async with connection.cursor() as writer:
                await writer.executemany(
                    "INSERT INTO store_vectors (prefix, key, field_name, embedding) VALUES (%s, %s, %s, %s::vector)",
                    [
                        (row["prefix"], row["key"], row["field_name"], str(vector))
                        for row, vector in zip(batch, vectors, strict=True)
                    ],
                )
            yield start + len(batch), len(rows)
        await connection.execute("UPDATE installation SET value = %s WHERE name = 'embedder'", (f"{embedder}/{dims}",))
