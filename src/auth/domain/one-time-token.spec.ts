import { digestOf } from '../../platform/secret-token';
import { OneTimeToken, PURPOSES, type Purpose } from './one-time-token';

const NOW = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe('A one-time token', () => {
  it('stores only the hash of the mailed text', () => {
    expect(OneTimeToken.issue('text', 'ada', 'disowning', { registrationId: 'registration' }, NOW)).toEqual({
      tokenHash: digestOf('text'),
      userId: 'ada',
      purpose: 'disowning',
      expiresAt: after(7 * 24 * 3600),
      registrationId: 'registration',
      browserHash: null,
      linkUsedAt: null,
      codeAttempts: 0,
      mailedTo: null,
    });
  });

  it.each(Object.keys(PURPOSES) as Purpose[])('of the purpose %s is valid until its lifetime ends', (purpose) => {
    const { seconds, expired } = PURPOSES[purpose];
    const token = OneTimeToken.issue('text', 'ada', purpose, {}, NOW);
    expect(token.checkExpiry(after(seconds - 1)).ok).toBe(true);
    expect(token.checkExpiry(after(seconds))).toEqual({ ok: false, failure: expired });
  });

  it('leaves its code to the browser that asked for it, unless the link was used there', () => {
    const [asking, other] = [digestOf('asking'), digestOf('other')];
    const token = OneTimeToken.issue('text', 'ada', 'magic-link', { browserHash: asking }, NOW);
    for (const usedIn of [undefined, other])
      expect(token.codeAfterUse(usedIn, after(60))).toEqual({ ...token, linkUsedAt: after(60) });
    expect(token.codeAfterUse(asking, NOW)).toBeUndefined();
    expect(OneTimeToken.issue('text', 'ada', 'magic-link', {}, NOW).codeAfterUse(other, NOW)).toBeUndefined();
  });
});
