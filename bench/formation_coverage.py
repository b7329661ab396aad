"""What can be recalled before and after the inbox is processed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from support.client import ApiClient, new_thread
from support.scripted_openai import Message, ScriptedOpenAI

from .formation_script import EMPTY, is_extraction
from .formation_service import ask, flush, folded, for_each, keepsake, new_user, say, stored
from .formation_sets import UserRows, users
from .tip_figures import Outcome, Result, Share

BEFORE, AFTER, LEFT = "answered before the flush", "answered after the flush, of those before", "leave something behind"
NO_ANSWER = "I cannot do that."

Output = Mapping[str, Any] | str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and whether it was answered before and after the flush."""

    user: UserRows
    message: str
    question: str
    needle: str
    before: bool
    after: bool
    stored: bool
    remains: str


async def coverage() -> list[Result]:
    """With rules, and with a model that finds nothing or gives no usable answer."""
    async with keepsake() as url:
        asked = await _ask_all(url)
    results: list[Result] = [
        Share(f"rules: {BEFORE}", [_outcome(one, hit=one.before) for one in asked], part_of_another=True),
        Share(f"rules: {AFTER}", [_outcome(one, hit=one.after) for one in asked if one.before]),
        Share(f"English messages that {LEFT}", [_outcome(one, hit=one.stored) for one in _of(asked, english=True)]),
        Share(f"other messages that {LEFT}", [_outcome(one, hit=one.stored) for one in _of(asked, english=False)]),
    ]
    for name, answer in (("model that finds nothing", EMPTY), ("model without usable answers", NO_ANSWER)):
        with ScriptedOpenAI() as model:
            model.script.structured = partial(_answer, answer)
            model.script.reply = lambda _: NO_ANSWER
            async with keepsake(model.base_url) as url:
                asked = await _ask_all(url)
        results.append(Share(f"{name}: {AFTER}", [_outcome(one, hit=one.after) for one in asked if one.before]))
    return results


def _answer(answer: Output, _: Sequence[Message], schema: Mapping[str, Any]) -> Output:
    return answer if is_extraction(schema) else NO_ANSWER


async def _ask_all(url: str) -> list[Asked]:
    async def one(user: UserRows) -> list[Asked]:
        async with new_user(url) as api:
            return await _ask(api, user)

    return [asked for part in await for_each([*users("coverage"), *users("own_statements")], one) for asked in part]


async def _ask(api: ApiClient, user: UserRows) -> list[Asked]:
    threads = {row["thread"]: new_thread() for row in user.rows}
    for row in user.rows:
        await say(api, row["message"], threads[row["thread"]])
    asks = [(row["message"], one["question"], one["needle"]) for row in user.rows for one in row["asks"]]
    before = [_contains(await ask(api, question), needle) for _, question, needle in asks]
    await flush(api)
    texts = await stored(api)
    found = []
    for (message, question, needle), was_answered in zip(asks, before, strict=True):
        recalled = await ask(api, question)
        found.append(
            Asked(
                user,
                message,
                question,
                needle,
                before=was_answered,
                after=_contains(recalled, needle),
                stored=_contains(texts, needle),
                remains=" / ".join(recalled),
            )
        )
    return found


def _contains(texts: Sequence[str], needle: str) -> bool:
    return any(folded(needle) in folded(text) for text in texts)


def _of(asked: Sequence[Asked], *, english: bool) -> list[Asked]:
    return [one for one in asked if (one.user.language == "en") is english]


def _outcome(one: Asked, *, hit: bool) -> Outcome:
    where = "stored, not recalled" if one.stored else "not stored"
    row = f"[{one.user.name}] {one.message} | {one.question} → {one.needle} | {where} | {one.remains[:300]}"
    return Outcome(one.user.split, hit, row)
