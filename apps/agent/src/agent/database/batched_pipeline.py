"""A pipeline that sends its statements together."""

from psycopg import AsyncPipeline
from psycopg.abc import PQGen
from psycopg.generators import send


class BatchedPipeline(AsyncPipeline):
    """A pipeline that sends statements when a result is needed, or at its end.

    psycopg's own sends each statement as soon as it is executed. That takes two system calls and a poll for each, and
    wakes the server's process as often. Results are read while the server does not accept more statements.
    """

    def _communicate_gen(self) -> PQGen[None]:
        if self.command_queue and self.command_queue[-1] == self.pgconn.pipeline_sync:
            yield from self._send_gen()

    def _fetch_gen(self, *, flush: bool) -> PQGen[None]:
        yield from self._send_gen()
        yield from super()._fetch_gen(flush=flush)

    def _send_gen(self) -> PQGen[None]:
        while self.command_queue:
            self.command_queue.popleft()()  # appends to libpq's buffer
        yield from send(self.pgconn)

    def _exit_gen(self) -> PQGen[None]:
        """End the pipeline with Sync, and without the Flush that psycopg sends behind it.

        A pooler in transaction mode may assign another server to that Flush, which stays assigned without an answer.
        """
        try:
            self._enqueue_sync()
            yield from self._communicate_gen()
        finally:
            yield from self._fetch_gen(flush=False)
