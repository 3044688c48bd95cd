import { UserFailures } from '../users.failures';
import { isAdmin, User } from './user';

const DAY_1 = new Date('2026-01-01T00:00:00Z');
const DAY_2 = new Date('2026-01-02T00:00:00Z');
const ADMINS = new Set(['ada@example.com']);
const registered = () => User.register('ada@example.com', 'Ada', 'hash', DAY_1);

describe('an account', () => {
  it('may not sign in until it is verified', () => {
    const user = registered();
    expect(user.checkSignIn()).toMatchObject({ ok: false, failure: UserFailures.emailNotVerified });
    user.verifyEmail(DAY_2);
    expect(user.checkSignIn().ok).toBe(true);
  });

  it('may not sign in while it is disabled', () => {
    const user = User.fromProvider('ada@example.com', 'Ada', null, DAY_1);
    user.disable(DAY_1);
    expect(user.checkSignIn()).toMatchObject({ ok: false, failure: UserFailures.accountDisabled });
    user.enable();
    expect(user.checkSignIn().ok).toBe(true);
  });

  it('takes the picture of a provider, unless it has one', () => {
    const user = registered();
    expect(user.adoptPicture(null)).toBe(false);
    expect(user.adoptPicture('https://pictures.test/1.png')).toBe(true);
    expect(user.adoptPicture('https://pictures.test/2.png')).toBe(false);
    expect(user.pictureUrl).toBe('https://pictures.test/1.png');
  });

  it('keeps the time of the first verification and of the first disabling', () => {
    const user = registered();
    for (const now of [DAY_1, DAY_2]) {
      user.verifyEmail(now);
      user.disable(now);
    }
    expect([user.emailVerifiedAt, user.disabledAt]).toEqual([DAY_1, DAY_1]);
  });

  it('has an unproven password if the password is older than the verification', () => {
    const user = registered();
    user.activate('Ada', 'hash', DAY_1, DAY_2);
    expect(user.isPasswordProven).toBe(false);
    user.changePassword('another hash');
    expect(user.isPasswordProven).toBe(false);
    user.changePassword('another hash', DAY_2);
    expect(user.isPasswordProven).toBe(true);
  });

  it('loses its password and name when the owner of the mailbox takes it over', () => {
    const user = registered();
    user.takeOver('Grace', DAY_2);
    expect(user).toMatchObject({ isEmailVerified: true, emailVerifiedAt: DAY_2, passwordHash: null, name: 'Grace' });
    expect(user.isPasswordProven).toBe(false);
  });

  it('changes the given fields of its profile that differ, and names them', () => {
    const user = registered();
    expect(user.updateProfile({ name: 'Ada Lovelace' })).toEqual(['name']);
    expect(user.updateProfile({ name: 'Ada Lovelace' })).toEqual([]);
    expect(user.updateProfile({})).toEqual([]);
    expect(user.name).toBe('Ada Lovelace');
  });

  it('keeps what a user may not change, whatever is given', () => {
    const user = registered();
    const others = { email: 'eve@example.com', isAdmin: true, name: undefined };
    expect(user.updateProfile(others)).toEqual([]);
    expect(user).toEqual({ ...registered(), id: user.id });
  });
});

describe('admin access', () => {
  const user = { email: 'bob@example.com', isEmailVerified: true, isAdmin: false };
  it.each([
    ['an account without it', user, true, false],
    ['an account with it', { ...user, isAdmin: true }, true, true],
    ['an address in ADMIN_EMAILS', { ...user, email: 'ada@example.com' }, true, true],
    ['an unverified account', { ...user, isAdmin: true, isEmailVerified: false }, true, false],
    ['an unproven session', { ...user, isAdmin: true }, false, false],
  ])('of %s', (_what, account, isProven, expected) => expect(isAdmin(account, ADMINS, isProven)).toBe(expected));
});
