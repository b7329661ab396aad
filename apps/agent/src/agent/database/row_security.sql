-- name: set_limits
-- Limit the duration of statements and of idle transactions, so that a hanging client does not hold locks for long.
SELECT set_config('statement_timeout', '60s', true), set_config('idle_in_transaction_session_timeout', '60s', true);

-- name: set_scope
-- Set the same limits, and the role and the scope of the transaction.
SELECT set_config('statement_timeout', '60s', true), set_config('idle_in_transaction_session_timeout', '60s', true),
    set_config('role', %(role)s, true), set_config('keepsake.owner', %(scope)s, true);

-- name: table_security
-- Read whether row-level security is enabled on a table, whether the role may use it, and the condition of its policy.
SELECT relrowsecurity AS enabled,
    has_table_privilege(%(role)s, oid, 'SELECT') AND has_table_privilege(%(role)s, oid, 'INSERT')
        AND has_table_privilege(%(role)s, oid, 'UPDATE') AND has_table_privilege(%(role)s, oid, 'DELETE') AS granted,
    (
        SELECT obj_description(oid, 'pg_policy') FROM pg_policy
        WHERE polrelid = pg_class.oid AND polname = 'own_rows' AND polroles = ARRAY[to_regrole(%(role)s)::oid]
    ) AS condition
FROM pg_class
WHERE oid = %(table)s::regclass;

-- name: role_membership
-- Check whether the role exists, and whether the database's user is a member.
SELECT pg_has_role(current_user, oid, 'MEMBER') AS is_member FROM pg_roles WHERE rolname = %(role)s;
