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

  it.each([
    ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', false],
    ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', false],
    ['$argon2id$v=19$m=4096,t=2,p=1$c2FsdA$aGFzaA', true],
    ['$argon2id$v=19$m=19456,t=1,p=1$c2FsdA$aGFzaA', true],
    ['$2b$12$somethingelse', true],
  ])('calls %s outdated: %s', (encoded, outdated) => expect(hasher.isOutdated(encoded)).toBe(outdated));
});
