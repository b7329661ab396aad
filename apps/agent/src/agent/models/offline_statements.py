"""What the user said, as the offline model reads it: statements of the thread, and the bullets of system messages."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Self

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from agent.language.authorship.own_words import mask_quoted
from agent.language.facts.extraction import contains_only_requests, extract_from_user, own_statements, plain_clauses
from agent.language.grounding.support import uncovered_stems
from agent.language.parsing.sentences import compile_any, is_first_person, plain_punctuation
from agent.language.removal.extent import contradicted_statements
from agent.language.requests.memory_remarks import memory_remark
from agent.language.requests.memory_requests import (
    MemoryRequest,
    memory_requests,
    refers_to_own_message,
    without_forget_requests,
)
from agent.language.requests.statement_matching import is_same_statement, mentions, states
from agent.language.requests.undo_requests import asks_to_revert, asks_to_undo
from agent.language.requests.value_requests import with_statements
from agent.language.safety.credentials import contains_credentials
from agent.models.offline_follow_ups import FollowUp, find_follow_ups
from agent.models.request_results import AnsweredChanges

MAX_CHARS = 4_000  # of one message
MAX_MESSAGES = 100  # of the thread, the latest
MAX_STATEMENTS = 200  # of the thread, the latest: each is compared with all others
NEAREST = "Most similar to the message:"
"""The first line of a system message for the offline model; the others are texts of bullets."""
_PENDING = "Said lately"  # the heading of messages of which no memories are formed yet
_DAY_HEADING = re.compile(r"\A.*?(?P<day>\d{4}-\d{2}-\d{2}):")
MARKUP = str.maketrans({"<": "\u2039", ">": "\u203a", "`": "'", "[": "(", "]": ")", "*": None, "|": "/", "\\": "/"})

_CONTINUATION = compile_any(  # a sentence about what the user named before it: "She's a collie called Biscuit"
    r"(?:she|he|it|they|sie|er|es|ella|él|elle|il|lei|lui|ela|ele|zij|hij)\b(?! (?:is|was) (?:raining|late|time)\b)"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the user said."""

    text: str
    day: str  # ISO 8601; empty if unknown
    index: int = -1  # in the thread; -1 for a bullet, which is older than any message of the thread
    order: int = 0  # higher for newer bullets of the same day
    is_near: bool = False  # whether it is one of those that are most similar to the question

    @property
    def recency(self) -> tuple[int, str, int]:
        """Higher for newer statements."""
        return self.index, self.day, self.order

    @property
    def continues_another(self) -> bool:
        """Whether it may be about what the statement before it names."""
        return _CONTINUATION.match(self.text) is not None

    def is_superseded_by(self, other: Self) -> bool:
        """Check whether the other statement is newer and contradicts all that this one says."""
        if other.recency <= self.recency:
            return False
        outdated = contradicted_statements(other.text, self.text, stated_at=other.day)
        return sum(map(len, outdated)) >= len(self.text.rstrip(" .!"))


@dataclass(frozen=True, slots=True)
class Found:
    """The statements for one question, best first."""

    answers: Sequence[Statement] = ()
    related: Sequence[Statement] = ()
    """Statements that share words with the question, but do not contain what it asks for."""
    is_complete: bool = False
    """Whether no other statement is related."""


def current(statements: Sequence[Statement]) -> list[Statement]:
    """The statements that no other one supersedes."""
    return [one for one in statements if not any(map(one.is_superseded_by, statements))]


def thread_statements(texts: Sequence[str], answering: Collection[int] = ()) -> list[Statement]:
    """What the user said in the thread, the latest first, without what they have changed or had forgotten since.

    Args:
        texts: the messages.
        answering: the indices of those that may answer a question.
    """
    today = datetime.now(UTC).date().isoformat()
    recent = list(enumerate(text[:MAX_CHARS] for text in texts[-MAX_MESSAGES:]))
    pairs = pairwise(recent)
    reverted = {n for (n, before), (_, text) in pairs if asks_to_revert(text, before)}
    # Of the same words, the latest.
    read = [(n, text) for n, text in recent if n not in reverted and not _only_pins(text)]
    stated = {one: n for n, text in read for one in _statements(text)}
    latest = sorted(stated.items(), key=lambda one: -one[1])[:MAX_STATEMENTS]
    statements = [Statement(one, today, n) for one, n in latest]
    for follow_up in find_follow_ups([text for _, text in recent], answering):
        if recent[follow_up.index] in read and not memory_requests(recent[follow_up.index][1]):
            statements = _with_follow_up(statements, follow_up, today)
    undone = _undone([text for _, text in recent])
    forgotten = [
        (n, one)
        for n, text in recent
        for one in memory_requests(text)
        if one.action == "forget" and n not in undone and not refers_to_own_message(text, one)
    ]
    return [one for one in statements if not any(_is_forgotten(one, n, request) for n, request in forgotten)]


