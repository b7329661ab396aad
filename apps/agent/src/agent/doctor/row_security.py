"""Checks of what keeps users apart in the database."""

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database.row_security import ROLE
from agent.doctor.database import SQL
from agent.doctor.finding import Check, Finding, ok, problem
from agent.settings import AgentSettings


def walls(tables: dict[str, str]) -> Check:
    """Make the check of the walls around tables.

    Args:
        tables: the condition that holds for a user's own rows of each.
    """

    async def check(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
        given = {"tables": list(tables), "conditions": list(tables.values()), "role": ROLE}
        rows = await (await connection.execute(SQL.walls, given)).fetchall()
        found = [finding for row in rows for finding in _of_table(row)]
        for row in await (await connection.execute(SQL.unwalled, given)).fetchall():
            revoke = f"REVOKE ALL ON {row['name']} FROM {ROLE}, PUBLIC"
            found.append(problem("wall", f"users may touch {row['name']}: run {revoke}"))
        return found or [ok("wall", f"row-level security holds for {', '.join(sorted(tables))}")]

    return check


async def role(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Look at the role that users' transactions run as."""
    rows = await (await connection.execute(SQL.role, {"role": ROLE})).fetchall()
    if not rows:
        return [problem("role", f"{ROLE} is missing: start `keepsake serve`, which makes it")]
    [row] = rows
    found = []
    if row["is_above"]:
        found.append(f"is above the walls: run ALTER ROLE {ROLE} NOSUPERUSER NOBYPASSRLS")
    if row["owns"]:
        found.append(f"owns something, and walls do not hold for owners: run REASSIGN OWNED BY {ROLE} TO CURRENT_USER")
    found += [f"has what {group} has: run REVOKE {group} FROM {ROLE}" for group in row["groups"]]
    if not row["is_ours"]:
        found.append(f"cannot be taken on: as an administrator run GRANT {ROLE} TO the user of DATABASE_URL")
    return [problem("role", f"{ROLE} {fault}") for fault in found] or [ok("role", f"{ROLE} owns and bypasses nothing")]


def _of_table(row: DictRow) -> list[Finding]:
    name, found = row["name"], []
    if not row["own"]:
        found.append(problem("wall", f"{name} has lost its policy: restart `keepsake serve`, which makes it"))
    if not row["raised"]:
        found.append(problem("wall", f"{name} is open to every user: run ALTER TABLE {name} ENABLE ROW LEVEL SECURITY"))
    for other in row["others"]:
        found.append(problem("wall", f"{name} has a gate in its wall: run DROP POLICY {other} ON {name}"))
    return found
