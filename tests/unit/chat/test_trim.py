"""Repair and trimming of arbitrary threads: complete calls, within the budget, newest message last."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from agent.chat.compression import SUMMARY_HEADER, overflow
from agent.chat.notes import Note
from agent.chat.repair import STUB_RESULT, repair_messages
from agent.chat.reply import PromptContext, build_prompt
from agent.chat.trim import TRUNCATION_NOTICE, token_counter, trim, truncate_message

COUNT = token_counter("")
MIN_TOKENS = 300

texts = st.text(alphabet="ab é😀\n", max_size=60) | st.integers(1, 6_000).map(lambda n: "word " * n)
call_ids = st.sampled_from(["a", "b", "c"])
calls = st.lists(call_ids, max_size=3).map(
    lambda ids: [{"name": "look", "args": {"at": "it"}, "id": one, "type": "tool_call"} for one in ids]
)
unreadable = st.lists(call_ids, max_size=1).map(
    lambda ids: [{"name": "look", "args": "{", "id": one, "error": None, "type": "invalid_tool_call"} for one in ids]
)
messages: st.SearchStrategy[AnyMessage] = st.one_of(
    texts.map(HumanMessage),
    texts.map(AIMessage),
    texts.map(SystemMessage),
    st.builds(AIMessage, content=texts, tool_calls=calls, invalid_tool_calls=unreadable),
    st.builds(ToolMessage, content=texts, tool_call_id=call_ids),
)


def _with_ids(thread: list[AnyMessage]) -> list[AnyMessage]:
    return [message.model_copy(update={"id": str(n)}) for n, message in enumerate(thread)]


NOTE: Note = {"entity": "look", "relation": "mentions", "value": "/etc/hosts", "confidence": 0.9, "source_turn": 1}
threads = st.lists(messages, max_size=30).map(_with_ids)
"""Including damaged threads: results without calls, calls without results, repeated ids."""


def _is_valid(thread: list[AnyMessage]) -> bool:
    """Check that each call is directly followed by its results, and that each result has a call."""
    index = 0
    while index < len(thread):
        message = thread[index]
        index += 1
        if isinstance(message, ToolMessage):
            return False
        wanted = [*message.tool_calls, *message.invalid_tool_calls] if isinstance(message, AIMessage) else []
        results = list(itertools.takewhile(lambda one: isinstance(one, ToolMessage), thread[index:]))
        if [one.tool_call_id for one in results if isinstance(one, ToolMessage)] != [call["id"] for call in wanted]:
            return False
        index += len(results)
    return True


@settings(deadline=None, max_examples=50)
@given(threads)
def test_a_repaired_thread_has_exactly_one_result_per_call(thread: list[AnyMessage]) -> None:
    whole = repair_messages(thread)
    assert _is_valid(whole)
    assert [one for one in whole if not isinstance(one, ToolMessage)] == [
        one for one in thread if not isinstance(one, ToolMessage)
    ]


@settings(deadline=None, max_examples=50)
@given(threads)
def test_a_thread_without_damage_is_not_changed(thread: list[AnyMessage]) -> None:
    whole = repair_messages(thread)
    assert all(one is other for one, other in zip(repair_messages(whole), whole, strict=True))


def test_only_missing_results_are_stubbed() -> None:
    call = AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": one, "type": "tool_call"} for one in "ab"])
    whole = repair_messages([HumanMessage("Look."), call, ToolMessage("seen", tool_call_id="b"), HumanMessage("Well?")])
    assert [message.text for message in whole] == ["Look.", "", STUB_RESULT, "seen", "Well?"]


@settings(deadline=None, max_examples=50)
@given(threads, st.integers(MIN_TOKENS, 20_000))
def test_trimmed_messages_fit_the_budget(thread: list[AnyMessage], max_tokens: int) -> None:
    assert COUNT(trim(repair_messages(thread), max_tokens=max_tokens, count=COUNT)) <= max_tokens


@settings(deadline=None, max_examples=50)
@given(threads, st.integers(MIN_TOKENS, 20_000))
def test_trimming_keeps_a_call_with_its_results(thread: list[AnyMessage], max_tokens: int) -> None:
    assert _is_valid(trim(repair_messages(thread), max_tokens=max_tokens, count=COUNT))


@settings(deadline=None, max_examples=50)
@given(threads, st.integers(MIN_TOKENS, 20_000))
def test_trimming_keeps_the_last_user_message_and_system_messages(thread: list[AnyMessage], max_tokens: int) -> None:
    kept = {message.id for message in trim(repair_messages(thread), max_tokens=max_tokens, count=COUNT)}
    user_ids = [message.id for message in thread if isinstance(message, HumanMessage)]
    assert set(user_ids[-1:]) <= kept
    assert {message.id for message in thread if isinstance(message, SystemMessage)} <= kept


@settings(deadline=None, max_examples=50)
@given(threads, st.integers(MIN_TOKENS, 20_000))
def test_the_oldest_messages_are_removed_first(thread: list[AnyMessage], max_tokens: int) -> None:
    dialogue = [message for message in repair_messages(thread) if not isinstance(message, SystemMessage | ToolMessage)]
    kept = {message.id for message in trim(repair_messages(thread), max_tokens=max_tokens, count=COUNT)}
    last_id = next((message.id for message in reversed(dialogue) if isinstance(message, HumanMessage)), None)
    is_kept = [message.id in kept for message in dialogue if message.id != last_id]
    assert is_kept == sorted(is_kept)


@settings(deadline=None, max_examples=50)
@given(threads)
def test_messages_that_fit_are_not_changed(thread: list[AnyMessage]) -> None:
    assert trim(thread, max_tokens=10_000_000, count=COUNT) == thread


@settings(deadline=None, max_examples=50)
@given(threads, st.integers(MIN_TOKENS, 20_000))
def test_compressed_messages_are_old_and_complete(thread: list[AnyMessage], max_tokens: int) -> None:
    whole = _with_ids(repair_messages(thread))
    dropped = {message.id for message in overflow(whole, max_tokens=max_tokens, count=COUNT)}
    left = [message for message in whole if message.id not in dropped]
    assert _is_valid(left)
    user_ids = [message.id for message in whole if isinstance(message, HumanMessage)]
    assert not dropped & set(user_ids[-1:])


@settings(deadline=None, max_examples=50)
@given(
    threads,
    st.integers(2 * MIN_TOKENS, 20_000),
    st.text("tip ", max_size=900),
    st.text("any ", max_size=300),
    st.text("sum ", min_size=1, max_size=2_400),
)
def test_a_prompt_has_one_system_message_first_and_the_recalled_part_before_the_newest_user_message(
    thread: list[AnyMessage], max_tokens: int, standing: str, recalled: str, summary: str
) -> None:
    context = PromptContext(standing, "Be kind.", recalled, summary, [NOTE], dropped_turns=1)
    built = build_prompt(repair_messages(thread), context, max_tokens, COUNT)
    assert isinstance(built[0], SystemMessage)
    assert built[0].text.count(SUMMARY_HEADER) <= 1
    system = [n for n, message in enumerate(built) if isinstance(message, SystemMessage)]
    users = [n for n, message in enumerate(built) if isinstance(message, HumanMessage)]
    position = users[-1] - 1 if users else len(built) - 1
    assert system == ([0, position] if recalled else [0])
    assert built[position].text == recalled or not recalled
    assert COUNT(built) <= max_tokens
    assert _is_valid([message for n, message in enumerate(built) if not recalled or n != position])


def test_the_first_system_message_contains_what_changes_least_first() -> None:
    thread: list[AnyMessage] = [
        HumanMessage("Old " * 2_000, id="1"),
        SystemMessage("Own.", id="2"),
        HumanMessage("New?", id="3"),
    ]
    context = PromptContext("Standing.", "Base.", "Recalled.", "Summary.", [NOTE])
    first, recalled, newest = build_prompt(thread, context, MIN_TOKENS, COUNT)
    parts = first.text.split("\n\n")
    assert parts[:3] == ["Standing.", "Base.", f"{SUMMARY_HEADER}\nSummary."]
    assert "/etc/hosts" in parts[3]
    assert parts[4:] == ["Own."]
    assert (recalled.text, newest.text) == ("Recalled.", "New?")


def test_a_prompt_without_context_is_the_thread() -> None:
    thread: list[AnyMessage] = [HumanMessage("Hi."), AIMessage("Hello."), HumanMessage("And?")]
    assert build_prompt(thread, PromptContext(), 10_000, COUNT) == thread


def test_the_recalled_part_precedes_the_message_while_tools_run() -> None:
    call = AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": "a", "type": "tool_call"}])
    result = ToolMessage("x", tool_call_id="a")
    thread: list[AnyMessage] = [HumanMessage("Hi."), AIMessage("Hello."), HumanMessage("Look."), call, result]
    built = build_prompt(thread, PromptContext("Standing.", recalled="Recalled."), 10_000, COUNT)
    assert [message.text for message in built] == ["Standing.", "Hi.", "Hello.", "Recalled.", "Look.", "", "x"]


def test_a_message_that_is_too_long_is_truncated_with_a_notice() -> None:
    long = HumanMessage("word " * 5_000, id="1")
    [kept] = trim([HumanMessage("Before."), AIMessage("Yes."), long], max_tokens=MIN_TOKENS, count=COUNT)
    assert kept.text.startswith("word word")
    assert kept.text.endswith(TRUNCATION_NOTICE)
    assert COUNT([truncate_message(long, MIN_TOKENS, COUNT)]) <= MIN_TOKENS
