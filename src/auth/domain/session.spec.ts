import { RefreshToken, Session, type SignIn } from './session';

const NOW = new Date('2026-03-01T12:00:00Z');
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const after = (seconds: number) => before(-seconds);
const DEVICE = { ip: '192.0.2.1', userAgent: 'Firefox' };

const USER = { id: 'ada', isPasswordProven: true, hasSecondFactor: false };

const start = (user: Partial<typeof USER> = {}, signIn: SignIn = { method: 'password' }) =>
  Session.start({ ...USER, ...user }, signIn, DEVICE, { id: 'first', expiresAt: after(60) }, NOW);
const session = (values: Partial<Session> = {}) => Object.assign(start(), values);

describe('A session', () => {
  it('starts without an active tenant, used now, by a device', () => {
    expect(session()).toEqual({
      id: expect.any(String),
      userId: 'ada',
      isProven: true,
      methods: ['password'],
      secondFactorAt: null,
      provedAt: NOW,
      createdAt: NOW,
      lastUsedAt: NOW,
      expiresAt: after(60),
      ...DEVICE,
      revokedAt: null,
      currentTokenId: 'first',
      activeTenantId: null,
    });
  });

  it.each([
    ['is live before it expires', {}, true],
    ['is not live at the time at which it expires', { expiresAt: NOW }, false],
    ['is not live after it was revoked', { revokedAt: before(1) }, false],
  ])('%s', (_, values, expected) => expect(session(values).isLive(NOW)).toBe(expected));

  it.each<[string, Partial<typeof USER>, SignIn, Partial<Session>]>([
    [
      'a password that a stranger may have set',
      { isPasswordProven: false },
      { method: 'password' },
      { isProven: false },
    ],
    ['a link', { isPasswordProven: false }, { method: 'magic-link' }, { isProven: true, methods: ['magic-link'] }],
    [
      'a second factor',
      { hasSecondFactor: true },
      { method: 'google', secondFactor: 'totp' },
      { methods: ['google', 'totp'], secondFactorAt: NOW, provedAt: NOW },
    ],
    [
      'a passkey, which is two factors',
      { hasSecondFactor: true },
      { method: 'passkey', isProven: true },
      { isProven: true, methods: ['passkey'], secondFactorAt: NOW, provedAt: NOW },
    ],
    [
      'a passkey that was added without proof of the mailbox',
      { isPasswordProven: true },
      { method: 'passkey', isProven: false },
      { isProven: false, methods: ['passkey'], secondFactorAt: NOW },
    ],
    [
      'one of two factors, in a trusted browser',
      { hasSecondFactor: true },
      { method: 'password' },
      { methods: ['password'], secondFactorAt: null, provedAt: null },
    ],
  ])('that starts with %s knows what was proven', (_, user, signIn, expected) =>
    expect(start(user, signIn)).toMatchObject(expected),
  );

  it.each([
    ['at that time', NOW, true],
    ['earlier', before(1), false],
    ['never', null, false],
  ])('whose user proved the identity %s', (_, provedAt, expected) =>
    expect(session({ provedAt }).isProvedSince(NOW)).toBe(expected),
  );

  it.each([
    ['the password', 'password', { methods: ['password'], secondFactorAt: null, provedAt: after(9) }],
    ['a second factor', 'totp', { methods: ['password', 'totp'], secondFactorAt: after(9), provedAt: after(9) }],
    [
      'an emailed code',
      'email-code',
      { methods: ['password', 'email-code'], secondFactorAt: null, provedAt: after(9) },
    ],
  ] as const)('is proven again with %s', (_, method, expected) => {
    const proven = session({ provedAt: before(60) });
    proven.prove(method, after(9));
    expect(proven).toMatchObject(expected);
  });

  it('has no proven second factor after the account has lost its own', () => {
    const proven = session({ methods: ['password', 'totp', 'recovery-code'], secondFactorAt: before(60) });
    proven.forgetSecondFactor();
    expect(proven).toMatchObject({ methods: ['password'], secondFactorAt: null, provedAt: NOW });
  });
});

describe('A refresh token', () => {
  it('stores only the hash of its secret', () => {
    const secretHash = Buffer.from('hash');
    expect(RefreshToken.issue('session', { id: 'token', secretHash, expiresAt: after(60) })).toEqual({
      id: 'token',
      sessionId: 'session',
      secretHash,
      tokenHash: null,
      isRevoked: false,
      expiresAt: after(60),
    });
  });
});
