import { createHash, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { json, Router, type Request, type RequestHandler } from 'express';
import { v7 } from 'uuid';
import { AuditEntry } from '../src/audit/domain/audit-entry';
import { refreshTokenRef, refreshTokenText } from '../src/auth/domain/refresh-token-text';
import { RefreshToken, Session } from '../src/auth/domain/session';
import type { MembershipRow } from '../src/tenants/data/membership-claims';
import { tokenPair } from './baseline-access-tokens';
import { prepared } from './baseline-pool';
import { ACCOUNT, AUDIT_ENTRY, FIRST_TOKEN, NEW_SESSION, OPEN_SESSION, ROTATE_TOKEN } from './baseline-statements';

const WEEK_MS = 7 * 24 * 3600 * 1000;
const dummyHash = hash('dummy', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/** A refresh token with what is stored of it. */
function newToken(now: Date) {
  const [id, secret] = [v7(), randomBytes(32)];
  const secretHash = createHash('sha256').update(secret).digest();
  return { token: refreshTokenText(id, secret), stored: { id, secretHash, expiresAt: new Date(+now + WEEK_MS) } };
}

interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

const findAccount = prepared<Account & { passwordHash: string }>('account', ACCOUNT);
const openSession = prepared<MembershipRow>('open-session', OPEN_SESSION);
const rotateToken = prepared<Account & MembershipRow>('rotate-token', ROTATE_TOKEN);

const login: RequestHandler = async (request, response) => {
  const { email, password } = request.body as { email: string; password: string };
  const [account] = await findAccount(email);
  if (!(await verify(account?.passwordHash ?? (await dummyHash), password))) {
    response.status(401).json({ success: false });
    return;
  }
  const now = new Date();
  const { token, stored } = newToken(now);
  const { ip, userAgent } = deviceOf(request);
  const user = { id: account.id, isPasswordProven: false, hasSecondFactor: false };
  const session = Session.start(user, { method: 'password' }, { ip, userAgent }, stored, now);
  const first = RefreshToken.issue(session.id, stored);
  const facts = { at: now.toISOString(), device: userAgent };
  const [membership] = await openSession(
    account.id,
    JSON.stringify({ userId: account.id, notice: 'new-device', facts }),
    ...NEW_SESSION.parameters(session),
    ...FIRST_TOKEN.parameters(first),
    ...AUDIT_ENTRY.parameters(signInEntry(account.id, ip, now)),
  );
  response.json(await tokenPair(account, membership, first.id, token));
};

const signInEntry = (userId: string, ip: string | null, now: Date) =>
  AuditEntry.of(
    {
      action: 'user.signed-in',
      by: { userId, impersonatorId: null },
      tenantId: null,
      target: { type: 'user', id: userId },
      data: { method: 'password' },
    },
    { ip, requestId: 'bench' },
    now,
  );

const refresh: RequestHandler = async (request, response) => {
  const { refreshToken } = request.body as { refreshToken: string };
  const now = new Date();
  const spent = refreshTokenRef(refreshToken)!;
  const { token, stored } = newToken(now);
  const { id, secretHash, expiresAt } = stored;
  const { ip, userAgent } = deviceOf(request);
  const [subject] = await rotateToken(spent.id, now, expiresAt, ip, userAgent, id, secretHash, spent.secretHash);
  if (!subject) {
    response.status(401).json({ success: false });
    return;
  }
  response.json(await tokenPair(subject, subject, id, token));
};

const deviceOf = (request: Request) => ({
  ip: request.ip ?? null,
  userAgent: request.headers['user-agent'] ?? null,
});

/** The routes of the baseline that issue tokens. */
export const sessionRoutes = Router().use(json()).post('/login', login).post('/refresh', refresh);
