"""Conversations of several messages and threads: what is recalled later, and what was never said about the user."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from support.client import new_thread

from .formation_answers import newer_first, only_newer
from .formation_service import ask, flush, folded, for_each, keepsake, new_user, say, stored
from .formation_sets import Row, rows
from .tip_figures import Outcome, Result, Share
from .tip_sets import Split


@dataclass(frozen=True, slots=True)
class Answered:
    """The outcomes of a user's questions, and of the texts that must not be stored."""

    at_once: Sequence[Outcome]
    afterwards: Sequence[Outcome]
    both: Sequence[Outcome]
    in_store: Sequence[Outcome]
    unsaid: Sequence[Outcome]


async def conversations() -> list[Result]:
    """The users write all their threads, with or without a flush between them, and ask from new threads."""
    async with keepsake() as url:
        users = await for_each(rows("conversations"), partial(_converse, url))
    return [
        Share("questions answered right immediately and after the flush", _all([one.both for one in users])),
        Share("immediately", _all([one.at_once for one in users]), part_of_another=True),
        Share("after the flush", _all([one.afterwards for one in users]), part_of_another=True),
        Share("answers that are stored", _all([one.in_store for one in users]), part_of_another=True),
        Share("texts not about the user that are stored", _all([one.unsaid for one in users]), wanted=False),
    ]


def _all(parts: Sequence[Sequence[Outcome]]) -> list[Outcome]:
    return [outcome for part in parts for outcome in part]


async def _converse(url: str, labelled: tuple[Split, Row]) -> Answered:
    split, row = labelled
    async with new_user(url) as api:
        for number, messages in enumerate(row["threads"]):
            if number and row["flushed_between"]:
                await flush(api)
            thread = new_thread()
            for message in messages:
                await say(api, message, thread)
        before = [await ask(api, one["question"]) for one in row["asks"]]
        await flush(api)
        after = [await ask(api, one["question"]) for one in row["asks"]]
        kept = await stored(api)
    described = [
        f"[{row['user']}] {one['question']} → {one['right']} not {one['outdated']} | before: {first} | after: {last}"
        for one, first, last in zip(row["asks"], before, after, strict=True)
    ]
    at_once = [newer_first(one, texts) for one, texts in zip(row["asks"], before, strict=True)]
    afterwards = [only_newer(one, texts) for one, texts in zip(row["asks"], after, strict=True)]
    in_store = [any(_contains(kept, value) for value in one["right"]) for one in row["asks"]]
    both = [first and last for first, last in zip(at_once, afterwards, strict=True)]

    def outcomes(hits: Sequence[bool]) -> list[Outcome]:
        return [Outcome(split, hit, text) for hit, text in zip(hits, described, strict=True)]

    unsaid = [
        Outcome(
            split, _contains(kept, text), f"[{row['user']}] {text} | {[one for one in kept if _contains([one], text)]}"
        )
        for text in row["unsaid"]
    ]
    return Answered(outcomes(at_once), outcomes(afterwards), outcomes(both), outcomes(in_store), unsaid)


def _contains(texts: Sequence[str], value: str) -> bool:
    return any(folded(value) in folded(text) for text in texts)
