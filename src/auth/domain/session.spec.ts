import { RefreshToken, Session } from './session';

const NOW = new Date('2026-03-01T12:00:00Z');
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const after = (seconds: number) => before(-seconds);
const DEVICE = { ip: '192.0.2.1', userAgent: 'Firefox' };

const session = (values: Partial<Session> = {}) =>
  Object.assign(Session.start('ada', true, DEVICE, after(60), NOW), values);

describe('A session', () => {
  it('starts without an active tenant, used now, by a device', () => {
    expect(session()).toEqual({
      id: expect.any(String),
      userId: 'ada',
      isProven: true,
      createdAt: NOW,
      lastUsedAt: NOW,
      expiresAt: after(60),
      ...DEVICE,
      revokedAt: null,
      activeTenantId: null,
    });
  });

  it.each([
    ['is live before it expires', {}, true],
    ['is not live at the time at which it expires', { expiresAt: NOW }, false],
    ['is not live after it was revoked', { revokedAt: before(1) }, false],
  ])('%s', (_, values, expected) => expect(session(values).isLive(NOW)).toBe(expected));

  it.each([
    ['at that time', {}, 'ada', true],
    ['earlier', { createdAt: before(1) }, 'ada', false],
    ['at that time and was revoked', { revokedAt: NOW }, 'ada', false],
    ['at that time by another user', {}, 'eve', false],
  ])('that started %s', (_, values, userId, expected) =>
    expect(session(values).isStartedSince(userId, NOW)).toBe(expected),
  );
});

describe('A refresh token', () => {
  it('is live when it is issued and stores only a hash', () => {
    const hash = Buffer.from('hash');
    expect(RefreshToken.issue('session', hash, after(60), NOW)).toEqual({
      id: expect.any(String),
      sessionId: 'session',
      tokenHash: hash,
      isRevoked: false,
      expiresAt: after(60),
    });
  });
});
