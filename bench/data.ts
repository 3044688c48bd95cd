import { hash } from '@node-rs/argon2';
import { Client } from 'pg';

export const PASSWORD = 'bench password 1';
/** The refresh token of the i-th account, so that a driver knows it without asking. */
export const refreshTokenOf = (i: number) => `bench-${i}`;
export const emailOf = (i: number) => `bench${i}@example.com`;
/** Ids that a driver can work out too; version 7 in form, ordered by number. */
export const idOf = (kind: 1 | 2 | 3, i: number) => `0190000${kind}-0000-7000-8000-${i.toString(16).padStart(12, '0')}`;

const idSql = (kind: 1 | 2 | 3, n = 'i') => `('0190000${kind}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** Fills a migrated, empty database: so many accounts with a session each, and three refresh tokens a session of which one is live. */
export async function fill(url: string, users: number): Promise<void> {
  const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO users (id, email, name, password_hash, is_email_verified, created_at)
     SELECT ${idSql(1)}, 'bench' || i || '@example.com', 'Bench ' || i, $1, true, now() FROM generate_series(1, ${users}) i`,
    [passwordHash],
  );
  await client.query(
    `INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, ip, user_agent)
     SELECT ${idSql(2)}, ${idSql(1)}, now(), now(), now() + interval '7 days', '127.0.0.1', 'bench' FROM generate_series(1, ${users}) i`,
  );
  await client.query(
    `INSERT INTO refresh_tokens (id, session_id, token_hash, is_revoked, expires_at)
     SELECT ${idSql(3, '(i * 3 + k)')}, ${idSql(2)}, sha256(convert_to('bench-' || i || CASE k WHEN 0 THEN '' ELSE '-' || k END, 'UTF8')), k > 0, now() + interval '7 days'
       FROM generate_series(1, ${users}) i, generate_series(0, 2) k`,
  );
  await client.query('VACUUM ANALYZE');
  await client.end();
}
