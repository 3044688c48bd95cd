import * as argon2 from '@node-rs/argon2';
import { PasswordHasher } from './password-hasher';

jest.mock('@node-rs/argon2', () => {
  const actual = jest.requireActual<typeof argon2>('@node-rs/argon2');
  return { ...actual, verify: jest.fn(actual.verify) };
});

const valueOf = async <T>(result: Promise<{ ok: true; value: T } | { ok: false }>): Promise<T> => {
  const outcome = await result;
  if (!outcome.ok) throw new Error('refused');
  return outcome.value;
};

describe('the password hasher', () => {
  const hasher = new PasswordHasher();

  it('accepts the hashed password and no other', async () => {
    const encoded = await valueOf(hasher.hash('correct horse'));
    expect(encoded).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await valueOf(hasher.verify(encoded, 'correct horse'))).toBe(true);
    expect(await valueOf(hasher.verify(encoded, 'correct horsE'))).toBe(false);
  });

  it('verifies with the same parameters without a hash, and never matches', async () => {
    jest.mocked(argon2.verify).mockClear();
    expect(await valueOf(hasher.verify(undefined, 'anything'))).toBe(false);
    expect(await valueOf(hasher.verify(null, 'anything'))).toBe(false);
    expect(jest.mocked(argon2.verify).mock.calls.map(([encoded]) => String(encoded).slice(0, 31))).toEqual(
      Array(2).fill('$argon2id$v=19$m=19456,t=2,p=1$'),
    );
  });

  describe('of a password that can be typed in several Unicode forms', () => {
    const [composed, decomposed] = ['gr\u00fcn ist die Hoffnung', 'gru\u0308n ist die Hoffnung'];
    const calls = () => jest.mocked(argon2.verify).mock.calls.length;
    beforeEach(() => jest.mocked(argon2.verify).mockClear());

    it('accepts each form of what was hashed', async () => {
      for (const [hashed, typed] of [
        [composed, decomposed],
        [decomposed, composed],
        [decomposed, decomposed],
        ['gr\u00fcn\u00a0ist die Hoffnung', composed],
      ])
        expect(await valueOf(hasher.verify(await valueOf(hasher.hash(hashed)), typed))).toBe(true);
    });

    it('accepts what was typed for an earlier hash, alone and beside others', async () => {
      const earlier = await argon2.hash(decomposed, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
      expect(await valueOf(hasher.verify(earlier, decomposed))).toBe(true);
      const other = await valueOf(hasher.hash('another one', earlier));
      expect(await valueOf(hasher.verifyAny([other, earlier], decomposed))).toBe(true);
      expect(await valueOf(hasher.verifyAny([other, earlier], `${decomposed}!`))).toBe(false);
    });

    it('computes as much with and without an account, and one hash for a normalized password', async () => {
      const encoded = await valueOf(hasher.hash('another one'));
      for (const [typed, expected] of [
        [decomposed, 2],
        [composed, 1],
        ['in plain ASCII', 1],
      ] as const)
        for (const known of [encoded, null]) {
          jest.mocked(argon2.verify).mockClear();
          expect(await valueOf(hasher.verify(known, typed))).toBe(false);
          expect(calls()).toBe(expected);
        }
    });
  });

  it.each([
    ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', false],
    ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', false],
    ['$argon2id$v=19$m=4096,t=2,p=1$c2FsdA$aGFzaA', true],
    ['$argon2id$v=19$m=19456,t=1,p=1$c2FsdA$aGFzaA', true],
    ['$2b$12$somethingelse', true],
  ])('calls %s outdated: %s', (encoded, outdated) => expect(hasher.isOutdated(encoded)).toBe(outdated));
});
