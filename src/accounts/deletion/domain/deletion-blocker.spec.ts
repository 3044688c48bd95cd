import { holdingsOf } from './deletion-blocker';

const tenant = (hasOtherMembers: boolean) => ({ id: 't', name: 'Acme', hasOtherMembers });

describe('A workspace of the Owner', () => {
  it.each([
    [true, true, 'members'],
    [true, false, 'members'],
    [false, true, 'subscription'],
  ])('with members %s and a live subscription %s prevents the deletion by its %s', (hasMembers, isLive, reason) => {
    expect(holdingsOf([tenant(hasMembers)], new Set(isLive ? ['t'] : []))).toEqual({
      blockers: [{ tenantId: 't', name: 'Acme', reason }],
      deletedTenants: [],
    });
  });

  it('with neither is deleted with the account', () => {
    expect(holdingsOf([tenant(false)], new Set(['other']))).toEqual({
      blockers: [],
      deletedTenants: [{ tenantId: 't', name: 'Acme' }],
    });
  });
});
