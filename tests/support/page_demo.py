"""A gateway with an account to show: for pictures of the page and its benchmarks."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import BrowserContext, Page, expect

from agent import AgentSettings
from agent.database.embedded import embedded_postgres
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI

NAME = "Ada"
ABOUT_ADA = (
    "I live in Lisbon with my partner Tomás and our dog Biscuit.",
    "I work as a marine biologist at the Vasco da Gama aquarium.",
    "I'm allergic to shellfish, which is funny given my job.",
    "For future chats: I like short answers with bullet points.",
    "I'm learning Norwegian because we plan to move to Bergen in May.",
    "My favourite place to swim is the beach at Carcavelos.",
    "I am writing a field guide about tide pools.",
    "I prefer trains to planes.",
)
QUESTION = "What should I pack for our trip to Bergen?"
ANSWER = """\
For Bergen in May, with **Biscuit** along:

- **Layers and a good rain jacket**: it rains on two days of three
- Waterproof shoes for tide pools and city walks
- Biscuit's pet passport and a towel

| | day | night |
|---|---|---|
| Bergen | 14 °C | 7 °C |
| Lisbon | 22 °C | 14 °C |

The train from Oslo takes about seven hours, and dogs may travel with you. *God tur!*
"""


def answer(messages: Sequence[Message]) -> str:
    """The scripted model's answer: one that is worth a picture, or a short one."""
    return ANSWER if messages[-1]["content"] == QUESTION else "Thank you, I will remember that."


@contextmanager
def demo_gateway(model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """Run a gateway with an empty database and a scripted model; rules form memories, MiniLM embeds."""
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder) / "postgres") as uri:
        settings = AgentSettings(
            _env_file=None,
            database_url=uri,
            data_dir=Path(folder),
            openai_base_url=model.base_url,
            openai_api_key="x",
            chat_models=("scripted",),
            embedding_model="minilm",
            embedding_dims=384,
            extractor="rules",
            model_titles=False,
            recall_deadline_ms=5_000,
            limit_runs=0,
            limit_messages_per_minute=0,
            limit_requests_per_minute=0,
        )
        with RunningGateway(settings) as gateway:
            yield gateway


async def tell_about_ada(url: str) -> None:
    """Say everything that the pictures show, each in a thread of its own."""
    async with signed_in(url, NAME) as ada:
        for text in ABOUT_ADA:
            await ada.send(text)
        await ada.http.post("/memories/flush", timeout=60)


async def add_memories(ada: ApiClient, count: int) -> None:
    """Import facts about made-up books."""
    lines = [f'{{"kind": "user", "text": "Has read book number {number} about the sea"}}' for number in range(count)]
    response = await ada.http.post("/memories/import", content="\n".join(lines), timeout=600)
    response.raise_for_status()


async def sign_in(context: BrowserContext, url: str, path: str = "/") -> Page:
    """Open the page as Ada."""
    page = await context.new_page()
    await page.goto(url)
    await page.get_by_label("Your name").fill(NAME)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_label("Message", exact=True)).to_be_visible()
    if path != "/":
        await page.goto(f"{url}{path}")
    return page
