"""Users of a running Keepsake, and what is stored about them, for measurements of formation."""

import asyncio
import unicodedata
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import httpx
import psycopg
from psycopg import sql

from agent.database.embedded import embedded_postgres
from support.client import ApiClient, Json, StreamedReply, new_thread, signed_in

from .tip_service import running

CONCURRENCY = 3
SECONDS = 180.0
PAGE = 100

Row = TypeVar("Row")
T = TypeVar("T")


@asynccontextmanager
async def keepsake(base_url: str = "", **options: str) -> AsyncIterator[str]:
    """Run Keepsake on an empty database; yields its URL.

    Args:
        base_url: of the scripted model's server; empty: the offline model and rules.
        options: environment variables, for example `DATABASE_URL`. Embeddings are MiniLM's in any case.
    """
    model = {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": base_url, "KEEPSAKE_CHAT_MODELS": "scripted"} if base_url else {}
    async with running(KEEPSAKE_EMBEDDING_MODEL="minilm", KEEPSAKE_LOCAL_SIGN_IN="open", **model, **options) as service:
        yield str(service.http.base_url)


@contextmanager
def databases() -> Iterator[Callable[[], str]]:
    """Run a Postgres server; yields a function that creates an empty database and returns its URI."""
    with TemporaryDirectory(prefix="keepsake-bench-") as folder, embedded_postgres(Path(folder) / "postgres") as uri:

        def create() -> str:
            name = f"bench_{uuid.uuid4().hex}"
            with psycopg.connect(uri, autocommit=True) as connection:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            return uri.replace("/postgres?", f"/{name}?")

        yield create


@asynccontextmanager
async def new_user(url: str) -> AsyncIterator[ApiClient]:
    """A new user, whose requests may take long."""
    async with signed_in(url) as api:
        api.http.timeout = httpx.Timeout(SECONDS)
        yield api


async def for_each(rows: Sequence[Row], act: Callable[[Row], Awaitable[T]]) -> list[T]:
    """Apply a function to all rows, a few at a time; the results are in the order of the rows."""
    limit = asyncio.Semaphore(CONCURRENCY)

    async def one(row: Row) -> T:
        async with limit:
            return await act(row)

    return await asyncio.gather(*(one(row) for row in rows))


async def ask(api: ApiClient, question: str) -> list[str]:
    """The texts in the prompt of a question in a new thread, which is deleted afterwards."""
    thread = new_thread()
    reply = await api.send(question, thread=thread)
    (await api.http.delete(f"/threads/{thread}", params={"forget": True})).raise_for_status()
    return reply.recalled


async def say(api: ApiClient, text: str, thread: str = "", **body: object) -> StreamedReply:
    """Send a message, by default to a new thread."""
    return await api.send(text, thread=thread or new_thread(), **body)


async def flush(api: ApiClient) -> Json:
    """Process the inbox; the result contains `failed` if it was not processed."""
    answer = await api.http.post("/memories/flush")
    return dict(answer.json()) if answer.is_success else {"failed": f"{answer.status_code} {answer.text[:200]}"}


async def stored(api: ApiClient) -> list[str]:
    """The texts of all memories and of the profile."""
    page = (await api.http.get("/memories", params={"limit": PAGE})).raise_for_status().json()
    profile = (await api.http.get("/profile")).raise_for_status().json()
    return [memory["text"] for memory in page["items"]] + [text for text in profile.values() if isinstance(text, str)]


def folded(text: str) -> str:
    """The text without case, invisible characters, variants of characters, and differences in white space."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'").casefold()
    return " ".join("".join(char for char in plain if unicodedata.category(char) != "Cf").split())
