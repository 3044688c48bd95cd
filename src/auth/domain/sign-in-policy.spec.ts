import { SignInPolicy, type SignInRules } from './sign-in-policy';

const NOW = new Date('2026-03-01T12:00:00Z');
const NONE: SignInRules = { secondFactorFrom: null, maxSessionHours: null, allowedMethods: null, maxTokenDays: null };
const policy = (rules: Partial<SignInRules>) => SignInPolicy.of('acme', { ...NONE, ...rules }, null, NOW);

describe('A sign-in policy', () => {
  it.each<[string, SignInRules['allowedMethods'], readonly string[] | null]>([
    ['any method', null, null],
    ['passwords', ['password'], ['password', 'verification', 'invitation']],
    ['links', ['magic-link'], ['magic-link', 'verification', 'invitation']],
    ['a provider only', ['google'], ['google']],
    ['passkeys only', ['passkey'], ['passkey']],
  ])('that allows %s stores what a session may have started with', (_, allowedMethods, stored) =>
    expect(policy({ allowedMethods }).allowedMethods).toEqual(stored),
  );

  it.each<[string, Partial<SignInRules>, boolean, string[], boolean]>([
    ['nothing is asked', {}, false, ['password'], true],
    ['a second factor is asked that they have', { secondFactorFrom: NOW }, true, ['password', 'totp'], true],
    ['a second factor is asked that they lack', { secondFactorFrom: NOW }, false, ['password'], false],
    ['their method is allowed', { allowedMethods: ['github'] }, false, ['github'], true],
    ['only passkeys are allowed, and the Owner has one', { allowedMethods: ['passkey'] }, false, ['passkey'], true],
    ['the Owner has no allowed method', { allowedMethods: ['google'] }, true, ['google'], false],
    ['their method is not allowed', { allowedMethods: ['github'] }, true, ['password', 'totp'], false],
  ])('can be set by a user if %s: %#', (_, rules, hasFactor, methods, isAllowed) =>
    expect(policy(rules).checkPeople(hasFactor, { methods }, ['github', 'passkey']).ok).toBe(isAllowed),
  );
});
