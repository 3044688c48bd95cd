import { LIMITS, PLAN_LIMITS } from './plan-limits';
import type { Plan } from './plan';

describe('The limits of a plan', () => {
  it.each<[Plan, object]>([
    ['Free', { projects: 3, invitationsPerDay: 20 }],
    ['Pro', { projects: null, invitationsPerDay: 500 }],
    ['Business', { projects: null, invitationsPerDay: 500 }],
  ])('%s are those of its column, without the description', (plan, limits) =>
    expect(PLAN_LIMITS[plan]).toEqual(limits),
  );

  it.each(Object.entries(LIMITS))('%s never shrink in a higher plan', (_name, { Free, Pro, Business }) => {
    const sizes = [Free, Pro, Business].map((limit) => limit ?? Infinity);
    expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
  });
});
