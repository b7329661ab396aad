"""Meters of what each user consumes, shared by all processes.

Messages, tokens and embedded bytes are counted in transactions. Requests are counted in the process and reported
several times per second, so that no request waits for the database; a user's requests wait for a report only if many of
them are not yet reported.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import LiteralString

from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.background import Spawn, run_every
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import StoreUnavailableError
from agent.limits.account_usage import AccountUsage
from agent.limits.quotas import Limits, Meter, QuotaState, quota_error
from agent.types import UserId


class SQL(Statements, file="usage.sql"):
    """Statements of `usage.sql`."""

    add: LiteralString
    delete_ended: LiteralString


UNREPORTED_SHARE = 100
"""Each process admits up to 1 % of a user's requests per minute before it reports them: 5 % with five processes."""
REPORT_SECONDS = 0.25
REPORT_DEADLINE_SECONDS = 1.0
CLEANUP_SECONDS = 60.0

MAX_ACCOUNTS = 100_000
"""How many users a process remembers; of further ones, it reads the totals with each message."""

Amounts = Mapping[Meter, int]


class Usage:
    """The meters of all users."""

    def __init__(self, database: ScopedPool, limits: Limits, spawn: Spawn) -> None:
        self.limits = limits
        self._database = database
        self._spawn = spawn
        self._accounts: dict[UserId, AccountUsage] = {}
        self._report_task: asyncio.Task[None] | None = None
        self._has_pending = asyncio.Event()
        self._is_reported = True
        """False if the last report failed."""

    async def run(self) -> None:
        """Report requests and remove outdated meters until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            report = run_every(REPORT_SECONDS, self._report, name="reporting requests", needed=self._has_pending)
            tasks.create_task(report)
            tasks.create_task(run_every(CLEANUP_SECONDS, self._clean_up, name="deleting outdated usage"))

    async def admit_request(self, user: UserId) -> None:
        """Count a request.

        Raises:
            RateLimitedError: the user has sent too many.
        """
        quota = self.limits.quotas["requests"]
        if not quota.limit:
            return
        account = self._account(user)
        account.check("requests", quota)
        while account.pending >= max(quota.limit // UNREPORTED_SHARE, 1):
            if not await self._reported_in_time():
                break  # the database does not answer: this process counts alone
            account.check("requests", quota)
        account.pending += 1
        self._has_pending.set()

    def check(self, user: UserId, *meters: Meter) -> None:
        """Check that something remains of quotas, as far as this process knows.

        Raises:
            LimitExceededError: a quota is used up.
        """
        if account := self._accounts.get(user):
            for meter in meters:
                account.check(meter, self.limits.quotas[meter])

    def states(self, user: UserId) -> Sequence[QuotaState]:
        """What remains of the quotas that the user has used, as far as this process knows."""
        account = self._accounts.get(user)
        return list(account.states(self.limits.quotas)) if account else []

    async def add(self, connection: AsyncConnection[DictRow], user: UserId, amounts: Amounts) -> AsyncCursor[DictRow]:
        """Add to meters in the caller's transaction, and lock them until its end; see `check_added`."""
        return await connection.execute(SQL.add, self._parameters([(user, meter, n) for meter, n in amounts.items()]))

    def check_added(self, user: UserId, amounts: Amounts, totals: Sequence[DictRow]) -> None:
        """Check that the rows from `add` exceed no quota; an amount of 0 requires that something remains.

        Raises:
            LimitExceededError: a quota is exceeded; the transaction must not be committed.
        """
        account = self._account(user)
        for row in totals:
            meter: Meter = row["meter"]
            quota, before = self.limits.quotas[meter], row["used"] - amounts[meter]
            if quota.limit and max(before, account.used(meter)) + max(amounts[meter], 1) > quota.limit:
                account.record(meter, before, row["seconds_left"], added=0)
                raise quota_error(meter, quota, row["seconds_left"])

    def record_added(self, user: UserId, amounts: Amounts, totals: Sequence[DictRow]) -> None:
        """Remember the rows from `add`, once the transaction is committed."""
        account = self._account(user)
        for row in totals:
            account.record(row["meter"], row["used"], row["seconds_left"], added=amounts[row["meter"]])

    async def spend(self, user: UserId, amounts: Amounts) -> None:
        """Add to meters, if they are limited, in a transaction of its own; for the errors, see `check_added`."""
        limited = {meter: amount for meter, amount in amounts.items() if self.limits.quotas[meter].limit}
        if not limited:
            return
        self.check(user, *limited)
        async with self._database.for_user(user) as connection:
            totals = await (await self.add(connection, user, limited)).fetchall()
            self.check_added(user, limited, totals)
        self.record_added(user, limited, totals)

    def _account(self, user: UserId) -> AccountUsage:
        return self._accounts.setdefault(user, AccountUsage())

    async def _reported_in_time(self) -> bool:
        try:
            async with asyncio.timeout(REPORT_DEADLINE_SECONDS):
                await self._report()
        except TimeoutError:
            return False
        return self._is_reported

    async def _report(self) -> None:
        """Report all pending requests, or wait for the report in progress."""
        if self._report_task is None or self._report_task.done():
            self._report_task = self._spawn(self._send_report())
        await asyncio.shield(self._report_task)

    async def _send_report(self) -> None:
        pending = {user: account.pending for user, account in self._accounts.items() if account.pending}
        if not pending:
            self._has_pending.clear()
            return
        parameters = self._parameters([(user, "requests", count) for user, count in pending.items()])
        try:
            rows = await self._database.fetch_all_unscoped(SQL.add, parameters)
        except StoreUnavailableError:
            self._is_reported = False  # they remain pending
            return
        self._is_reported = True
        totals = {row["user_id"]: row for row in rows}
        window_seconds = self.limits.quotas["requests"].window_seconds
        for user, count in pending.items():
            account, total = self._accounts[user], totals.get(user)
            account.pending -= count
            used, seconds_left = (total["used"], total["seconds_left"]) if total else (count, window_seconds)
            account.record("requests", used, seconds_left, added=count)

    async def _clean_up(self) -> None:
        excess = len(self._accounts) - MAX_ACCOUNTS
        for number, (user, account) in enumerate(list(self._accounts.items())):
            if account.is_idle or (number < excess and not account.pending):
                del self._accounts[user]
        await self._database.execute_unscoped(SQL.delete_ended)

    def _parameters(self, amounts: Sequence[tuple[UserId, Meter, int]]) -> dict[str, object]:
        added = [
            {
                "user_id": user,
                "meter": meter,
                "amount": amount,
                "window_seconds": self.limits.quotas[meter].window_seconds,
            }
            for user, meter, amount in amounts
        ]
        return {"added": Jsonb(added)}
