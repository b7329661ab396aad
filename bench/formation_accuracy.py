"""Facts that the rules form from single English messages."""

from collections.abc import Sequence
from functools import partial

from .formation_service import PAGE, flush, folded, for_each, keepsake, new_user, say
from .formation_sets import Row, rows
from .tip_figures import Outcome, Result, Share
from .tip_sets import Split


async def rules() -> list[Result]:
    """Precision and recall; each fact is given by words that its memory must contain."""
    async with keepsake() as url:
        found = await for_each(rows("rules"), partial(_facts, url))
    formed, expected = [], []
    for (split, row), texts in zip(rows("rules"), found, strict=True):
        described = f"{row['message']} | expected {row['facts']} | formed {texts}"
        formed += [Outcome(split, any(_contains(text, words) for words in row["facts"]), described) for text in texts]
        expected += [Outcome(split, any(_contains(text, words) for text in texts), described) for words in row["facts"]]
    return [Share("memories formed by rules that are right", formed), Share("facts that rules form", expected)]


async def _facts(url: str, labelled: tuple[Split, Row]) -> Sequence[str]:
    async with new_user(url) as api:
        await say(api, labelled[1]["message"])
        await flush(api)
        items = (await api.http.get("/memories", params={"limit": PAGE})).raise_for_status().json()["items"]
    return [memory["text"] for memory in items if memory["kind"] != "episodic"]


def _contains(text: str, words: str) -> bool:
    return all(word in folded(text) for word in folded(words).split())
