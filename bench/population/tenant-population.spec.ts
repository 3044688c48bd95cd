import { Population, zipfSizes } from './tenant-population';

describe('sizes of tenants', () => {
  it('follow Zipf: the second tenant has half the members of the first', () => {
    const sizes = zipfSizes(10_000);
    expect(sizes[1] / sizes[0]).toBeCloseTo(1 / 2, 2);
    expect(sizes[9] / sizes[0]).toBeCloseTo(1 / 10, 2);
  });

  it('place every user, with at least one in each tenant', () => {
    const sizes = zipfSizes(10_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(10_000);
    expect(Math.min(...sizes)).toBe(1);
  });
});

describe('a population', () => {
  const population = new Population([4, 1, 5]);

  it('gives every account one membership', () => {
    const accounts = Array.from({ length: 10 }, (_, membership) => population.accountOf(membership));
    expect([...accounts].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(accounts.map((account) => population.membershipOf(account).membership)).toEqual([...accounts.keys()]);
  });

  it('knows the tenant of an account, and one Owner of each tenant', () => {
    const tenants = Array.from({ length: 10 }, (_, n) => population.membershipOf(population.accountOf(n)).tenant);
    expect(tenants).toEqual([1, 1, 1, 1, 2, 3, 3, 3, 3, 3]);
    const owners = Array.from({ length: 10 }, (_, n) => n + 1).filter((i) => population.membershipOf(i).isOwner);
    expect(owners.sort()).toEqual([1, 2, 3].map((tenant) => population.ownerOf(tenant)).sort());
  });

  it('refuses a number of users that cannot be scattered', () => {
    expect(() => new Population([7919])).toThrow('cannot be scattered');
  });
});
