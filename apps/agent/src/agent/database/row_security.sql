-- name: set_limits
-- Limit the duration of statements and of idle transactions, so that a hanging client does not hold locks for long.
SELECT set_config('statement_timeout', '60s', true), set_config('idle_in_transaction_session_timeout', '60s', true);

-- name: set_scope
-- Set the same limits, and the role and the scope of the transaction.
SELECT set_config('statement_timeout', '60s', true), set_config('idle_in_transaction_session_timeout', '60s', true),
    set_config('role', %(role)s, true), set_config('keepsake.owner', %(scope)s, true);

-- name: policy_condition
-- Read the condition from which the policy of a table was created.
SELECT obj_description(oid, 'pg_policy') AS condition FROM pg_policy
WHERE polrelid = %(table)s::regclass AND polname = 'own_rows';

-- name: role_membership
-- Check whether the role exists, and whether the database's user is a member.
SELECT pg_has_role(current_user, oid, 'MEMBER') AS is_member FROM pg_roles WHERE rolname = %(role)s;
