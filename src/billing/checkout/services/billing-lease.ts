import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock, addSeconds, MINUTE } from '../../../platform/clock';
import { LateReleases, type UnusedClaim } from '../../../platform/late-releases';
import { Log } from '../../../platform/observability/log';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { BillingFailures } from '../../billing.failures';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import type { Subscription } from '../../subscriptions/domain/subscription';
import { CheckoutLeaseRepository } from '../data/checkout-lease.repository';

/** The right of one request to change the billing of a tenant. */
export interface Lease {
  readonly tenantId: string;
  readonly until: Date;
}

/** Seconds after which a lease expires: longer than any call that is made under it. */
const LEASE_SECONDS = 2 * MINUTE;
/** How often and at which interval in milliseconds a request tries to get the lease. */
const LEASE_ATTEMPTS = 50;
const LEASE_INTERVAL_MS = 200;
/** Requests of a tenant that wait on one instance; others are refused at once. */
const MAX_WAITING = 5;

/**
 * Lets one request at a time change what a tenant buys. A lease instead of a lock: a lock would be
 * held during calls to Stripe, and webhooks of the tenant would wait for it.
 */
@Injectable()
export class BillingLease {
  private readonly waiting = new Map<string, number>();

  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly leases: CheckoutLeaseRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly lateReleases: LateReleases,
    private readonly log: Log,
  ) {}

  /**
   * Runs work under the lease of a tenant. CONFLICT while another request has it for too long;
   * NOT_FOUND for a deleted tenant.
   * @param check refuses before the lease is taken, by the stored subscription
   */
  async within<T, C extends string, D extends string>(
    tenantId: string,
    check: (subscription: Subscription) => Result<void, C>,
    work: (lease: HeldLease) => Promise<Result<T, D>>,
  ): Promise<Result<T, C | D | 'CONFLICT' | 'NOT_FOUND'>> {
    const acquired = await this.acquire(tenantId, check);
    if (!acquired.ok) return acquired;
    const held = new HeldLease({ tenantId, until: acquired.value }, (lease) => this.renew(lease));
    try {
      return await work(held);
    } finally {
      await this.release(held.lease);
    }
  }

  /** If that fails, it is released later, and the result of the work stands. */
  private async release(lease: Lease): Promise<void> {
    try {
      await this.releaseNow(lease);
    } catch (error) {
      this.log.warn(
        { event: 'billing.lease_not_released', tenantId: lease.tenantId, err: error },
        'A billing lease was not released; it will be released when the database responds',
      );
      this.lateReleases.add(this.claimOn(lease));
    }
  }

  private async releaseNow({ tenantId, until }: Lease): Promise<void> {
    await this.unitOfWork.inTenant({ tenantId }, async () => ok(await this.leases.release(tenantId, until)));
  }

  private claimOn(lease: Lease): UnusedClaim {
    const release = () => this.releaseNow(lease).then(() => true);
    return { kind: 'billing lease', expiresInMs: LEASE_SECONDS * 1000, release };
  }

  /** Stores a lease that nobody may know of if the response to COMMIT is lost. */
  private storing<T>(lease: Lease, store: () => Promise<T>): Promise<T> {
    return this.lateReleases.unlessLost(store, () => this.claimOn(lease));
  }

  /** @returns when the lease expires */
  private async acquire<C extends string>(
    tenantId: string,
    check: (subscription: Subscription) => Result<void, C>,
  ): Promise<Result<Date, C | 'CONFLICT' | 'NOT_FOUND'>> {
    const first = await this.attempt(tenantId, check);
    if (!first.ok) return first;
    if (first.value) return ok(first.value);
    const waiting = this.waiting.get(tenantId) ?? 0;
    if (waiting >= MAX_WAITING) return err(BillingFailures.changeInProgress);
    this.waiting.set(tenantId, waiting + 1);
    try {
      return await this.wait(tenantId, check);
    } finally {
      const left = this.waiting.get(tenantId)! - 1;
      if (left > 0) this.waiting.set(tenantId, left);
      else this.waiting.delete(tenantId);
    }
  }

  /** Reads the lease without a lock, and tries to acquire it when it is free. */
  private async wait<C extends string>(
    tenantId: string,
    check: (subscription: Subscription) => Result<void, C>,
  ): Promise<Result<Date, C | 'CONFLICT' | 'NOT_FOUND'>> {
    for (let attempt = 1; attempt < LEASE_ATTEMPTS; attempt++) {
      await pause(LEASE_INTERVAL_MS);
      const until = (await this.subscriptions.find(tenantId))?.checkoutLeaseUntil;
      if (until && until > this.clock.now()) continue;
      const lease = await this.attempt(tenantId, check);
      if (!lease.ok) return lease;
      if (lease.value) return ok(lease.value);
    }
    return err(BillingFailures.changeInProgress);
  }

  /** @returns null while another request has the lease */
  private attempt<C extends string>(
    tenantId: string,
    check: (subscription: Subscription) => Result<void, C>,
  ): Promise<Result<Date | null, C | 'NOT_FOUND'>> {
    const now = this.clock.now();
    const until = addSeconds(now, LEASE_SECONDS);
    const acquire = async () => {
      const subscription = await this.subscriptions.lockOrAdd(tenantId, now);
      if (!subscription) return err(PlatformFailures.notFound);
      const checked = check(subscription);
      if (!checked.ok) return checked;
      return ok((await this.leases.acquire(tenantId, now, until)) ? until : null);
    };
    return this.storing({ tenantId, until }, () =>
      this.unitOfWork.inTenant<Date | null, C | 'NOT_FOUND'>({ tenantId }, acquire),
    );
  }

  private async renew({ tenantId, until }: Lease): Promise<Result<Lease, 'CONFLICT' | 'NOT_FOUND'>> {
    const longer = addSeconds(this.clock.now(), LEASE_SECONDS);
    const isOurs = await this.storing({ tenantId, until: longer }, () =>
      this.unitOfWork.inTenant({ tenantId }, async () => ok(await this.leases.renew(tenantId, until, longer))),
    );
    if (!isOurs.ok) return isOurs;
    return isOurs.value ? ok({ tenantId, until: longer }) : err(BillingFailures.changeInProgress);
  }
}

/** A lease that a request holds. */
export class HeldLease {
  /** Names the request, for idempotency keys: no other one has it. It begins with the tenant. */
  readonly id: string;

  constructor(
    public lease: Lease,
    private readonly extend: (lease: Lease) => Promise<Result<Lease, 'CONFLICT' | 'NOT_FOUND'>>,
  ) {
    this.id = `${lease.tenantId}-${randomUUID()}`;
  }

  /**
   * Renews the lease before something is changed: the calls before may have taken so long that
   * another request has it. CONFLICT then.
   */
  async renew(): Promise<Result<void, 'CONFLICT' | 'NOT_FOUND'>> {
    const renewed = await this.extend(this.lease);
    if (!renewed.ok) return renewed;
    this.lease = renewed.value;
    return ok();
  }
}
