"""A conversation to form memories of, with realistic pauses."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .formation_rules import LabelledMessage

ANSWER_SECONDS = 10.0
DEBOUNCE_SECONDS = 30.0
MAX_WAIT_SECONDS = 300.0
SESSION_MESSAGES = (3, 18)
PAUSES = ((0.4, 5, 25), (0.45, 25, 90), (0.15, 90, 300))  # (share, min, max) seconds between two messages of a session
BETWEEN_SESSIONS = (3_600, 48 * 3_600)
ANSWER = (
    "That is good to know. Here are a few thoughts that may help.",
    "First, look at what you have already, and write down what is missing; a short list is enough for a start.",
    "Second, ask somebody who has done it before, since the usual guides leave out the part that takes the time.",
    "Third, leave some room for changes, because the first plan is rarely the one that is carried out in the end.",
    "If you like, tell me what matters most, and I will go into that in more detail.",
    "There are cheaper ways, too, though they take longer, and you may want to compare them before you decide.",
    "For most people it works best in the morning, in small steps, and with a fixed end.",
    "In short: begin small, keep notes, and look at them again after a week.",
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user message and its reply; `seconds` since the start."""

    thread: str
    message: str
    text: str
    answer: str
    seconds: float


def conversation(messages: Sequence[LabelledMessage]) -> list[Exchange]:
    """Arrange the messages into sessions of one user, shuffled; identical in each run."""
    chance = random.Random(7)
    talk: list[Exchange] = []
    at, session, left = 0.0, 0, 0
    for n, one in enumerate(chance.sample(messages, len(messages))):
        if left == 0:
            session, left = session + 1, chance.randint(*SESSION_MESSAGES)
            at += chance.uniform(*BETWEEN_SESSIONS)
        else:
            [pause] = chance.choices(PAUSES, weights=[share for share, _, _ in PAUSES])
            at += ANSWER_SECONDS + chance.uniform(*pause[1:])
        left -= 1
        answer = " ".join(chance.sample(ANSWER, 6))
        talk.append(Exchange(f"session-{session}", f"message-{n}", one.message, answer, at))
    return talk


def batches(talk: Sequence[Exchange]) -> Iterator[list[Exchange]]:
    """Yield the inbox each time formation is due, by the rule of `jobs/queue.sql`.

    Formation is due `DEBOUNCE_SECONDS` after the end of the last run, but at most `MAX_WAIT_SECONDS` after the first
    pending message.
    """
    waiting: list[Exchange] = []
    due = 0.0
    for one in talk:
        if waiting and one.seconds > due:
            yield waiting
            waiting = []
        waiting.append(one)
        due = min(one.seconds + ANSWER_SECONDS + DEBOUNCE_SECONDS, waiting[0].seconds + MAX_WAIT_SECONDS)
    yield waiting
