import { createHash, createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import express from 'express';
import { verify as verifyToken } from 'jsonwebtoken';
import { Pool } from 'pg';
import { v7 } from 'uuid';
import { AUDIT_ENTRY, FIRST_TOKEN, NEW_SESSION, OPEN_SESSION, ROTATE_TOKEN } from '../src/auth/data/session.statements';
import { AuditEntry } from '../src/audit/domain/audit-entry';
import { RefreshToken, Session } from '../src/auth/domain/session';
import { ME } from '../src/auth/queries/get-me';
import { MEMBERS_PAGE } from '../src/tenants/queries/list-members';
import { membershipClaims, type MembershipRow } from '../src/tenants/data/membership-claims';
import { PreparingClient } from '../src/platform/database/preparing-client';
import { SMALLEST_ID } from '../src/platform/pagination';
import { SigningKeys } from '../src/platform/signing-keys';
import { webhook } from './baseline-webhook';

/**
 * The baseline of the benchmark: a bare Express server with the same statements through pg,
 * the same signatures and the same hashing, without framework, validation, logging, limits or
 * layers.
 */
const privateKey = createPrivateKey(process.env.JWT_PRIVATE_KEY!);
const publicKey = createPublicKey(privateKey);
const keys = new SigningKeys(privateKey, []);
const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  Client: PreparingClient,
});
const dummyHash = hash('dummy', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
const { BASE_URL } = process.env;
const WEEK_MS = 7 * 24 * 3600 * 1000;
const digest = (token: string) => createHash('sha256').update(token).digest();

interface Account {
  id: string;
  email: string;
  name: string;
  password_hash: string;
}

const pairFor = async (
  { id, email, name }: Pick<Account, 'id' | 'email' | 'name'>,
  membership: MembershipRow,
  jti: string,
  refreshToken: string,
) => {
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    sub: id,
    email,
    name,
    ...membershipClaims(membership),
    is_admin: false,
    jti,
    iss: BASE_URL,
    aud: BASE_URL,
    iat,
    exp: iat + 900,
  };
  return {
    success: true,
    data: { accessToken: await keys.sign(claims), refreshToken, tokenType: 'Bearer', expiresIn: 900 },
  };
};

const app = express().disable('x-powered-by').disable('etag');
app.post('/api/v1/webhooks/stripe', webhook(process.env.DATABASE_URL!, process.env.PROCESSOR_WEBHOOK_SECRET!));
app.use(express.json());

app.get('/api/v1/auth/me', async (request, response) => {
  const claims = verifyToken(request.headers.authorization!.slice(7), publicKey, {
    algorithms: ['RS256'],
    issuer: BASE_URL,
    audience: BASE_URL,
  }) as {
    sub: string;
    tenant_id: string;
    role: string;
    permissions: string[];
  };
  const { rows } = await pool.query<{ tenantName: string }>(ME, [claims.sub, claims.tenant_id]);
  const { tenantName, ...user } = rows[0];
  const { tenant_id: id, role, permissions } = claims;
  response.json({
    success: true,
    data: { user, tenant: { id, name: tenantName }, role, permissions, subscription: null, impersonatorId: null },
  });
});

/**
 * Without a transaction that sets the tenant, as if there were a single tenant.
 */
app.get('/api/v1/tenants/current/members', async (request, response) => {
  const claims = verifyToken(request.headers.authorization!.slice(7), publicKey, {
    algorithms: ['RS256'],
    issuer: BASE_URL,
    audience: BASE_URL,
  }) as {
    tenant_id: string;
  };
  const { rows } = await pool.query<object>(MEMBERS_PAGE, [
    claims.tenant_id,
    SMALLEST_ID,
    Number(request.query.limit) + 1,
  ]);
  response.json({ success: true, data: { items: rows, nextCursor: null } });
});

app.post('/api/v1/auth/login', async (request, response) => {
  const { email, password } = request.body as { email: string; password: string };
  const { rows } = await pool.query<Account>('SELECT * FROM users WHERE email = $1', [email]);
  if (!(await verify(rows[0]?.password_hash ?? (await dummyHash), password))) {
    response.status(401).json({ success: false });
    return;
  }
  const [token, now] = [randomBytes(32).toString('base64url'), new Date()];
  const expiresAt = new Date(now.getTime() + WEEK_MS);
  const userAgent = request.headers['user-agent'] ?? null;
  // the email was not proven
  const session = Session.start(rows[0].id, false, { ip: request.ip ?? null, userAgent }, expiresAt, now);
  const first = RefreshToken.issue(session.id, digest(token), expiresAt, now);
  const entry = AuditEntry.of(
    {
      action: 'user.signed-in',
      by: { userId: session.userId, impersonatorId: null },
      tenantId: null,
      target: { type: 'user', id: session.userId },
      data: { method: 'password' },
    },
    { ip: request.ip ?? null, requestId: 'bench' },
    now,
  );
  const facts = { at: now.toISOString(), device: userAgent };
  const mailJob = JSON.stringify({
    task: 'send-security-mail',
    payload: { userId: rows[0].id, notice: 'new-device', facts },
  });
  const opened = await pool.query<MembershipRow>(OPEN_SESSION, [
    rows[0].id,
    rows[0].password_hash,
    null,
    mailJob,
    ...NEW_SESSION.parameters(session),
    ...FIRST_TOKEN.parameters(first),
    ...AUDIT_ENTRY.parameters(entry),
  ]);
  response.json(await pairFor(rows[0], opened.rows[0], first.id, token));
});

app.post('/api/v1/auth/refresh', async (request, response) => {
  const { refreshToken } = request.body as { refreshToken: string };
  const [jti, token, now] = [v7(), randomBytes(32).toString('base64url'), new Date()];
  const userAgent = request.headers['user-agent'] ?? null;
  const expiresAt = new Date(now.getTime() + WEEK_MS);
  const { rows } = await pool.query<Account & MembershipRow>(ROTATE_TOKEN, [
    digest(refreshToken),
    now,
    expiresAt,
    request.ip,
    userAgent,
    jti,
    digest(token),
    90 * 24 * 3600, // SESSION_MAX_DAYS
  ]);
  if (!rows[0]) {
    response.status(401).json({ success: false });
    return;
  }
  response.json(await pairFor(rows[0], rows[0], jti, token));
});

app.listen(Number(process.env.PORT), '127.0.0.1');
