"""The remark about a memory in a message, and the memories that it means."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.store.base import BaseStore

from agent.chat.offers import Offered
from agent.chat.request_plan import RemarkAction, RemarkPlan, RequestPlan
from agent.language.authorship.word_tasks import awaits_text
from agent.language.facts.extraction import extract_from_user
from agent.language.references.antecedents import CORRECTS
from agent.language.references.bare_corrections import bare_correction
from agent.language.requests.clause_subjects import refers_to_antecedent
from agent.language.requests.memory_remarks import DENIALS, MemoryRemark, asks_for_removal, memory_remark, mute_wordings
from agent.language.requests.questions import is_personal
from agent.memory.editing.library import Library
from agent.memory.editing.origins import load_origins
from agent.memory.editing.right_statement import right_statement
from agent.memory.editing.selection import Statement, load_statements, select_words
from agent.memory.editing.shown import shown_statements
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.text_process import analyse
from agent.types import MessageId, UserId

MAX_SHOWN = 8
MAX_ANSWER_CHARS = 300
"""A longer answer is only meant if it answers a question about the user: it says more than what is remembered."""


@dataclass(frozen=True, slots=True)
class RemarkReader:
    """Reads the remark of the last message of a thread."""

    store: BaseStore
    user: UserId
    item: InboxItem
    messages: Sequence[AnyMessage]
    """The messages of the thread, with the last one."""
    offered: Sequence[Offered]
    """What the last turn has listed."""
    is_saved: bool
    """Whether what the message states is saved."""

    async def read(self) -> RequestPlan | None:
        """The plan for a message that is a remark, or says what is right after one; None for any other message."""
        text = self.item.text
        remark = await analyse(memory_remark, text, chars=len(text))
        answer = next((one.text for one in reversed(self.messages[:-1]) if isinstance(one, AIMessage)), "")
        if remark is None and (disputed := await self._disputed(answer)):
            return await self._answer(disputed)
        if remark is None:
            remark = MemoryRemark("denied", rest=text) if answer and _denies_value(text) else None
        if remark is not None and remark.kind == "mute" and remark.topic:
            return await self._mute(remark.topic)
        if remark is None or awaits_text(self._previous_text, is_first=len(self._earlier) == 1):
            return None
        if meant := await self._meant(remark, answer):
            return await self._plan(remark, meant)
        is_whole = not (remark.topic or remark.rest) and remark.kind != "denied"
        return self._result(None, ()) if is_whole else None  # it states nothing

    @property
    def _earlier(self) -> list[HumanMessage]:
        return [one for one in self.messages[:-1] if isinstance(one, HumanMessage)]

    @property
    def _previous_text(self) -> str:
        return self._earlier[-1].text if self._earlier else ""

    async def _disputed(self, answer: str) -> list[Offered]:
        """What the user has called wrong in the message before; a client that keeps the thread has no list of it."""
        if self.offered:
            return [one for one in self.offered if one.get("disputed")]
        before = memory_remark(self._previous_text)
        if not answer or before is None or before.kind not in DENIALS:
            return []
        statements = await load_statements(self.store, self.user)
        shown = await analyse(shown_statements, answer, statements, chars=_chars(statements))
        return [Offered(id=one.id, text=one.text, disputed=True) for one in shown]

    async def _meant(self, remark: MemoryRemark, answer: str) -> list[Statement]:
        """The statements that a remark means."""
        if not (remark.topic or answer):
            return []
        statements = await load_statements(self.store, self.user)
        if remark.topic:
            selection = await analyse(select_words, remark.topic, statements, chars=_chars(statements))
            return list((selection.certain or selection.offered)[:MAX_SHOWN])
        if remark.kind in DENIALS and len(answer) > MAX_ANSWER_CHARS and not is_personal(self._previous_text):
            return []
        previous = self._earlier[-1].id if self._earlier else None
        shown = await analyse(shown_statements, answer, statements, chars=_chars(statements))
        found = shown or [one for one in statements if previous in one.messages]
        if remark.kind == "denied":
            is_asked = answer.rstrip().endswith(("?", "\uff1f"))
            is_said_here = any(one.id in found[0].messages for one in self._earlier) if found else False
            return [] if is_asked or len(shown) != 1 or (is_said_here and remark.rest) else shown
        return found[:MAX_SHOWN]

    async def _plan(self, remark: MemoryRemark, meant: Sequence[Statement]) -> RequestPlan | None:
        if remark.kind == "mute":
            [origin, *others] = await load_origins(Library(self.store), self.user, meant)
            return None if others else await self._mute(f"that {(origin.quote or origin.text).rstrip(' .!')}")
        if remark.rest and asks_for_removal(remark.rest):
            return self._result("forget", meant)
        if remark.rest:
            corrected = await self._corrected(meant, remark.rest) if len(meant) == 1 else None
            if corrected or remark.kind == "denied":
                return corrected
            item = await self._with_rest(meant, remark.rest)
            return replace(self._result(remark.kind, meant), item=item)
        return self._result(remark.kind, meant)

    async def _mute(self, topic: str) -> RequestPlan | None:
        """The plan not to mention a topic, which is a lasting preference; None if it cannot be read as one."""
        text = await analyse(_as_preference, self.item.text, topic, chars=len(self.item.text))
        if text is None:
            return None
        item = await inbox.analysed(replace(self.item, text=text))
        return replace(self._result("mute", (), text), item=item)

    async def _with_rest(self, meant: Sequence[Statement], rest: str) -> InboxItem:
        """The item of what a message says after its remark, with what it refers to ("not any more, I sold it")."""
        item = replace(self.item, text=rest)
        if len(meant) == 1 and refers_to_antecedent(rest):
            [origin] = await load_origins(Library(self.store), self.user, meant)
            statement = (origin.quote or origin.text).rstrip(" .!")
            messages = tuple(MessageId(one) for one in sorted(meant[0].messages))
            item = replace(item, text=f"{statement}{CORRECTS}{rest}", follows=messages, corrects=True)
        return await inbox.analysed(item)

    async def _answer(self, disputed: Sequence[Offered]) -> RequestPlan | None:
        """The plan for what follows the question what is right: to forget what is wrong, or to correct it."""
        statements = await load_statements(self.store, self.user)
        if asks_for_removal(self.item.text):
            chosen = {one["id"] for one in disputed}
            found = [one for one in statements if one.id in chosen]
            return self._result("forget", found) if found else None
        if len(disputed) > 1:
            return None
        [wrong] = disputed
        if wrong.get("withdrawn"):
            return await self._instead([wrong["text"]], (), self.item.text)
        meant = [one for one in statements if one.id == wrong["id"] and one.text == wrong["text"]]
        return await self._corrected(meant, self.item.text) if meant else None

    async def _corrected(self, meant: Sequence[Statement], text: str) -> RequestPlan | None:
        """The plan to replace a statement by what a text states; None if it states nothing instead of it."""
        [origin] = await load_origins(Library(self.store), self.user, meant)
        return await self._instead([one for one in (origin.quote, origin.text) if one], meant, text)

    async def _instead(self, known: Sequence[str], meant: Sequence[Statement], text: str) -> RequestPlan | None:
        if not self.is_saved:
            return None
        right = await analyse(right_statement, known, text, chars=len(text))
        if right is None:
            return None
        item = await inbox.analysed(replace(self.item, text=right))
        return replace(self._result("correct", meant, right), item=item)

    def _result(self, kind: RemarkAction | None, meant: Sequence[Statement], right: str = "") -> RequestPlan:
        previous = MessageId(self._earlier[-1].id or "") if self._earlier else None
        remark = RemarkPlan(kind, tuple(meant), right) if kind else None
        empty = inbox.without_text(self.item)
        return RequestPlan(empty, self.item.text, (), None, previous, self._previous_text, remark=remark)


def _denies_value(text: str) -> bool:
    """Check for "no, it's York"."""
    correction = bare_correction(text)
    return correction is not None and (correction.is_denial or correction.has_cue)


def _as_preference(message: str, topic: str) -> str | None:
    wordings = mute_wordings(message, topic)
    return next((one for one in wordings if any(fact.kind == "procedural" for fact in extract_from_user(one))), None)


def _chars(statements: Sequence[Statement]) -> int:
    return sum(len(one.text) for one in statements)
