import { newRecoveryCode, recoveryCodeHash } from './recovery-code';

describe('a recovery code', () => {
  it('has 24 characters that cannot be confused, in groups of four', () =>
    expect(newRecoveryCode()).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/));

  it('differs from all others', () => expect(new Set(Array.from({ length: 1000 }, newRecoveryCode)).size).toBe(1000));

  it.each([
    ['1k0C-8n5t', '1K0C8N5T'],
    [' 1K0C 8N5T ', '1K0C8N5T'],
    ['iKoC-8N5T', '1K0C-8N5T'],
    ['LKOC-8N5T', '1K0C-8N5T'],
  ])('typed as %p is %p', (typed, code) => expect(recoveryCodeHash(typed)).toEqual(recoveryCodeHash(code)));

  it('is another one if a character differs', () =>
    expect(recoveryCodeHash('1K0C-8N5T')).not.toEqual(recoveryCodeHash('1K0C-8N5V')));
});
