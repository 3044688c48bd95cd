import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../config/settings';
import { addSeconds, Clock, DAY } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { ok, type Result } from '../../../platform/result';
import { TenantOwners } from '../../../tenants/tenants.api';
import { StripeCheckouts } from '../../stripe/stripe-checkouts';
import type { StripeResult } from '../../stripe/stripe-client';
import { TrialGrantRepository, type OtherGrant } from '../data/trial-grant.repository';
import { TrialGrant } from '../domain/trial-grant';

/** Seconds for which an offer counts: as long as Stripe keeps a checkout open. */
const OFFER_SECONDS = DAY;

interface Attempt {
  readonly isGranted: boolean;
  /** The offers of other tenants that are in the way, and can be withdrawn. */
  readonly withdrawable: readonly OtherGrant[];
}

/** Grants trials: a number per person who pays, and one per tenant (docs/contract.md, Checkout). */
@Injectable()
export class TrialGranter {
  private readonly limit: number;

  constructor(
    private readonly grants: TrialGrantRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly stripeCheckouts: StripeCheckouts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.limit = settings.processor.trialsPerUser;
  }

  /**
   * Whether the checkout of a tenant, whose billing lease the caller has, may offer a trial. The
   * open checkout of another tenant of its Owner, that offers it so far, is expired: the newest
   * has it. BILLING_UNAVAILABLE.
   */
  async grant(tenantId: string): Promise<StripeResult<boolean>> {
    const first = await this.attempt(tenantId);
    if (!first.ok || first.value.isGranted || first.value.withdrawable.length === 0)
      return first.ok ? ok(first.value.isGranted) : first;
    for (const other of first.value.withdrawable) {
      const withdrawn = await this.withdraw(other);
      if (!withdrawn.ok) return withdrawn;
    }
    const second = await this.attempt(tenantId);
    return second.ok ? ok(second.value.isGranted) : second;
  }

  /** One of a person's tenants after the other. */
  private attempt(tenantId: string): Promise<Result<Attempt>> {
    return this.unitOfWork.acrossTenants(async () => {
      const owner = (await this.tenantOwners.of([tenantId])).get(tenantId);
      if (!owner) return ok({ isGranted: false, withdrawable: [] });
      await this.unitOfWork.lockByName(`trials:${owner.userId}`);
      const now = this.clock.now();
      const grant = TrialGrant.of(tenantId, owner.userId, now);
      const others = await this.grants.others(grant, addSeconds(now, -OFFER_SECONDS));
      const isGranted = others.length < this.limit;
      if (isGranted) await this.grants.put(grant);
      return ok({ isGranted, withdrawable: isGranted ? [] : this.withdrawableOf(others, now) });
    });
  }

  /** A checkout that is being prepared keeps its offer. None if enough trials were used. */
  private withdrawableOf(others: readonly OtherGrant[], now: Date): OtherGrant[] {
    const offers = others.filter(({ isUsed }) => !isUsed);
    if (others.length - offers.length >= this.limit) return [];
    return offers.filter(({ leaseUntil }) => leaseUntil === null || leaseUntil <= now);
  }

  /** Keeps the offer of a checkout that was completed meanwhile. */
  private async withdraw(offer: OtherGrant): Promise<StripeResult> {
    const open = offer.customerId ? await this.stripeCheckouts.listOpen(offer.customerId) : ok([]);
    if (!open.ok) return open;
    for (const { id } of open.value) {
      const expired = await this.stripeCheckouts.expire(id);
      if (!expired.ok || !expired.value) return expired.ok ? ok() : expired;
    }
    return this.unitOfWork.acrossTenants(async () => ok(await this.grants.withdraw(offer)));
  }
}
