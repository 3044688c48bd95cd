import { AccountErasure } from './account-erasure';

const DAY_MS = 86_400_000;
const at = (days: number) => new Date(days * DAY_MS);

describe('The erasure of a deleted account', () => {
  const erasure = (emails: readonly string[]) =>
    AccountErasure.start({ userId: 'u', emails, erasedAt: at(0), deletedTenantIds: [], leftTenantIds: [] });

  it.each([
    [['a@example.com'], 0, true, false],
    [['a@example.com'], 2.9, true, false],
    [['a@example.com', 'b@example.com'], 3, false, false],
    [[], 0.9, false, false],
    [[], 1, false, true],
  ])(
    'with the addresses %j after %d days: an email is due: %s, nothing is left: %s',
    (emails, days, isDue, isSettled) => {
      expect([erasure(emails).isMailDue(at(days)), erasure(emails).isSettled(at(days))]).toEqual([isDue, isSettled]);
    },
  );

  it('forgets the addresses', () => {
    const started = erasure(['a@example.com', 'b@example.com']);
    started.forgetAddresses();
    expect(started.emails).toEqual([]);
  });
});
