"""Ratings of answers, sent to LangSmith as feedback on the traces of these answers.

A trace has the id of its answer; see `RunState.config`.
"""

import asyncio
import logging
import threading
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cached_property
from queue import Full, Queue

import langsmith
from langsmith.utils import LangSmithNotFoundError, get_tracer_project

from agent.models.tracing import FLUSH_SECONDS, redact
from agent.types import MessageFeedback, MessageId

logger = logging.getLogger(__name__)

KEY = "user_rating"
"""The name of the feedback: 1 for a good answer, 0 for a bad one, with the user's reason as the comment."""

MAX_PENDING = 1_000
"""Further ratings are not sent."""
ATTEMPTS = 4
"""A trace can arrive after its rating."""

Rating = tuple[MessageId, MessageFeedback | None]


@asynccontextmanager
async def open_trace_feedback(client: langsmith.Client) -> AsyncIterator["TraceFeedback"]:
    """Send ratings within the block; those that are not sent soon after its end are lost."""
    feedback = TraceFeedback(client)
    try:
        yield feedback
    finally:
        await asyncio.to_thread(feedback.close, FLUSH_SECONDS)


class TraceFeedback:
    """Send ratings one after another, in a daemon thread: LangSmith delays neither requests nor the process's end."""

    def __init__(self, client: langsmith.Client) -> None:
        self._client = client
        self._pending: Queue[Rating | None] = Queue(MAX_PENDING)
        self._is_closed = False
        self._thread = threading.Thread(target=self._send_all, name="trace-feedback", daemon=True)
        self._thread.start()

    def rate(self, answer: MessageId, feedback: MessageFeedback | None) -> None:
        """Send what the user thinks of an answer, without waiting; None deletes what was sent before."""
        try:
            self._pending.put_nowait((answer, feedback))
        except Full:
            logger.warning("LangSmith does not keep up; a rating is not sent")

    def close(self, timeout_seconds: float) -> None:
        """Send the pending ratings; those that remain after the timeout are lost."""
        with suppress(Full):
            self._pending.put(None, timeout=timeout_seconds)
            self._thread.join(timeout_seconds)
        self._is_closed = True

    def _send_all(self) -> None:
        while (rating := self._pending.get()) is not None and not self._is_closed:
            try:
                self._send(*rating)
            except Exception as error:  # noqa: BLE001 - the next one may be accepted, whatever the error
                logger.warning("a rating could not be sent to LangSmith (%s)", type(error).__name__)

    def _send(self, answer: MessageId, feedback: MessageFeedback | None) -> None:
        """Create the feedback, or update or delete that of an earlier rating of the same answer."""
        trace = uuid.UUID(answer)
        feedback_id = uuid.uuid5(trace, KEY)
        if feedback is None:
            with suppress(LangSmithNotFoundError):
                self._client.delete_feedback(feedback_id)
            return
        score, comment = int(feedback.rating == "up"), redact(feedback.reason or "")
        try:
            self._client.update_feedback(feedback_id, score=score, comment=comment)
        except LangSmithNotFoundError:
            self._client.create_feedback(
                trace,
                KEY,
                score=score,
                comment=comment,
                feedback_id=feedback_id,
                session_id=self._project,
                stop_after_attempt=ATTEMPTS,
            )

    @cached_property
    def _project(self) -> uuid.UUID:
        project: uuid.UUID = self._client.read_project(project_name=get_tracer_project()).id
        return project
