import { createHmac, randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { emailOf, idOf, idSql, PASSWORD } from '../seed-data';

export const PEER_SECRET = randomBytes(32).toString('hex');

/** better-auth hashes in this way unless told otherwise. */
const SCRYPT = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 };
const KEY_BYTES = 64;
const deriveKey = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

/** How the peer verifies passwords. */
export type Hashing = 'scrypt' | 'argon2';

async function hashOf(hashing: Hashing): Promise<string> {
  if (hashing === 'argon2') return hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await deriveKey(PASSWORD, salt, KEY_BYTES, SCRYPT)).toString('hex')}`;
}

/** Adds accounts with a password and a session each, to the tables that the peer has created. */
export async function fillPeer(url: string, users: number, hashing: Hashing): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const each = `FROM generate_series(1, ${users}) i`;
  await client.query(
    `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
     SELECT ${idSql(1)}, 'Bench ' || i, 'bench' || i || '@example.com', true, now(), now() ${each}`,
  );
  await client.query(
    `INSERT INTO account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
     SELECT ${idSql(6)}, ${idSql(1)}, 'credential', ${idSql(1)}, $1, now(), now() ${each}`,
    [await hashOf(hashing)],
  );
  await client.query(
    `INSERT INTO session (id, token, "userId", "expiresAt", "ipAddress", "userAgent", "createdAt", "updatedAt")
     SELECT ${idSql(2)}, 'bench-' || i, ${idSql(1)}, now() + interval '7 days', '127.0.0.1', 'bench',
            now(), now() ${each}`,
  );
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** The cookie of the i-th account's session. */
export function cookieOf(i: number): string {
  const token = `bench-${i}`;
  const signature = createHmac('sha256', PEER_SECRET).update(token).digest('base64');
  return `better-auth.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

/** Checks that the peer knows the session of an account, and signs tokens as it should. */
export async function assertSession(url: string, i: number, tokens: string): Promise<void> {
  const response = await fetch(`${url}/api/auth/get-session`, { headers: { cookie: cookieOf(i) } });
  const [header] = (response.headers.get('set-auth-jwt') ?? '').split('.');
  const signature = header && (JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string }).alg;
  if (signature !== tokens) throw new Error(`better-auth signed its token with "${signature}", not "${tokens}"`);
  const body = (await response.json()) as { user?: { id: string; email: string } } | null;
  if (body?.user?.id !== idOf(1, i) || body.user.email !== emailOf(i))
    throw new Error('better-auth does not know the session');
}
