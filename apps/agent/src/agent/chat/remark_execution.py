"""Remarks about memories, which are answered before the reply; see `language.requests.memory_remarks`."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.chat.offers import Offered
from agent.chat.outcome import Call, Outcome
from agent.chat.request_plan import RemarkPlan, RequestPlan
from agent.errors import InvalidTextError, MemoryNotFoundError
from agent.language.requests.remembered_facts import remembered_facts
from agent.memory.editing.library import Library
from agent.memory.editing.origins import Origin, load_origins
from agent.memory.editing.remember import remember_text
from agent.memory.editing.selection import Statement
from agent.memory.records import inbox
from agent.models.request_results import ENGLISH
from agent.prompt_text import neutralise
from agent.text_process import analyse
from agent.timestamps import to_local
from agent.types import MemoryId, MessageId, Source, UserId

MAX_ORIGINS = 4
MAX_PINNED = 3
WITHDRAWN = "0"
"""The part of the id of what a remark withdraws, as of the first request of a message."""


@dataclass(slots=True)
class RemarkExecution:
    """Executes the remark of one message."""

    library: Library
    user: UserId
    plan: RequestPlan
    remark: RemarkPlan
    _calls: list[Call] = field(default_factory=list)
    _offered: list[Offered] = field(default_factory=list)

    async def run(self) -> Outcome:
        """Execute the remark."""
        started_at = time.perf_counter()
        meant = self.remark.statements
        match self.remark.action:
            case "origin":
                await self._report_origins(meant)
            case "wrong" | "denied":
                self._dispute(meant)
            case "unsaid":
                await self._report_origins(meant)
                self._dispute(meant)
            case "outdated" if len(meant) == 1:
                [origin] = await load_origins(self.library, self.user, meant)
                await self._withdraw(meant)
                text = origin.quote or origin.text
                self._offered = [Offered(id=meant[0].id, text=text, disputed=True, withdrawn=True)]
                self._calls.append(Call("find_memories", {"query": ""}, ENGLISH.ask_current))
            case "outdated":
                self._dispute(meant)
            case "forget":
                await self._withdraw(meant)
            case "correct":
                await self._withdraw(meant)
                text = neutralise(self.remark.right)
                self._calls.append(Call("remember", {"text": text}, f"{ENGLISH.noted_instead} {text}"))
            case "mute":
                text = neutralise(self.remark.right)
                self._calls.append(Call("remember", {"text": text}, f"{ENGLISH.muted} {text}"))
            case "pin" | "unpin":
                await self._pin(meant, pinned=self.remark.action == "pin")
        return Outcome(tuple(self._calls), tuple(self._offered), round((time.perf_counter() - started_at) * 1000, 2))

    def failed(self) -> Outcome:
        """What was done before a failure, and that the rest was not."""
        return Outcome((*self._calls, Call("find_memories", {}, ENGLISH.failed, "failed")), has_failed=True)

    async def _report_origins(self, statements: Sequence[Statement]) -> None:
        origins = await load_origins(self.library, self.user, statements[:MAX_ORIGINS])
        lines = [self._line(one) for one in origins]
        self._calls.append(Call("find_memories", {"query": statements[0].text}, "\n".join(lines)))

    def _line(self, origin: Origin) -> str:
        if origin.application:
            return f"{ENGLISH.reported} {neutralise(origin.text)} ({neutralise(origin.application)})"
        day = to_local(origin.ts, self.plan.item.time_zone).date().isoformat()
        if not origin.quote:
            return f"{ENGLISH.entered} {day}: {neutralise(origin.text)}"
        return f'{ENGLISH.said_on} {day}: "{neutralise(origin.quote)}"'

    def _dispute(self, statements: Sequence[Statement]) -> None:
        """List what may be wrong. The next message says what is right, or chooses what to forget."""
        lines = [f"{n}. {neutralise(one.text)} ({one.ts[:10]})" for n, one in enumerate(statements, 1)]
        self._offered = [Offered(id=one.id, text=one.text, disputed=True) for one in statements]
        self._calls.append(Call("find_memories", {"query": ""}, "\n".join([ENGLISH.disputed, *lines])))

    async def _withdraw(self, statements: Sequence[Statement]) -> None:
        if not statements:  # the message before has done so
            return
        request = f"{self.plan.item.message} {WITHDRAWN}"
        said_at = self.plan.item.ts
        texts = await self.library.withdraw(self.user, statements, request=request, requested_at=said_at)
        output = f"{ENGLISH.forgotten} {'; '.join(map(neutralise, texts))}" if texts else ENGLISH.nothing_forgotten
        ids = [one.id for one in statements]
        self._calls.append(Call("forget", {"ids": ids}, output, "ok" if texts else "failed"))

    async def _pin(self, statements: Sequence[Statement], *, pinned: bool) -> None:
        if len(statements) > MAX_PINNED:
            self._calls.append(Call("find_memories", {"query": ""}, ENGLISH.pin_which))
            return
        texts: dict[str, None] = {}
        for statement in statements:
            for memory in await self._memories_of(statement):
                changed = await self.library.edit(self.user, memory, pinned=pinned)
                texts[neutralise(changed.text)] = None
        result = ENGLISH.pinned if pinned else ENGLISH.unpinned
        self._calls.append(Call("remember", {"text": "; ".join(texts)}, f"{result} {'; '.join(texts)}"))

    async def _memories_of(self, statement: Statement) -> list[MemoryId]:
        """The memory of a statement; a message that is not processed yet is remembered first."""
        memory = MemoryId(statement.id)
        try:
            await self.library.get(self.user, memory)
        except MemoryNotFoundError:
            return await self._remembered(statement)
        return [memory]

    async def _remembered(self, statement: Statement) -> list[MemoryId]:
        text, message = statement.text, MessageId(statement.id)
        source = Source(statement.thread, message, text, statement.said_at)
        found: list[MemoryId] = []
        for kind, category, fact in await analyse(remembered_facts, text, chars=len(text)):
            try:
                memory = await remember_text(
                    self.library.store, self.user, kind, fact, source, message_text=text, category=category
                )
            except InvalidTextError:
                continue
            found.append(memory.id)
        if found:
            await inbox.remove(self.library.store, self.user, [message])  # it must not become a memory twice
        return found
