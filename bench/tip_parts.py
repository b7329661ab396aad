"""The measurements of the memory tip over HTTP; see README.md."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import chain

from . import tip_sets
from .tip_figures import Figure, Outcome, Result, Share
from .tip_service import CONCURRENCY, Recalled, Service, User, ask_all, for_each
from .tip_sets import LANGUAGES, USERS, Change, Matter

Part = Callable[[Service], Awaitable[list[Result]]]
ABSENT = float("inf")
RIGHT_ORDER = "newer in the prompt, and no older before it"
ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    RIGHT_ORDER: lambda newer, older: newer < older,
    "newer before older, or older absent": lambda newer, older: newer < older or older == ABSENT,
    "newer in the prompt": lambda newer, _: newer < ABSENT,
    "older absent": lambda _, older: older == ABSENT,
}
"""Tests of the positions of the newer and the older statement in the prompt."""


async def matters(service: Service) -> list[Result]:
    """Facts and questions in English."""
    return await _facts_and_questions(service, tip_sets.matters())


async def languages(service: Service) -> list[Result]:
    """Facts and questions in other languages."""
    rows = tip_sets.languages()
    results = [
        await _facts_and_questions(service, [row for row in rows if row.language == language], f"{name}: ")
        for language, name in LANGUAGES.items()
    ]
    return list(chain.from_iterable(results))


async def many(service: Service) -> list[Result]:
    """Unrelated messages and questions of users with many memories.

    Each message is sent to a new thread, which is deleted afterwards. Copies of a user work side by side.
    """
    results: list[Result] = []
    for language in USERS:
        users = [await service.user() for _ in range(CONCURRENCY)]
        said = tip_sets.statements(language)
        await for_each([(user, said) for user in users], _state)
        needed, unrelated = tip_sets.needed(language), tip_sets.unrelated()
        texts = [row.question for row in needed] + [row.text for row in unrelated]
        recalled = await ask_all(users, texts)
        found = [
            Outcome(row.split, answer.contains(row.needle), _describe(row.question, row.needle, answer))
            for row, answer in zip(needed, recalled, strict=False)
        ]
        noise = [
            Outcome(row.split, bool(answer.by_relevance), _describe(row.text, "", answer))
            for row, answer in zip(unrelated, recalled[len(needed) :], strict=True)
        ]
        name = {"en": "English user", "de": "German user"}[language]
        results += [
            Share(f"{name}: needed memory in the prompt", found),
            Share(f"{name}: unrelated message recalls a memory", noise, wanted=False),
            Figure(f"{name}: memories per message", _sizes(recalled, len(needed))),
        ]
    return results


async def standing(service: Service) -> list[Result]:
    """Procedural and other standing memories in the prompt of different messages."""
    given = tip_sets.standing()
    user = await service.user()
    ids = {await user.add(text, kind): kind for kind, text in given.memories}
    answers = [await user.say(message, delete=True) for message in given.messages]
    results: list[Result] = []
    for kind in ("procedural", "user"):
        wanted = {memory for memory, of in ids.items() if of == kind}
        counts = [len(wanted & {memory["id"] for memory in answer.memories}) for answer in answers]
        values = {"mean": round(sum(counts) / len(counts), 2), "least": min(counts), "of": len(wanted)}
        results.append(Figure(f"{'standing facts' if kind == 'user' else 'procedural'} in the prompt", values))
    return results


async def truth(service: Service) -> list[Result]:
    """Statements that change an earlier one: the order in which the prompt contains them."""
    rows = tip_sets.changes()
    results: list[Result] = []
    for formed, when in ((False, "at once"), (True, "after formation")):

        async def ask(row: Change, *, formed: bool = formed) -> Recalled:
            user = await service.user()
            for statement in (row.older, row.newer):
                await user.say(statement)
                if formed:
                    await user.flush()
            return await user.say(row.question)

        answers = await for_each(rows, ask)
        found = [
            (row.split, _order(row, answer), _describe(row.question, row.needle_new, answer))
            for row, answer in zip(rows, answers, strict=True)
        ]
        for name, is_hit in ORDERS.items():
            outcomes = [Outcome(split, is_hit(*order), text) for split, order, text in found]
            results.append(Share(f"{when}: {name}", outcomes, part_of_another=name != RIGHT_ORDER))
    return results


async def _facts_and_questions(service: Service, rows: Sequence[Matter], prefix: str = "") -> list[Result]:
    """Each fact is stated by a new user; the question follows in a new thread, at once and after formation."""
    results: list[Result] = []
    for formed, when in ((False, "at once"), (True, "after formation")):

        async def ask(row: Matter, *, formed: bool = formed) -> Recalled:
            user = await service.user()
            await user.say(row.fact)
            if formed:
                await user.flush()
            return await user.say(row.question)

        answers = await for_each(rows, ask)
        for kind, chosen in (("all", (True, False)), ("standing kinds", (True,)), ("other kinds", (False,))):
            outcomes = [
                Outcome(row.split, answer.contains(row.needle), _describe(row.question, row.fact, answer))
                for row, answer in zip(rows, answers, strict=True)
                if row.standing in chosen
            ]
            results.append(Share(f"{prefix}{when}, {kind}", outcomes, part_of_another=len(chosen) == 1))
    return results


async def _state(user_and_said: tuple[User, Sequence[str]]) -> None:
    user, said = user_and_said
    for text in said:
        await user.say(text)
    await user.flush()


def _sizes(recalled: Sequence[Recalled], needed: int) -> dict[str, float]:
    def mean(values: Sequence[int]) -> float:
        return round(sum(values) / len(values), 1)

    counts = [len(answer.by_relevance) for answer in recalled]
    return {
        "recalled, needed": mean(counts[:needed]),
        "recalled, unrelated": mean(counts[needed:]),
        "tip characters": mean([answer.tip_chars for answer in recalled]),
    }


def _order(row: Change, answer: Recalled) -> tuple[float, float]:
    """The first positions of the newer and the older statement, or `ABSENT`."""
    newer = [n for n, text in enumerate(answer.texts) if row.needle_new in text]
    older = [n for n, text in enumerate(answer.texts) if row.needle_old in text and row.needle_new not in text]
    return min(newer, default=ABSENT), min(older, default=ABSENT)


def _describe(question: str, needed: str, answer: Recalled) -> str:
    found = "; ".join(
        f"{memory['kind']}/{memory.get('why', '-')} {memory['text']!r} {memory['score'] or 0:.2f}"
        for memory in answer.memories
    )
    return f"{question!r}" + (f" needs {needed!r}" if needed else "") + f" -> {found or 'nothing'}"
