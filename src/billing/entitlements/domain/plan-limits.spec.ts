import { LIMITS } from '../../catalogue/domain/plan-catalogue';
import { PLAN_LIMITS, type LimitName } from './plan-limits';
import type { Plan } from './plan';

describe('The limits of a plan', () => {
  it.each<[Plan, object]>([
    ['Free', { projects: 3, keys: 5, seats: 10, invitationsPerDay: 20, auditRetentionDays: 30 }],
    ['Pro', { projects: null, keys: 50, seats: 50, invitationsPerDay: 500, auditRetentionDays: 365 }],
    ['Business', { projects: null, keys: 200, seats: null, invitationsPerDay: 500, auditRetentionDays: 1095 }],
  ])('%s are those of the catalogue', (plan, limits) => {
    expect(PLAN_LIMITS[plan]).toMatchObject(limits);
    expect(Object.keys(PLAN_LIMITS[plan])).toEqual(Object.keys(LIMITS));
  });

  it.each(Object.keys(LIMITS) as LimitName[])('%s never shrink in a higher plan', (name) => {
    const { Free, Pro, Business } = PLAN_LIMITS;
    const sizes = [Free, Pro, Business].map((limits) => limits[name] ?? Infinity);
    expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
  });
});
