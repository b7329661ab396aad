"""Requests to remember and to forget that are recognised by the form of a message. They are executed before the reply.

If a request to forget is not certain, nothing is forgotten: the user gets a list, and the next message may choose from
it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.chat.memory_control import CONVERSATION
from agent.chat.offers import Offered
from agent.chat.outcome import Call, Outcome, restored_call, undone_calls
from agent.chat.request_plan import RequestPlan
from agent.errors import EmbedderUnavailableError, InvalidTextError
from agent.language.facts.extraction import own_statements
from agent.language.requests.clause_subjects import is_of_another
from agent.language.requests.memory_remarks import without_pin
from agent.language.requests.memory_requests import (
    MAX_REQUESTS,
    UNCERTAIN,
    MemoryRequest,
    with_antecedent,
)
from agent.language.requests.remembered_facts import remembered_facts
from agent.language.requests.statement_matching import mentions, shares_word_start
from agent.memory.editing.former import forget_former
from agent.memory.editing.library import Library
from agent.memory.editing.message_undo import undo_message
from agent.memory.editing.outdated import outdated
from agent.memory.editing.remember import remember_text
from agent.memory.editing.search import search
from agent.memory.editing.selection import Statement, load_statements, select, with_continuations
from agent.memory.records import inbox
from agent.models.request_results import ENGLISH
from agent.prompt_text import neutralise
from agent.text_process import analyse
from agent.timestamps import now
from agent.types import MessageId, Source, UserId

MAX_NEAREST = 3
_CHOICE = "choice"
MIN_NEAREST_SCORE = 0.3
"""Minimum score of a memory that is offered by its meaning alone."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a request to forget may mean, from which the user chooses."""

    query: str
    statements: Sequence[Statement]
    question: str


