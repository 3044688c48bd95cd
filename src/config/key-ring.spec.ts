import { randomBytes } from 'node:crypto';
import { newSecretsKeys } from '../../dev/local-keys';
import { readKeyRing } from './key-ring';

function read(text: string) {
  const problems: string[] = [];
  return { ring: readKeyRing(text, problems), problems };
}

const key = (encoding: 'base64' | 'base64url' = 'base64', length = 32) => randomBytes(length).toString(encoding);
const MALFORMED = [expect.stringMatching(/^SECRETS_KEYS must be a list of id:key, each key 32 bytes in base64/)];
const GUESSABLE = [expect.stringMatching(/^The key k1 of SECRETS_KEYS is not random/)];

describe('The keys for secrets', () => {
  it('are read in their order, with base64 or base64url', () => {
    const [newer, older] = [randomBytes(32), randomBytes(32)];
    const text = `k2:${newer.toString('base64url')}, k1:${older.toString('base64')},`;
    const { ring, problems } = read(text);
    expect(problems).toEqual([]);
    expect(ring.map(({ id, key: secret }) => [id, secret.export()])).toEqual([
      ['k2', newer],
      ['k1', older],
    ]);
  });

  it('are read as local mode makes them', () => {
    expect(read(newSecretsKeys('local')).ring.map(({ id }) => id)).toEqual(['local']);
  });

  const same = key();
  it.each<[string, string, unknown[]]>([
    ['nothing but commas', ',', MALFORMED],
    ['a key without an id', key(), MALFORMED],
    ['an empty id', `:${key()}`, MALFORMED],
    ['an id with other characters', `K-1:${key()}`, MALFORMED],
    ['an id that is too long', `${'k'.repeat(17)}:${key()}`, MALFORMED],
    ['a key that is too short', `k1:${key('base64', 31)}`, MALFORMED],
    ['a key that is too long', `k1:${key('base64', 33)}`, MALFORMED],
    ['a key in hexadecimal digits', `k1:${randomBytes(32).toString('hex')}`, MALFORMED],
    ['a key that is no base64', `k1:${'!'.repeat(43)}=`, MALFORMED],
    ['one malformed key of two', `k2:${key()},k1`, MALFORMED],
    ['an id twice', `k1:${key()},k1:${key()}`, ['SECRETS_KEYS has the id k1 twice']],
    ['a key twice', `k2:${same},k1:${same}`, ['SECRETS_KEYS has the key k1 twice']],
    ['a key of zeros', `k1:${Buffer.alloc(32).toString('base64')}`, GUESSABLE],
    ['a readable key', `k1:${Buffer.from('a passphrase with 32 characters.').toString('base64')}`, GUESSABLE],
  ])('are refused with %s', (_what, text, problems) => expect(read(text).problems).toEqual(problems));

  it('are never part of a problem', () => {
    for (const text of [`k1:${same}x`, `k1:${same},k1:${same}`, `${same}`])
      expect(read(text).problems.join()).not.toContain(same.slice(0, 8));
  });
});
