"""Conversations of several messages and threads: what is recalled later, and what was never said about the user."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from support.client import new_thread

from .formation_answers import newer_first, only_newer
from .formation_service import ask, flush, folded, for_each, keepsake, new_user, say, stored
from .formation_sets import Row, rows
from .tip_figures import Outcome, Result, Share
from .tip_sets import Split

IsRight = Callable[[Row, Sequence[str], Sequence[str]], bool]
"""Whether a question is answered, given the texts in its prompt before and after the flush."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is recalled for the questions of a user, and what is stored in the end."""

    split: Split
    row: Row
    before: Sequence[Sequence[str]]
    after: Sequence[Sequence[str]]
    kept: Sequence[str]

    def answers(self, is_right: IsRight) -> list[Outcome]:
        """The outcome of each question."""
        return [
            Outcome(self.split, is_right(one, before, after), self._describe(one, before, after))
            for one, before, after in zip(self.row["asks"], self.before, self.after, strict=True)
        ]

    def unsaid(self) -> list[Outcome]:
        """The outcome of each text that is not about the user."""
        found = [(text, [one for one in self.kept if folded(text) in folded(one)]) for text in self.row["unsaid"]]
        return [Outcome(self.split, bool(kept), f"[{self.row['user']}] {text} | {kept}") for text, kept in found]

    def is_stored(self, question: Row) -> bool:
        """Check whether a memory contains the answer to a question."""
        return any(folded(value) in folded(text) for value in question["right"] for text in self.kept)

    def _describe(self, question: Row, before: Sequence[str], after: Sequence[str]) -> str:
        asked = f"[{self.row['user']}] {question['question']} → {question['right']} not {question['outdated']}"
        return f"{asked} | before: {before} | after: {after}"


async def conversations() -> list[Result]:
    """The users write all their threads, with or without a flush between them, and ask from new threads."""
    async with keepsake() as url:
        users = await for_each(rows("conversations"), partial(_converse, url))

    def answers(is_right: IsRight) -> list[Outcome]:
        return [outcome for user in users for outcome in user.answers(is_right)]

    kept = [
        Outcome(user.split, user.is_stored(one), f"[{user.row['user']}] {one['question']} → {one['right']}")
        for user in users
        for one in user.row["asks"]
    ]
    return [
        Share(
            "questions answered right immediately and after the flush",
            answers(lambda one, before, after: newer_first(one, before) and only_newer(one, after)),
        ),
        Share("immediately", answers(lambda one, before, _: newer_first(one, before)), part_of_another=True),
        Share("after the flush", answers(lambda one, _, after: only_newer(one, after)), part_of_another=True),
        Share(
            "after the flush, outdated values allowed below",
            answers(lambda one, _, after: newer_first(one, after)),
            part_of_another=True,
        ),
        Share("answers that are stored", kept),
        Share(
            "texts not about the user that are stored",
            [outcome for user in users for outcome in user.unsaid()],
            wanted=False,
        ),
    ]


async def _converse(url: str, labelled: tuple[Split, Row]) -> Conversation:
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
        return Conversation(split, row, before, after, await stored(api))
