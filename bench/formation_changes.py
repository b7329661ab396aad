"""Requests to forget, corrections, and statements that are none, with the offline model."""

import re
from functools import partial

from support.client import ApiClient, new_thread
from support.jsonl import import_records

from .formation_answers import newer_first, only_newer, only_newer_words
from .formation_service import ask, flush, folded, for_each, keepsake, new_user, say, stored
from .formation_sets import Row, users
from .formation_sets import rows as read_rows
from .tip_figures import Outcome, Result, Share
from .tip_sets import Split

Request = tuple[Split, Row, Row]
"""Half, memories of the user, request."""


async def forget() -> list[Result]:
    """What a request removes, before and after the inbox is processed; the user makes no choice."""
    requests = [
        (user.split, user.rows[0]["memories"], row) for user in users("forget") for row in user.rows if "request" in row
    ]
    async with keepsake() as url:
        found = await for_each(requests, partial(_forget, url))
    named = [one for one, (_, _, row) in zip(found, requests, strict=True) if row["means"]]
    return [
        Share("requests that remove something else", [other for other, _, _ in found], wanted=False),
        Share("named memories that are removed", [removed for _, removed, _ in named], part_of_another=True),
        Share("named memories that are removed or offered", [offered for _, _, offered in named]),
    ]


async def corrections() -> list[Result]:
    """Whether a correction holds, immediately in another thread and after the inbox is processed."""
    return await _corrections("corrections")


async def updates() -> list[Result]:
    """The same for statements of what changed, ended or was said wrongly, in six languages."""
    return await _corrections("updates")


async def free_updates() -> list[Result]:
    """The same in people's own words, where the update mostly names neither the subject nor the outdated value."""
    return await _corrections("free_updates")


async def follow_ups() -> list[Result]:
    """The same for the next message of a thread, which mostly names only the new value ("sorry, I meant Thursday")."""
    return await _corrections("follow_ups")


async def compatible() -> list[Result]:
    """Whether a statement that corrects nothing retires an earlier one."""
    async with keepsake() as url:
        found = await for_each(read_rows("compatible"), partial(_add, url))
    return [Share("statements that a compatible one retires", found, wanted=False)]


async def _corrections(name: str) -> list[Result]:
    async with keepsake() as url:
        found = await for_each(read_rows(name), partial(_correct, url))
    at_once, afterwards, below, nowhere, both = zip(*found, strict=True)
    return [
        Share(f"{name} right immediately and after the flush", both),
        Share("immediately", at_once, part_of_another=True),
        Share("after the flush", afterwards, part_of_another=True),
        Share("after the flush, outdated values allowed below", below, part_of_another=True),
        Share("after the flush, outdated values not even beside their correction", nowhere, part_of_another=True),
    ]


async def _forget(url: str, request: Request) -> tuple[Outcome, Outcome, Outcome]:
    split, memories, row = request
    async with new_user(url) as api:
        await import_records(api, *({"kind": "user", "text": text} for text in memories.values()))
        reply = await say(api, row["request"])
        gone_at_once = await _missing(api, memories)
        await flush(api)
        gone = gone_at_once | await _missing(api, memories)
    meant = set(row["means"])
    offered = {key for key in meant if folded(memories[key]) in folded(reply.text)}
    texts = {name: [memories[key] for key in keys] for name, keys in (("meant", meant), ("removed", gone_at_once))}
    later = [memories[key] for key in gone - gone_at_once]
    described = f"{row['request']} | {texts} | removed by the flush {later} | {reply.text[:200]!r}"
    hits = (bool(gone - meant), meant <= gone_at_once, meant <= gone_at_once | offered)
    other, removed, shown = (Outcome(split, hit, described) for hit in hits)
    return other, removed, shown


async def _missing(api: ApiClient, memories: Row) -> set[str]:
    """The keys of the memories that are no longer stored."""
    texts = set(await stored(api))
    return {key for key, text in memories.items() if text not in texts}


async def _correct(url: str, labelled: tuple[Split, Row]) -> tuple[Outcome, ...]:
    split, row = labelled
    async with new_user(url) as api:
        thread = new_thread()
        await say(api, row["statement"], thread)
        if row["flushed_between"]:
            await flush(api)
        last_thread = thread if row.get("same_thread") else new_thread()
        reply = await say(api, row["correction"], last_thread)
        if chosen := _offered(row, reply.text):
            await say(api, ", ".join(chosen), last_thread)
        before = await ask(api, row["question"])
        await flush(api)
        after = await ask(api, row["question"])
    at_once, afterwards = newer_first(row, before), only_newer(row, after)
    described = f"{row['statement']} → {row['correction']} | before: {before} | after: {after}"
    hits = (at_once, afterwards, newer_first(row, after), only_newer_words(row, after), at_once and afterwards)
    return tuple(Outcome(split, hit, described) for hit in hits)


def _offered(row: Row, answer: str) -> list[str]:
    """The numbers of the memories with an outdated value, if the answer to a request to forget is a list."""
    offered: list[tuple[str, str]] = [] if row["right"] else re.findall(r"^(\d+)\. (.+)$", answer, re.MULTILINE)
    return [number for number, text in offered if any(folded(value) in folded(text) for value in row["outdated"])]


async def _add(url: str, labelled: tuple[Split, Row]) -> Outcome:
    split, row = labelled
    async with new_user(url) as api:
        thread = new_thread()
        await say(api, row["first"], thread)
        if row["flushed_between"]:
            await flush(api)
        await say(api, row["second"], thread if row.get("same_thread") else new_thread())
        await flush(api)
        kept = [folded(text) for text in await stored(api)]
    are_kept = all(any(folded(value) in text for value in values for text in kept) for values in row["kept"])
    return Outcome(split, not are_kept, f"{row['first']} + {row['second']} | {kept}")
