import { fill, idSql, MEMBERS, subscribe } from '../../bench/seed-data';
import type { TestDatabase } from './database';

/** Three refresh tokens each, so that their table has a million rows. */
const ACCOUNTS = 340_000;

const TENANT = `((i - 1) / ${MEMBERS} + 1)`;

/** Rows of tables that the data of the benchmark leaves empty. */
const OTHERS = [
  `INSERT INTO projects SELECT ${idSql(4, TENANT)}, ${idSql(6)}, 'Project ' || i, false, now()`,
  `INSERT INTO invitations
     SELECT ${idSql(4, TENANT)}, ${idSql(6)}, 'guest' || i || '@example.com', ${idSql(5, `(${TENANT} * 3 + 2)`)},
       ${idSql(1)}, sha256(i::text::bytea), now(), now() + interval '7 days'`,
  `INSERT INTO webhook_events (id, event_id, type, status, tenant_id, created_at, received_at, payload)
     SELECT ${idSql(6)}, 'evt_large' || i, 'customer.subscription.updated', 'processed', ${idSql(4, TENANT)},
       now(), now(), '{}'`,
  `INSERT INTO webhook_messages (tenant_id, id, type, body, is_pending)
     SELECT ${idSql(4, TENANT)}, ${idSql(6)}, 'project.created', '{}', false`,
  `INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, message_id, type, state, attempt, log, created_at)
     SELECT ${idSql(4, TENANT)}, ${idSql(6)}, ${idSql(4, TENANT)}, ${idSql(6)}, 'project.created', 'delivered', 1,
       '[]', now()`,
  `INSERT INTO linked_providers SELECT 'google', 'google-' || i, ${idSql(1)}, now()`,
  `INSERT INTO one_time_tokens (user_id, purpose, token_hash, expires_at)
     SELECT ${idSql(1)}, 'magic-link', sha256(i::text::bytea), now() + interval '1 hour'`,
];

/** Each tenant had an override for a limited time; few still have one. */
const OVERRIDES = `
  INSERT INTO entitlement_overrides (tenant_id, plan, entitlements, ends_at, reason, created_at, updated_at)
    SELECT ${idSql(4)}, 'Business', '{}',
           now() + interval '1 day' * CASE WHEN i % 1000 = 0 THEN 30 ELSE -i % 700 - 1 END,
           'Pilot', now() - interval '2 years', now() - interval '2 years'
      FROM generate_series(1, ${ACCOUNTS / MEMBERS}) i`;

/** A webhook of each tenant. */
const ENDPOINTS = `
  INSERT INTO webhook_endpoints (tenant_id, id, url, description, keys_enc, public_key, failures, is_slow, is_deleted,
                                 created_at)
    SELECT ${idSql(4)}, ${idSql(4)}, 'https://receiver.example/', '', 'v1.k.x', 'whpk_x', 0, false, false, now()
      FROM generate_series(1, ${ACCOUNTS / MEMBERS}) i`;

/** Fills a migrated database with 340,000 accounts in 34,000 tenants, and what belongs to them. */
export async function fillLarge(database: TestDatabase): Promise<void> {
  await fill(database.superuserUrl, ACCOUNTS);
  await subscribe(database.superuserUrl, ACCOUNTS / MEMBERS);
  for (const insert of OTHERS)
    await database.query(`
      SET session_replication_role = replica;
      ${insert} FROM generate_series(1, ${ACCOUNTS}) i`);
  await database.query(`SET session_replication_role = replica; ${OVERRIDES}`);
  await database.query(`SET session_replication_role = replica; ${ENDPOINTS}`);
  await database.query('VACUUM ANALYZE');
}

/**
 * The tables and indexes with at least as many entries as there are tenants. A partial index may be
 * small.
 */
export async function largeRelations(database: TestDatabase): Promise<ReadonlySet<string>> {
  const relations = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'i') AND reltuples >= $1`,
    [ACCOUNTS / MEMBERS],
  );
  return new Set(relations.map(({ name }) => name));
}