@dataclass(slots=True)
class RequestExecution:
    """Executes the plan of one message."""

    library: Library
    user: UserId
    plan: RequestPlan
    _calls: list[Call] = field(default_factory=list)
    _found: list[_Found] = field(default_factory=list)
    _forgotten: list[str] = field(default_factory=list)
    _offered: list[Offered] = field(default_factory=list)

    async def run(self) -> Outcome:
        """Execute all requests; after a failure, those before it are done.

        What is to be remembered may replace what is to be forgotten, so that this is done first.
        """
        started_at = time.perf_counter()
        if self.plan.chosen is not None:
            await self._withdraw_chosen(self.plan.chosen)
        for number, request in self.plan.in_order_of_execution():
            if request.action == "remember":
                await self._remember(request)
            elif request.action == "restore":
                await self._restore()
            else:
                await self._forget(request, number)
        self._offer_found()
        return Outcome(tuple(self._calls), tuple(self._offered), round((time.perf_counter() - started_at) * 1000, 2))

    def failed(self) -> Outcome:
        """What was done before a failure, and that the rest was not."""
        name = self.plan.requests[0].action if self.plan.requests else "forget"
        return Outcome((*self._calls, Call(name, {}, ENGLISH.failed, "failed")), has_failed=True)

    async def _remember(self, request: MemoryRequest) -> None:
        text, message, whole = request.text, self.plan.item.message, self.plan.message
        if request.scope == "previous":
            before = await self.plan.statements_before(request)
            if not before and self.plan.previous:
                message, whole = self.plan.previous, self.plan.previous_text
                before = await analyse(own_statements, whole, chars=len(whole))
                await inbox.remove(self.library.store, self.user, [message])  # it must not become a memory twice
            text = " ".join(before)
        if text:
            await self._report_memories(text, message, whole)

    async def _restore(self) -> None:
        """Undo what the requests or the choice of the message before this one have withdrawn, or what it has stated."""
        parts = [*map(str, range(MAX_REQUESTS)), _CHOICE, CONVERSATION]
        if restored := await self.library.restore(self.user, [f"{self.plan.previous} {part}" for part in parts]):
            self._calls.append(restored_call(restored))
        if self.plan.previous and self.plan.reverts:
            undone = await undo_message(self.library, self.user, self.plan.previous)
            self._calls += undone_calls(undone.removed, undone.restored or {})

    async def _report_memories(self, text: str, message: MessageId, whole: str) -> None:
        text, is_pinned = without_pin(text)
        source = Source(self.plan.item.thread, message, text, now())
        remembered = []
        try:
            for kind, category, fact in await analyse(remembered_facts, text, chars=len(text)):
                memory = await remember_text(
                    self.library.store, self.user, kind, fact, source, message_text=whole, category=category
                )
                if is_pinned:
                    await self.library.edit(self.user, memory.id, pinned=True)
                remembered.append(neutralise(memory.text))
        except InvalidTextError as error:
            self._calls.append(Call("remember", {"text": ""}, f"{ENGLISH.not_remembered} {error}.", "failed"))
            return
        texts = "; ".join(remembered)
        result = ENGLISH.pinned if is_pinned else ENGLISH.remembered
        self._calls.append(Call("remember", {"text": texts}, f"{result} {texts}"))

    async def _forget(self, request: MemoryRequest, number: int) -> None:
        if request.scope == "all":
            self._calls.append(Call("find_memories", {"query": ""}, ENGLISH.all))
            return
        if repeated := await self.library.withdrawn(self.user, self._id(str(number))):
            self._report_forgotten(repeated, ())
            return
        request = with_antecedent(request, self.plan.previous_text)
        statements = await load_statements(self.library.store, self.user)
        if request.scope == "previous":
            await self._forget_previous(request, statements, number)
            return
        if request.scope == "thing" and await self.plan.follows_task(request, statements):
            request = replace(request, scope="mention")  # it may concern the task at hand
        selection = await analyse(select, request, statements, chars=sum(len(one.text) for one in statements))
        offered = selection.offered or (() if selection.certain else await self._nearest(request, statements))
        untrue = [] if request.scope == "topic" else await self._untrue(request.text, offered)
        offered = [one for one in offered if one not in untrue]
        former = await forget_former(self.library, self.user, request)
        if selection.certain or untrue:
            await self._withdraw((*selection.certain, *untrue), str(number), spared=offered)
            if offered:
                self._found.append(_Found(request.text, await self._remaining(offered), ENGLISH.choose_more))
        elif offered:
            self._found.append(_Found(request.text, offered, ENGLISH.choose))
        elif former:
            self._report_forgotten(former, ())
        elif request.scope not in UNCERTAIN and not any(mentions(one, request.text) for one in self._forgotten):
            self._report_missing(request.text)

    async def _untrue(self, name: str, statements: Sequence[Statement]) -> list[Statement]:
        """The statements that the same message makes untrue, which are meant certainly."""
        remaining, remembered = self.plan.item.text, self.plan.remembered
        if not statements or not (remaining or remembered):
            return []
        chars = len(remaining) + sum(map(len, remembered))
        return await analyse(outdated, name, statements, remaining, remembered, self.plan.item.ts, chars=chars)

    def _report_missing(self, text: str) -> None:
        """Report that nothing is found; of several requests, also for which one."""
        is_only = len(self.plan.requests) == 1
        output = ENGLISH.nothing_found if is_only else f"{ENGLISH.nothing_found_about} {neutralise(text)}"
        self._calls.append(Call("find_memories", {"query": text}, output))

    async def _remaining(self, offered: Sequence[Statement]) -> list[Statement]:
        """What is offered, with the ids of the memories that now contain it: what is left of a divided one is new."""
        statements = await load_statements(self.library.store, self.user)
        known = {one.id for one in statements}
        holders = [next((held.id for held in statements if one.text in held.text), one.id) for one in offered]
        return [
            one if one.id in known else replace(one, id=holder) for one, holder in zip(offered, holders, strict=True)
        ]

    async def _forget_previous(self, request: MemoryRequest, statements: Sequence[Statement], number: int) -> None:
        if await self.plan.is_about_itself(request):
            await self.library.withhold(self.user, {self.plan.item.message})
            self._calls.append(Call("forget", {"ids": []}, ENGLISH.forgotten_message))
            return
        meant = {self.plan.previous} if self.plan.previous else set()
        said = [one for one in statements if one.messages and one.messages <= meant]
        if said:
            await self._withdraw(said, str(number))
        else:
            self._calls.append(Call("find_memories", {"query": ""}, ENGLISH.nothing_before))

    async def _nearest(self, request: MemoryRequest, statements: Sequence[Statement]) -> Sequence[Statement]:
        """The statements nearest by meaning to what a request names; none for a statement or unknown name."""
        if request.scope not in {"subject", "question", "topic", "words"}:
            return ()
        try:
            hits = await search(self.library.store, self.user, request.text, limit=MAX_NEAREST)
        except EmbedderUnavailableError:
            return ()
        others = {one.id for one in statements if is_of_another(one.text, request.text)}
        near = [hit.id for hit in hits if (hit.score or 0.0) >= MIN_NEAREST_SCORE and hit.id not in others]
        found = [one for memory in near for one in statements if one.id == memory]
        if request.scope == "topic":
            found = [one for one in found if shares_word_start(one.text, request.text)] or (
                [] if request.text.istitle() else found
            )
        return found[:MAX_NEAREST]

    def _offer_found(self) -> None:
        """Offer what the requests may mean in one list, without what they have forgotten."""
        entries = {one.text: one for found in self._found for one in found.statements}
        listed = [one for one in entries.values() if one.text not in self._forgotten]
        if not listed:
            return
        is_more = all(found.question == ENGLISH.choose_more for found in self._found)
        others = ENGLISH.choose_others if self._forgotten else ENGLISH.choose
        lines = [f"{n}. {neutralise(one.text)} ({one.ts[:10]})" for n, one in enumerate(listed, 1)]
        output = "\n".join([ENGLISH.choose_more if is_more else others, *lines])
        self._offered += [Offered(id=one.id, text=one.text) for one in listed]
        self._calls.append(Call("find_memories", {"query": "; ".join(one.query for one in self._found)}, output))

    async def _withdraw_chosen(self, offered: Sequence[Offered]) -> None:
        chosen = [Statement(one["id"], one["text"], "") for one in offered]
        statements = await load_statements(self.library.store, self.user)
        await self._withdraw(with_continuations(chosen, statements), _CHOICE)

    async def _withdraw(self, statements: Sequence[Statement], part: str, *, spared: Sequence[Statement] = ()) -> None:
        request = self._id(part)
        texts = (
            await self.library.withdraw(
                self.user, statements, spared=spared, request=request, requested_at=self.plan.item.ts
            )
            if statements
            else []
        )
        self._report_forgotten(texts, [one.id for one in statements])

    def _report_forgotten(self, texts: Sequence[str], ids: Sequence[str]) -> None:
        self._forgotten += texts
        output = f"{ENGLISH.forgotten} {'; '.join(map(neutralise, texts))}" if texts else ENGLISH.nothing_forgotten
        self._calls.append(Call("forget", {"ids": list(ids)}, output, "ok" if texts else "failed"))

    def _id(self, part: str) -> str:
        """Identify a request, so that a retry of the message gives the same result."""
        return f"{self.plan.item.message} {part}"
