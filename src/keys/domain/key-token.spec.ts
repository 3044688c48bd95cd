import { isKeyToken, newKeyToken } from './key-token';

describe('a key', () => {
  it.each([
    ['tn', 'service', /^tnk_[0-9A-Za-z]{44}$/],
    ['tn', 'token', /^tnp_[0-9A-Za-z]{44}$/],
    ['acme', 'service', /^acmek_[0-9A-Za-z]{44}$/],
  ] as const)('with the prefix %s for a %s has a form that scanners recognize', (prefix, kind, form) => {
    const key = newKeyToken(prefix, kind);
    expect(key).toMatch(form);
    expect(isKeyToken(key, prefix)).toBe(true);
  });

  it('is another one each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newKeyToken('tn', 'service'))).size).toBe(100);
  });

  it('has a checksum that others can compute: the CRC32 of the rest, in base 62', () => {
    expect(isKeyToken(`tnk_${'0'.repeat(38)}2IRBpn`, 'tn')).toBe(true); // by zlib of Python
  });

  it('with a changed, missing or additional character, or another prefix, is refused', () => {
    const key = newKeyToken('tn', 'service');
    for (let index = 0; index < key.length; index++) {
      const other = key[index] === 'x' ? 'y' : 'x';
      expect(isKeyToken(key.slice(0, index) + other + key.slice(index + 1), 'tn')).toBe(false);
    }
    for (const text of ['', key.slice(1), key.slice(0, -1), `${key}0`, key.toUpperCase(), `tnp${key.slice(3)}`])
      expect(isKeyToken(text, 'tn')).toBe(false);
    expect(isKeyToken(key, 'acme')).toBe(false);
  });
});