def _with_follow_up(statements: Sequence[Statement], follow_up: FollowUp, today: str) -> list[Statement]:
    """The statements with a follow-up, together with what it follows, in place of both."""
    followed = [one for one in statements if one.index in follow_up.followed]
    replaced = {one for one in followed if not uncovered_stems(one.text, follow_up.statement)}
    kept = [one for one in statements if one.index != follow_up.index and one not in replaced]
    return sorted([*kept, Statement(plain(follow_up.text), today, follow_up.index)], key=lambda one: -one.index)


def with_corrections(statements: Sequence[Statement], messages: Sequence[BaseMessage]) -> list[Statement]:
    """The statements of a thread as its answers have changed them: without what they have forgotten or undone since.

    What they have noted instead is a statement of the message before them.
    """
    today = datetime.now(UTC).date().isoformat()
    known, removed, index = list(statements), dict[str, int](), -1
    for message in messages:
        index += isinstance(message, HumanMessage)
        if not isinstance(message, AIMessage) or not (changes := AnsweredChanges.read(message.text)):
            continue
        removed |= dict.fromkeys(changes.removed, index)
        restored = "\n".join(changes.restored)  # perhaps the whole message of which a part was forgotten
        removed = {text: n for text, n in removed.items() if text.rstrip(" .") not in restored}
        own = [one.text for one in known if one.index == index]
        stated = [plain(one) for one in changes.stated if not any(is_same_statement(text, one) for text in own)]
        known = [*(Statement(text, today, index) for text in stated), *(one for one in known if one.text not in stated)]
    return [
        one
        for one in known
        if not any(n > one.index and is_same_statement(one.text, text) for text, n in removed.items())
    ]


def _undone(texts: Sequence[str]) -> set[int]:
    """The indices of the messages whose requests to forget the next message, or the one after a choice, has undone."""
    found: set[int] = set()
    for n in range(1, len(texts)):
        if asks_to_undo(texts[n], texts[n - 1]):
            is_choice = not any(one.action == "forget" for one in memory_requests(texts[n - 1]))
            found.add(n - 2 if is_choice else n - 1)
    return found


def _is_forgotten(statement: Statement, asked_at: int, request: MemoryRequest) -> bool:
    """Check whether a request, in the message with this index, concerns an earlier statement."""
    if request.scope == "previous":
        return statement.index == asked_at - 1
    is_meant = mentions if request.scope in {"topic", "subject"} else states
    return statement.index < asked_at and is_meant(statement.text, request.text)


def _only_pins(text: str) -> bool:
    """Check whether a message only asks to pin a memory, or to unpin it."""
    remark = memory_remark(text)
    return remark is not None and remark.kind in {"pin", "unpin"} and not remark.rest


def _statements(text: str) -> list[str]:
    """Facts, the user's other clauses in the first person, and other sentences, such as those in other languages."""
    text = with_statements(plain_punctuation(without_forget_requests(text)))
    facts = extract_from_user(text)
    own = [one for one in plain_clauses(mask_quoted(text)) if is_first_person(one) and " " in one and "\0" not in one]
    rest = [one for one in own if not contains_only_requests(one) and not any(one in fact.quote for fact in facts)]
    covered = [*(fact.quote for fact in facts), *rest]
    others = [one for one in own_statements(text) if " " in one and not any(quote in one for quote in covered)]
    texts = [plain(one) for one in (*(fact.text for fact in facts), *rest, *others)]
    return [one for one in texts if not contains_credentials(one)]


def bullets(messages: Sequence[BaseMessage]) -> list[Statement]:
    """The bullets of the system messages, the last message first, because it is about the question."""
    statements: list[Statement] = []
    near = {plain(text) for one in messages if one.text.startswith(NEAREST) for text in one.text.splitlines()[1:]}
    for message in reversed([one for one in messages if isinstance(one, SystemMessage)]):
        day, is_pending = "", False
        for line in message.text.splitlines():
            if line.startswith("- "):  # of two about the same subject, the newer one is listed first
                order = MAX_CHARS * is_pending - len(statements)
                text = plain(line[2:])
                statements.append(Statement(text, day, order=order, is_near=text in near))
            else:
                heading = _DAY_HEADING.fullmatch(line)
                day, is_pending = heading["day"] if heading else "", line.startswith(_PENDING)
    return statements


def plain(text: str) -> str:
    """One line without markup."""
    visible = "".join(char if char.isprintable() else " " for char in text.translate(MARKUP))
    return " ".join(visible.split()).rstrip(".")
