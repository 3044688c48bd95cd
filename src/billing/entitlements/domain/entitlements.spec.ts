import { entitlementsOf, type EntitlementGrant, type Entitlements } from './entitlements';
import type { Plan } from './plan';
import { limitDetails, plansWith } from './required-plans';

describe('What a tenant may do', () => {
  it.each<[string, Plan, EntitlementGrant | undefined, Partial<Entitlements>]>([
    ['is what its plan allows', 'Free', undefined, { plan: 'Free', features: [], overridden: [] }],
    ['includes the features of its plan', 'Business', undefined, { features: ['auditExport', 'auditStreaming'] }],
    ['is what a given plan allows', 'Free', { plan: 'Business', entitlements: {} }, { plan: 'Business' }],
    ['does not shrink by a lower plan', 'Business', { plan: 'Pro', entitlements: {} }, { plan: 'Business' }],
    [
      'has a given feature beside those of the plan',
      'Pro',
      { plan: null, entitlements: { auditExport: true } },
      { plan: 'Pro', features: ['auditExport'], overridden: ['auditExport'] },
    ],
    [
      'lacks a feature that was taken',
      'Business',
      { plan: null, entitlements: { auditExport: false } },
      { features: ['auditStreaming'], overridden: ['auditExport'] },
    ],
  ])('%s', (_what, plan, grant, expected) => expect(entitlementsOf(plan, grant)).toMatchObject(expected));

  it.each<[string, EntitlementGrant, object]>([
    ['a higher one', { plan: null, entitlements: { projects: 5 } }, { projects: 5, seats: 10 }],
    ['a lower one', { plan: null, entitlements: { projects: 0 } }, { projects: 0 }],
    ['none', { plan: null, entitlements: { projects: null, seats: null } }, { projects: null, seats: null }],
    [
      'one in place of that of a given plan',
      { plan: 'Pro', entitlements: { projects: 9 } },
      { projects: 9, seats: 50 },
    ],
  ])('has in place of the limit of its plan %s', (_what, grant, limits) =>
    expect(entitlementsOf('Free', grant).limits).toMatchObject(limits),
  );
});

describe('The plans that a refusal names', () => {
  it('are those with the feature', () => expect(plansWith('auditExport')).toEqual(['Business']));

  it.each([
    [10, ['Pro', 'Business']],
    [49, ['Pro', 'Business']],
    [50, ['Business']],
    [500, ['Business']],
  ])('are those with more seats than %d', (used, requiredPlan) =>
    expect(limitDetails('seats', 10, used)).toEqual({
      entitlement: ['seats'],
      limit: ['10'],
      used: [String(used)],
      requiredPlan,
    }),
  );
});
