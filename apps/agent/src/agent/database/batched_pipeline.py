"""A pipeline that sends its statements together."""

from psycopg import AsyncPipeline
from psycopg.abc import PQGen


class BatchedPipeline(AsyncPipeline):
    """A pipeline that sends statements when a result is needed, or at its end.

    psycopg's own sends each statement as soon as it is executed. That takes a system call and a poll for each, and
    wakes the server's process as often.
    """

    def _communicate_gen(self) -> PQGen[None]:
        if self.command_queue and self.command_queue[-1] == self.pgconn.pipeline_sync:
            yield from super()._communicate_gen()

    def _fetch_gen(self, *, flush: bool) -> PQGen[None]:
        if self.command_queue:
            yield from super()._communicate_gen()
        yield from super()._fetch_gen(flush=flush)
