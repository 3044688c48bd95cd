import { checkNewPassword } from './password-rules';

const EMAIL = 'ada.lovelace@example.com';

describe('a new password', () => {
  it.each([
    ['12345678'.slice(0, 7), /8 to 128/],
    ['x'.repeat(129), /8 to 128/],
    ['🐴'.repeat(7), /8 to 128/],
    [EMAIL, /email/],
    [EMAIL.toUpperCase(), /email/],
    ['password', /common/],
    ['12345678', /common/],
    ['qwertyuiop', /common/],
    ['iloveyou', /common/],
  ])('%s is refused', (password, reason) => {
    const result = checkNewPassword(password, EMAIL, 'newPassword');
    expect(result).toMatchObject({ ok: false, failure: { code: 'VALIDATION_ERROR', details: { newPassword: [expect.stringMatching(reason)] } } });
  });

  it.each(['correct horse battery', 'PASSWORD-unusual', '🐴'.repeat(8), 'x'.repeat(128), '        ', 'Iloveyou'])(
    '%s is taken: no composition rules, compared as typed',
    (password) => {
      expect(checkNewPassword(password, EMAIL, 'password').ok).toBe(true);
    },
  );
});
