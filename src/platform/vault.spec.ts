import { createSecretKey, randomBytes } from 'node:crypto';
import { Vault } from './vault';

const keyOf = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });
const [K1, K2] = [keyOf('k1'), keyOf('k2')];
const PLACE = { table: 'totp_factors', column: 'secret_enc', id: '0195f0a0-0000-7000-8000-000000000001' };
const TEXT = 'the secret of an authenticator app';
const vault = new Vault([K1]);

/** The sealed value with one byte changed. */
function tampered(sealed: string, position: number): string {
  const [version, keyId, text] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64url');
  bytes[position < 0 ? bytes.length + position : position] ^= 1;
  return [version, keyId, bytes.toString('base64url')].join('.');
}

describe('The vault', () => {
  it.each([TEXT, '', 'Grüße, 世界 🔑', '\u0000\n', 'x'.repeat(100_000)])('opens what it has sealed', (text) => {
    const sealed = vault.seal(PLACE, text);
    expect(sealed).toMatch(/^v1\.k1\.[\w-]+$/);
    expect(vault.open(PLACE, sealed)).toBe(text);
  });

  it('shows neither the text nor that two texts are the same', () => {
    const [one, other] = [vault.seal(PLACE, TEXT), vault.seal(PLACE, TEXT)];
    expect(one).not.toBe(other);
    expect(Buffer.from(one.split('.')[2], 'base64url').toString('latin1')).not.toContain(TEXT);
  });

  it('seals with the first key, and opens with every key', () => {
    const [old, rotated] = [vault, new Vault([K2, K1])];
    expect(rotated.open(PLACE, old.seal(PLACE, TEXT))).toBe(TEXT);
    const sealed = rotated.seal(PLACE, TEXT);
    expect([rotated.keyId, rotated.keyIdOf(sealed), rotated.keyIds]).toEqual(['k2', 'k2', ['k2', 'k1']]);
    expect(() => old.open(PLACE, sealed)).toThrow('SECRETS_KEYS has no key k2');
  });

  it('combined with a secret opens only with the same secret, and also after a rotation', () => {
    const sealed = vault.with('a secret').seal(PLACE, TEXT);
    expect(new Vault([K2, K1]).with('a secret').open(PLACE, sealed)).toBe(TEXT);
    for (const other of [vault, vault.with('another secret'), new Vault([{ id: 'k1', key: K2.key }]).with('a secret')])
      expect(() => other.open(PLACE, sealed)).toThrow('Cannot open totp_factors.secret_enc');
  });

  it.each([
    ['row', { id: '0195f0a0-0000-7000-8000-000000000002' }],
    ['column', { column: 'other_enc' }],
    ['table', { table: 'webhook_endpoints' }],
  ])('does not open a value that was moved to another %s', (_what, change) => {
    const sealed = vault.seal(PLACE, TEXT);
    expect(() => vault.open({ ...PLACE, ...change }, sealed)).toThrow('sealed for another place');
    expect(vault.open({ ...PLACE }, sealed)).toBe(TEXT);
  });

  it.each([
    ['nonce', 0],
    ['ciphertext', 12],
    ['tag', -1],
  ])('does not open a value whose %s was changed', (_what, position) => {
    const sealed = vault.seal(PLACE, TEXT);
    expect(() => vault.open(PLACE, tampered(sealed, position))).toThrow('the key k1 does not fit');
    expect(vault.open(PLACE, tampered(tampered(sealed, position), position))).toBe(TEXT);
  });

  it('does not open a value under another key of the same id', () => {
    const sealed = new Vault([keyOf('k1')]).seal(PLACE, TEXT);
    expect(() => vault.open(PLACE, sealed)).toThrow('the key k1 does not fit');
  });

  it('does not open a truncated value, at any length', () => {
    const sealed = vault.seal(PLACE, TEXT);
    for (let length = 0; length < sealed.length; length++)
      expect(() => vault.open(PLACE, sealed.slice(0, length))).toThrow('Cannot open');
  });

  it.each(['', TEXT, 'v1.k1', 'v1.k1.', 'v2.k1.AAAA', 'v1.K1.AAAA', 'v1.k1.AA AA', ' v1.k1.AAAA'])(
    'does not take %p for a sealed value',
    (text) => {
      expect(() => vault.open(PLACE, text)).toThrow('it is not a sealed value');
      expect(vault.keyIdOf(text)).toBeUndefined();
    },
  );

  it('names the place and the key in an error, and never the value', () => {
    const sealed = vault.seal(PLACE, TEXT);
    for (const [by, text] of [
      [new Vault([K2]), sealed],
      [vault, tampered(sealed, 20)],
      [vault, sealed.slice(0, 20)],
    ] as const) {
      const error = errorOf(() => by.open(PLACE, text));
      expect(error.message).toContain(`totp_factors.secret_enc of ${PLACE.id}`);
      expect(error.message).toContain('k1');
      expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(text.split('.')[2].slice(0, 10));
      expect(error.cause).toBeUndefined();
    }
  });

  it('shows no key when it is printed', () =>
    expect(JSON.stringify(vault)).not.toContain(K1.key.export().toString('hex')));
});

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('There was no error.');
}
