"""Memory for a developer's own agent, made with `langchain.agents.create_agent`.

    agent = create_agent(model, tools, middleware=[MemoryMiddleware(model)], store=store)
    await agent.ainvoke({"messages": [...]}, context={"user_id": "ada"})

The store is an `ExactPostgresStore`, or another LangGraph store, whose index embeds the field `text`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NotRequired

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from agent.chat.state import context_reader
from agent.database.row_security import validate_user_id
from agent.errors import SetupError
from agent.log_context import bind_user
from agent.memory.formation.extract import Extractor, RulesExtractor, StrictExtractor
from agent.memory.formation.former import ExtractorFormer, process_inbox
from agent.memory.formation.resilient import ResilientExtractor
from agent.memory.recall.calibration import Calibrator
from agent.memory.recall.recall import Recaller
from agent.memory.recall.tip import NO_TIP, StandingPart, Tip, TipBudget, write_tip
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.models.embeddings import CachedEmbeddings
from agent.models.openai_errors import TranslatedModel
from agent.timestamps import now
from agent.types import FormationResult, MessageId, ThreadId, UserId

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import PrivateStateAttr
except ImportError as error:
    raise SetupError("MemoryMiddleware needs the extra: pip install 'keepsake-agent[langchain]'") from error

logger = logging.getLogger(__name__)

RECALL_LIMIT = 4
"""Memories of each kind."""
RECALL_DEADLINE_SECONDS = 0.3
FORMATION_DEADLINE_SECONDS = 90.0
MIN_CONFIDENCE = 0.7


class MemoryState(AgentState[Any]):
    """What the middleware keeps in the thread's state."""

    memory_standing: NotRequired[Annotated[StandingPart | None, PrivateStateAttr]]
    """The part of the prompt that is repeated in every turn."""
    memory_recalled: NotRequired[Annotated[str, PrivateStateAttr]]
    """The part of the prompt for the newest message."""
    memory_ts: NotRequired[Annotated[str, PrivateStateAttr]]
    """When the newest message was received."""


