import { Client, type ClientBase } from 'pg';

/** Relations of the service: its own tables and those of the job queue. */
const OURS = `c.relowner = current_user::regrole AND c.relnamespace IN (current_schema()::regnamespace,
  'graphile_worker'::regnamespace)`;

/**
 * Every table and view with the privileges of the service: it only appends to the audit log and
 * only reads the applied migrations. Partitions are used through their table only.
 */
const TABLES = `
  SELECT format('REVOKE ALL ON %1$s FROM %3$s; GRANT %2$s ON %1$s TO %3$s', c.oid::regclass,
                CASE c.relname WHEN 'audit_log' THEN 'SELECT, INSERT' WHEN 'migrations' THEN 'SELECT'
                               ELSE 'SELECT, INSERT, UPDATE, DELETE' END, quote_ident($1)) AS sql
    FROM pg_class c WHERE ${OURS} AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
  UNION ALL
  SELECT format('REVOKE ALL ON %s FROM %s', c.oid::regclass, quote_ident($1))
    FROM pg_class c WHERE ${OURS} AND c.relispartition AND c.relkind IN ('r', 'p')`;

const SEQUENCES = `
  SELECT format('REVOKE ALL ON SEQUENCE %1$s FROM %2$s; GRANT USAGE ON SEQUENCE %1$s TO %2$s', c.oid::regclass,
    quote_ident($1)) AS sql
    FROM pg_class c WHERE ${OURS} AND c.relkind = 'S'`;

/**
 * Only the owner creates objects. A temporary table, for example, would hide the real one on a
 * pooled connection.
 */
const SCHEMAS = `
  SELECT format('REVOKE CREATE ON SCHEMA %1$I FROM PUBLIC, %2$s; GRANT USAGE ON SCHEMA %1$I TO %2$s', s.name,
    quote_ident($1)) AS sql
    FROM (VALUES (current_schema()), ('graphile_worker')) AS s (name)
  UNION ALL
  SELECT format('REVOKE CREATE, TEMPORARY ON DATABASE %1$I FROM PUBLIC, %2$s; GRANT CONNECT ON DATABASE %1$I TO %2$s',
                current_database(), quote_ident($1))
  UNION ALL
  SELECT format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO %s', quote_ident($1))`;

/** Functions that run as the owner. Others run as their caller, and everyone may run them. */
const OWNER_FUNCTIONS = `
  SELECT format('REVOKE ALL ON FUNCTION %1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION %1$s TO %2$s', p.oid::regprocedure,
    quote_ident($1)) AS sql
    FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
     AND p.proname IN ('keep_audit_log_partitions', 'drop_expired_audit_log_partitions', 'erase_audit_details')`;

/**
 * graphile-worker enables row-level security without a policy, so only the owner sees jobs. The
 * grants decide who may.
 */
const QUEUE_POLICIES = `
  SELECT format('CREATE POLICY who_is_granted ON %s USING (true)', c.oid::regclass) AS sql
    FROM pg_class c
   WHERE ${OURS} AND c.relrowsecurity AND c.relnamespace = 'graphile_worker'::regnamespace
     AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid)`;

/**
 * Grants the service's role access to rows and nothing else; other privileges in the schema are
 * revoked. The owner runs it after migrating, in one transaction, so that a running service loses
 * nothing.
 * @param role the role's name
 */
export async function grantServiceRole(owner: ClientBase, role: string): Promise<void> {
  await owner.query('BEGIN');
  try {
    for (const query of [SCHEMAS, TABLES, SEQUENCES, OWNER_FUNCTIONS, QUEUE_POLICIES]) {
      const { rows } = await owner.query<{ sql: string }>(query, query === QUEUE_POLICIES ? [] : [role]);
      if (rows.length > 0) await owner.query(rows.map(({ sql }) => sql).join('; '));
    }
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK').catch(() => undefined); // the connection may be gone
    throw error;
  }
}

/** The role that a URL connects as. Behind a pooler it may differ from the name in the URL. */
export async function roleOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ role: string }>('SELECT current_user AS role')).rows[0].role;
  } finally {
    await client.end();
  }
}
