"""Counting a message in the transaction that commits it."""

from collections.abc import Sequence
from typing import Self

from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow

from agent.limits.counts import check_counts, count_rows
from agent.limits.usage import Amounts, Usage
from agent.types import UserId


class MessageCount:
    """The statements that count one message, and their results."""

    def __init__(
        self, usage: Usage, user: UserId, amounts: Amounts, added: AsyncCursor[DictRow], counts: AsyncCursor[DictRow]
    ) -> None:
        self._usage = usage
        self._user = user
        self._amounts = amounts
        self._added = added
        self._counts = counts
        self._totals: Sequence[DictRow] = ()

    @classmethod
    async def send(
        cls,
        usage: Usage,
        connection: AsyncConnection[DictRow],
        user: UserId,
        *,
        embedded_bytes: int,
        is_new_thread: bool,
    ) -> Self:
        """Send the statements, after those that insert the run and the thread."""
        wanted: Amounts = {"messages": 1, "tokens": 0, "embedded_bytes": embedded_bytes}
        quotas = usage.limits.quotas
        amounts = {meter: n for meter, n in wanted.items() if meter == "messages" or quotas[meter].limit}
        added = await usage.add(connection, user, amounts)
        is_counted = is_new_thread and usage.limits.threads > 0
        return cls(usage, user, amounts, added, await count_rows(connection, user, count_threads=is_counted))

    async def check(self) -> None:
        """Check the results.

        Raises:
            LimitExceededError: the message is one too many; the transaction must not be committed.
        """
        self._totals = await self._added.fetchall()
        self._usage.check_added(self._user, self._amounts, self._totals)
        check_counts(self._usage.limits, await self._counts.fetchone())

    def record(self) -> None:
        """Remember the totals, once the transaction is committed."""
        self._usage.record_added(self._user, self._amounts, self._totals)