class MemoryMiddleware(AgentMiddleware[MemoryState, Any, Any]):
    """Recalls memories before the model, and forms memories from the user's messages after the answer.

    The user is `user_id` in the context of the run, a member or an attribute: 1 to 64 of a-z, 0-9, _ and -. It must
    come from your authentication, never from a message. Memory never breaks an answer: errors are logged.

    Args:
        model: forms memories; without one, patterns do.
        form_after_answer: form memories at the end of each run. Otherwise call `form_memories`, for example when the
            user has been inactive for a while.
        recall_deadline_seconds: for the embedding, and for the search; a late embedder leaves the words to search by.
        max_chars: of the text about the user in the prompt.
    """

    state_schema = MemoryState

    def __init__(
        self,
        model: BaseChatModel | None = None,
        *,
        form_after_answer: bool = True,
        recall_deadline_seconds: float = RECALL_DEADLINE_SECONDS,
        max_chars: int = TipBudget().max_chars,
    ) -> None:
        super().__init__()
        self.tools = []
        self._form_after_answer = form_after_answer
        self._deadline_seconds = recall_deadline_seconds
        self._budget = TipBudget(max_chars)
        self._recaller: Recaller | None = None
        self._former = ExtractorFormer(_make_extractor(model), min_confidence=MIN_CONFIDENCE)

    async def form_memories(
        self, store: BaseStore, user_id: str, messages: Sequence[AnyMessage] = ()
    ) -> FormationResult:
        """Form memories from the messages in the user's inbox.

        Args:
            store: contains the inbox and the memories.
            user_id: their owner.
            messages: of the thread, in which the context of those in the inbox is found.

        Raises:
            AgentError: the messages remain in the inbox.
        """
        user = validate_user_id(user_id)
        return await process_inbox(store, user, replace(self._former, read_context=context_reader(messages)))

    async def abefore_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Add the message to the inbox, and recall memories for it."""
        user, store = _user(runtime), _store(runtime)
        bind_user(user)
        message = state["messages"][-1] if state["messages"] else None
        if not isinstance(message, HumanMessage) or not message.text.strip():
            return {"memory_recalled": ""}
        item = await inbox.analysed(_item(message, now()))
        tip, _ = await asyncio.gather(
            self._recall(store, user, item, state), _safely("adding the message", _add(store, user, item))
        )
        return {"memory_standing": tip.standing, "memory_recalled": tip.recalled, "memory_ts": item.ts}

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Add what is known about the user to the system message, the part that remains the same first."""
        state: Mapping[str, Any] = request.state
        standing = (state.get("memory_standing") or {}).get("text", "")
        prompt = request.system_message.text if request.system_message else ""
        parts = list(filter(None, [standing, prompt, state.get("memory_recalled", "")]))
        if parts != [prompt]:
            request = request.override(system_message=SystemMessage("\n\n".join(parts)) if parts else None)
        return await handler(request)

    async def aafter_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Add the answer to the inbox item, and form memories."""
        user, store = _user(runtime), _store(runtime)
        if message := next((one for one in reversed(state["messages"]) if isinstance(one, HumanMessage)), None):
            await _safely("adding the answer", self._add_answer(store, user, message, state))
        if self._form_after_answer:
            await _safely("forming memories", self.form_memories(store, user, state["messages"]))
        if self._recaller is not None:
            await _safely("calibration", self._recaller.calibrator.calibrate())
        return None

    async def _add_answer(self, store: BaseStore, user: UserId, message: HumanMessage, state: MemoryState) -> None:
        turn = state["messages"][state["messages"].index(message) :]
        answer = turn[-1].text if isinstance(turn[-1], AIMessage) else ""
        read_tools = any(isinstance(one, ToolMessage) for one in turn)
        item = await inbox.analysed(_item(message, state.get("memory_ts", "") or now()))
        await inbox.add_answer(store, user, replace(item, read_tools=read_tools), answer)

    async def _recall(self, store: BaseStore, user: UserId, item: InboxItem, state: MemoryState) -> Tip:
        previous = state.get("memory_standing")
        self._recaller = self._recaller or self._make_recaller(store)
        recalled = await self._recaller.recall(
            store,
            user,
            item.text,
            context_messages=frozenset(message.id or "" for message in state["messages"]),
            shown=previous["hits"] if previous else (),
        )
        if recalled.has_failed:
            return NO_TIP if previous is None else Tip(previous)
        return write_tip(recalled, self._budget, previous=None if recalled.has_changed else previous)

    def _make_recaller(self, store: BaseStore) -> Recaller:
        embeddings = getattr(store, "embeddings", None)
        if embeddings is None:
            raise SetupError("the store embeds nothing: open it with index={'embed': …, 'dims': …, 'fields': ['text']}")
        if not isinstance(embeddings, CachedEmbeddings):
            embeddings = CachedEmbeddings(embeddings.aembed_documents)
        return Recaller(embeddings, Calibrator(embeddings, "", 0), RECALL_LIMIT, self._deadline_seconds)


def _make_extractor(model: BaseChatModel | None) -> Extractor:
    rules = RulesExtractor()
    if model is None:
        return rules
    return ResilientExtractor(StrictExtractor(TranslatedModel(model)), rules, FORMATION_DEADLINE_SECONDS)


def _user(runtime: Runtime[Any]) -> UserId:
    context = runtime.context
    user = context.get("user_id") if isinstance(context, Mapping) else getattr(context, "user_id", None)
    return validate_user_id(user)


def _store(runtime: Runtime[Any]) -> BaseStore:
    if runtime.store is None:
        raise SetupError("MemoryMiddleware needs a store: create_agent(…, store=store)")
    return runtime.store


def _item(message: HumanMessage, ts: str) -> InboxItem:
    thread = ThreadId(str(get_config().get("configurable", {}).get("thread_id", "")))
    return InboxItem(MessageId(message.id or ""), thread, message.text, ts)


async def _add(store: BaseStore, user: UserId, item: InboxItem) -> None:
    await inbox.add(store, user, item)
    await inbox.add_vector(store, user, item)


async def _safely(name: str, operation: Awaitable[object]) -> None:
    try:
        await operation
    except Exception as error:  # a memory error of any kind must not break an answer
        logger.warning("%s failed; the message remains in the inbox if it was added", name, exc_info=error)
