"""Checks of row-level security."""

from collections.abc import AsyncIterator, Mapping

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database.row_security import ROLE
from agent.doctor.finding import Check, Finding, ok, problem
from agent.doctor.queries import SQL, fetch_all
from agent.settings import AgentSettings


def policies(tables: Mapping[str, str]) -> Check:
    """Make the check of the policies of some tables, given the condition of Keepsake's policy by table."""

    async def check(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
        parameters = {"tables": list(tables), "conditions": list(tables.values()), "role": ROLE}
        for row in await fetch_all(connection, SQL.row_security_policies, parameters):
            name = row["name"]
            if not row["has_policy"]:
                yield problem(f"{name} has no policy: restart `keepsake serve`, which creates it")
            if privileges := ", ".join(row["missing_privileges"]):
                grant = f"run GRANT {privileges} ON {name} TO {ROLE}"
                yield problem(f"users cannot access their rows of {name}: restart `keepsake serve`, or {grant}")
            if not row["enabled"]:
                yield problem(f"users can access all rows of {name}: run ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
            for policy in row["other_policies"]:
                yield problem(f"{name} has another policy, which grants access: run DROP POLICY {policy} ON {name}")
        for row in await fetch_all(connection, SQL.unprotected_tables, parameters):
            revoke = f"REVOKE ALL ON {row['name']} FROM {ROLE}, PUBLIC"
            yield problem(f"users can access all rows of {row['name']}: run {revoke}")
        yield ok(f"enabled for {', '.join(sorted(tables))}")

    return check


async def role(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
    """Check the role of user transactions."""
    rows = await fetch_all(connection, SQL.role_privileges, {"role": ROLE})
    if not rows:
        yield problem(f"{ROLE} does not exist: start `keepsake serve`, which creates it")
        return
    [row] = rows
    if row["bypasses_row_security"]:
        yield problem(f"{ROLE} bypasses row-level security: run ALTER ROLE {ROLE} NOSUPERUSER NOBYPASSRLS")
    if row["owns_objects"]:
        fix = f"run REASSIGN OWNED BY {ROLE} TO CURRENT_USER"
        yield problem(f"{ROLE} owns objects, and row-level security does not apply to owners: {fix}")
    for group in row["groups"]:
        yield problem(f"{ROLE} is a member of {group}: run REVOKE {group} FROM {ROLE}")
    if not row["is_granted"]:
        fix = f"as an administrator run GRANT {ROLE} TO the user of DATABASE_URL"
        yield problem(f"{ROLE} is not granted to Keepsake: {fix}")
    yield ok(f"{ROLE} has no other privileges")
