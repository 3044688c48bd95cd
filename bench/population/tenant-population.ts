/** Numbers of members of tenants 1, 2, 3 and so on. */
export type TenantSizes = readonly number[];

/**
 * Sizes by Zipf's law: the k-th tenant has 1/k of the members of the first, and at least one. There
 * is about one tenant for ten users.
 */
export function zipfSizes(users: number): TenantSizes {
  let harmonic = 0;
  for (let k = 1; k <= users / 10; k++) harmonic += 1 / k;
  const sizes: number[] = [];
  for (let rest = users, k = 1; rest > 0; k++) {
    const size = Math.min(rest, Math.max(1, Math.round(users / (k * harmonic))));
    sizes.push(size);
    rest -= size;
  }
  return sizes;
}

/** Coprime to every power of ten, so that multiplication permutes that many numbers. */
const SCATTER = 7919;

/**
 * Which account is a member of which tenant. Accounts and tenants count from 1. The members of a
 * tenant are scattered over all accounts, as if they had registered at different times.
 */
export class Population {
  readonly users: number;
  /** The first membership of each tenant, counted from 0. */
  private readonly starts: readonly number[];
  private readonly inverse: number;

  constructor(readonly sizes: TenantSizes) {
    let users = 0;
    this.starts = sizes.map((size) => (users += size) - size);
    this.users = users;
    this.inverse = inverseOf(SCATTER, users);
  }

  get tenants(): number {
    return this.sizes.length;
  }

  /** The account of the n-th membership, counted from 0. */
  accountOf(membership: number): number {
    return 1 + ((membership * SCATTER) % this.users);
  }

  /** The membership of an account: its number, its tenant, and whether the account is the Owner. */
  membershipOf(account: number): { membership: number; tenant: number; isOwner: boolean } {
    const membership = Number((BigInt(account - 1) * BigInt(this.inverse)) % BigInt(this.users));
    const tenant = this.tenantOf(membership);
    return { membership, tenant, isOwner: this.starts[tenant - 1] === membership };
  }

  /** The Owner of a tenant. */
  ownerOf(tenant: number): number {
    return this.accountOf(this.starts[tenant - 1]);
  }

  /** A membership in the middle of a tenant. */
  middleOf(tenant: number): number {
    return this.starts[tenant - 1] + Math.floor(this.sizes[tenant - 1] / 2);
  }

  /** Binary search for the last tenant that starts at or before a membership. */
  private tenantOf(membership: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= membership) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

/** The factor that undoes a multiplication modulo `modulus`, by Euclid's algorithm. */
function inverseOf(factor: number, modulus: number): number {
  let [r, next, t, nextT] = [modulus, factor % modulus, 0, 1];
  while (next !== 0) {
    const quotient = Math.floor(r / next);
    [r, next] = [next, r - quotient * next];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  if (r !== 1) throw new Error(`${modulus} users cannot be scattered`);
  return ((t % modulus) + modulus) % modulus;
}
