"""The context of an inbox item in the messages of a graph's state."""

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from agent.chat.memory_tools import MEMORY_TOOLS, has_tool_results, memory_tools
from agent.chat.state import context_reader
from agent.memory.editing.library import Library
from agent.memory.formation.batch import MAX_CONTEXT_MESSAGES, ContextMessage
from agent.memory.records.inbox import InboxItem
from agent.types import MessageId, ThreadId, UserId

USER = UserId("ada")
MESSAGES: list[AnyMessage] = [
    SystemMessage("reset", id="m0"),
    HumanMessage("We are engaged!", id="m1"),
    AIMessage("", id="m2", tool_calls=[{"id": "c", "name": "web_search", "args": {}}]),
    ToolMessage("results", id="m3", tool_call_id="c", name="web_search"),
    AIMessage("When is the wedding?", id="m4"),
    HumanMessage("June 12", id="m5"),
]


def _item(message: str) -> InboxItem:
    return InboxItem(MessageId(message), ThreadId("t"), "text", "")


async def test_the_context_is_what_user_and_assistant_said_before_the_message() -> None:
    assert await context_reader(MESSAGES)(USER, _item("m5")) == [
        ContextMessage("user", "We are engaged!"),
        ContextMessage("assistant", "When is the wedding?", read_tools=True),
    ]


async def test_the_first_message_and_those_of_other_threads_have_no_context() -> None:
    assert list(await context_reader(MESSAGES)(USER, _item("m1"))) == []
    assert list(await context_reader(MESSAGES)(USER, _item("other"))) == []


async def test_the_context_is_limited_to_the_latest_messages() -> None:
    messages = [HumanMessage(f"text {n}", id=f"m{n}") for n in range(9)]
    context = await context_reader(messages)(USER, _item("m8"))
    assert [message.text for message in context] == [f"text {n}" for n in range(8)][-MAX_CONTEXT_MESSAGES:]


def test_results_of_all_tools_but_the_memory_tools_are_text_of_third_parties() -> None:
    names = {tool.name for tool in memory_tools(Library)}
    assert names == MEMORY_TOOLS
    assert [message.id for message in MESSAGES if has_tool_results(message)] == ["m3"]
    assert not any(has_tool_results(ToolMessage("result", tool_call_id="c", name=name)) for name in names)
    assert has_tool_results(AIMessage([{"type": "web_search_call", "id": "w"}, {"type": "text", "text": "Bees."}]))
