import { AccountErasure } from './account-erasure';

const DAY_MS = 86_400_000;
const at = (days: number) => new Date(days * DAY_MS);

describe('The erasure of a deleted account', () => {
  const erasure = (email: string | null) =>
    AccountErasure.start({ userId: 'u', email, erasedAt: at(0), deletedTenantIds: [], leftTenantIds: [] });

  it.each([
    ['a@example.com', 0, true, false],
    ['a@example.com', 2.9, true, false],
    ['a@example.com', 3, false, false],
    [null, 0.9, false, false],
    [null, 1, false, true],
  ])('with the address %s after %d days: an email is due: %s, nothing is left: %s', (email, days, isDue, isSettled) => {
    expect([erasure(email).isMailDue(at(days)), erasure(email).isSettled(at(days))]).toEqual([isDue, isSettled]);
  });

  it('forgets the address', () => {
    const started = erasure('a@example.com');
    started.forgetAddress();
    expect(started.email).toBeNull();
  });
});
