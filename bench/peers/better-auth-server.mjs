// better-auth on PostgreSQL behind Node's HTTP server, without any framework. It is configured for
// speed: joins, no rate limit, no telemetry, a connection for each client of the driver.
import { createServer } from 'node:http';
import { verify } from '@node-rs/argon2';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import pg from 'pg';

const { DATABASE_URL, BASE_URL, PORT, PEER_SECRET, PEER_UPDATE_AGE, PEER_HASHING, PEER_TOKENS } = process.env;

/** With `argon2` the passwords are verified like those of the service. */
const password =
  PEER_HASHING === 'argon2'
    ? { hash: () => Promise.reject(new Error('not used')), verify: (given) => verify(given.hash, given.password) }
    : undefined;

/** With `RS256`, reading the session also returns a signed token. Its key is not encrypted. */
const tokens = PEER_TOKENS
  ? [jwt({ jwks: { keyPairConfig: { alg: PEER_TOKENS }, disablePrivateKeyEncryption: true } })]
  : [];

const options = {
  baseURL: BASE_URL,
  secret: PEER_SECRET,
  database: new pg.Pool({ connectionString: DATABASE_URL, max: 32 }),
  emailAndPassword: { enabled: true, password },
  session: { expiresIn: 7 * 24 * 3600, updateAge: Number(PEER_UPDATE_AGE) },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  experimental: { joins: true },
  plugins: tokens,
};

const { runMigrations } = await getMigrations(options);
await runMigrations();
createServer(toNodeHandler(betterAuth(options))).listen(Number(PORT), '127.0.0.1');
