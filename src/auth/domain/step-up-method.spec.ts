import { stepUpMethods } from './step-up-method';

describe('The identity is confirmed', () => {
  it.each([
    ['a second factor', true, 'hash', false, ['totp', 'recovery-code']],
    ['a second factor and a passkey', true, 'hash', true, ['passkey', 'totp', 'recovery-code']],
    ['a password', false, 'hash', false, ['password']],
    ['a password and a passkey', false, 'hash', true, ['passkey', 'password']],
    ['only a passkey', false, null, true, ['passkey', 'email-code']],
    ['nothing but the mailbox', false, null, false, ['email-code']],
  ])('by an account with %s', (_, hasSecondFactor, passwordHash, hasPasskey, methods) =>
    expect(stepUpMethods({ hasSecondFactor, passwordHash }, hasPasskey, false)).toEqual(methods),
  );

  it.each([
    ['a passkey and a password', 'hash', true, ['passkey']],
    ['a password, which sets the first factor up', 'hash', false, ['password']],
  ])('by an admin with %s', (_, passwordHash, hasPasskey, methods) =>
    expect(stepUpMethods({ hasSecondFactor: false, passwordHash }, hasPasskey, true)).toEqual(methods),
  );
});
