import { checkNewPassword, findPasswordProblem } from './password-rules';

const EMAIL = 'ada.lovelace@example.com';

describe('a new password', () => {
  it.each([
    ['1a2b3c4', /8 to 128/],
    ['xy'.repeat(65), /8 to 128/],
    ['🐴'.repeat(7), /8 to 128/],
    ['        ', /spaces only/],
    ['\u00a0 \u2003 \t  \u3000', /spaces only/],
    ['aaaaaaaaa', /one repeated character/],
    ['aaaaAAAA', /one repeated character/],
    ['🐴'.repeat(8), /one repeated character/],
    ['correct horse \ud800', /Unicode/],
    ['\ud800\ud801\ud802\ud803\ud804\ud805\ud806\ud807', /Unicode/],
    [EMAIL, /email/],
    [EMAIL.toUpperCase(), /email/],
    ['ada.lovelace', /email/],
    ['Ada.Lovelace1815', /email/],
    ['password', /common/],
    ['PASSWORD', /common/],
    ['P@ssw0rd', /common/],
    ['Iloveyou', /common/],
    ['12345678', /common/],
    ['qwertyuiop', /common/],
    ['admin123', /common/],
  ])('%j is refused', (password, reason) => {
    const result = checkNewPassword(password, EMAIL, 'newPassword');
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'VALIDATION_ERROR', details: { newPassword: [expect.stringMatching(reason)] } },
    });
  });

  it.each([
    'correct horse battery',
    'PASSWORD-unusual',
    '🐴🐎'.repeat(4),
    'xy'.repeat(64),
    'loves to ada.lovelace',
    'ada and her engine',
    ' a b c d',
  ])('%j is accepted, because there are no composition rules', (password) =>
    expect(checkNewPassword(password, EMAIL, 'password').ok).toBe(true),
  );

  it('may contain a short local part that occurs in many words', () => {
    expect(findPasswordProblem('handsaw1', 'and@example.com')).toBeUndefined();
    expect(findPasswordProblem('handsaw1', 'hand@example.com')).toMatch(/email/);
  });

  it('is compared with the address only if that is known', () =>
    expect(findPasswordProblem('ada.lovelace')).toBeUndefined());

  it('is not accepted unseen if the list of common passwords cannot be loaded', () => {
    jest.resetModules();
    jest.doMock('@zxcvbn-ts/language-common', () => {
      throw new Error("Cannot find module '@zxcvbn-ts/language-common'");
    });
    expect(() => findPasswordProblem('correct horse battery')).toThrow(/^Cannot find module/);
    jest.dontMock('@zxcvbn-ts/language-common');
    expect(findPasswordProblem('correct horse battery')).toBeUndefined();
  });
});
