"""Checks of row-level security."""

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database.row_security import ROLE
from agent.doctor.finding import Check, Finding, ok, problem
from agent.doctor.queries import SQL, fetch_all
from agent.settings import AgentSettings

SUBJECT = "row security"


def policies(tables: dict[str, str]) -> Check:
    """Make the check of the policies of some tables.

    Args:
        tables: the condition of Keepsake's policy, by table.
    """

    async def check(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
        parameters = {"tables": list(tables), "conditions": list(tables.values()), "role": ROLE}
        rows = await fetch_all(connection, SQL.row_security_policies, parameters)
        findings = [finding for row in rows for finding in _check_table(row)]
        for row in await fetch_all(connection, SQL.unprotected_tables, parameters):
            revoke = f"REVOKE ALL ON {row['name']} FROM {ROLE}, PUBLIC"
            findings.append(problem(SUBJECT, f"users can access all rows of {row['name']}: run {revoke}"))
        return findings or [ok(SUBJECT, f"enabled for {', '.join(sorted(tables))}")]

    return check


async def role(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Check the role of user transactions."""
    rows = await fetch_all(connection, SQL.role_privileges, {"role": ROLE})
    if not rows:
        return [problem("role", f"{ROLE} does not exist: start `keepsake serve`, which creates it")]
    [row] = rows
    faults = []
    if row["bypasses_row_security"]:
        faults.append(f"bypasses row-level security: run ALTER ROLE {ROLE} NOSUPERUSER NOBYPASSRLS")
    if row["owns_objects"]:
        fix = f"run REASSIGN OWNED BY {ROLE} TO CURRENT_USER"
        faults.append(f"owns objects, and row-level security does not apply to owners: {fix}")
    faults += [f"is a member of {group}: run REVOKE {group} FROM {ROLE}" for group in row["groups"]]
    if not row["is_granted"]:
        faults.append(f"is not granted to Keepsake: as an administrator run GRANT {ROLE} TO the user of DATABASE_URL")
    return [problem("role", f"{ROLE} {fault}") for fault in faults] or [ok("role", f"{ROLE} has no other privileges")]


def _check_table(row: DictRow) -> list[Finding]:
    name, findings = row["name"], []
    if not row["has_policy"]:
        findings.append(problem(SUBJECT, f"{name} has no policy: restart `keepsake serve`, which creates it"))
    if not row["enabled"]:
        enable = f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY"
        findings.append(problem(SUBJECT, f"users can access all rows of {name}: run {enable}"))
    for policy in row["other_policies"]:
        findings.append(
            problem(SUBJECT, f"{name} has another policy, which grants access: run DROP POLICY {policy} ON {name}")
        )
    return findings
