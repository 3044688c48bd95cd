import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { TenantOwners } from '../../../tenants/tenants.api';
import { keysOf } from '../../subscriptions/data/subscription-keys';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import type { StripeKeys } from '../../subscriptions/domain/stripe-fact';
import type { Subscription } from '../../subscriptions/domain/subscription';

/** Why an event leads to no tenant, or to several. */
export interface Unmatched {
  readonly error: string;
  /** Whether it names no tenant of this service. */
  readonly isForeign: boolean;
}

/** Finds the tenant that a Stripe event is about. */
@Injectable()
export class EventTenantFinder {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly clock: Clock,
  ) {}

  /**
   * The subscription with the Stripe subscription id; else with the customer id; else of the tenant
   * named in the metadata of session, subscription or invoice. The reference of a checkout must be
   * the same tenant, and leads to none by itself. Locked until the transaction ends.
   * A known customer must be the event's, except of a subscription that has ended: the customer may
   * have been replaced since. Call within EVERY_TENANT.
   */
  async lock(keys: StripeKeys): Promise<Subscription | Unmatched> {
    return this.choose(keys, await this.subscriptions.lockAll(keysOf(keys)));
  }

  /**
   * The same without waiting, in the most common case.
   * @returns undefined if another transaction has locked the subscription, or if there is not
   * exactly one: only then could `choose` wait, to add it. The caller compares this with the
   * number of subscriptions that match the keys.
   */
  async lockUnlocked(keys: StripeKeys): Promise<Subscription | Unmatched | undefined> {
    const found = await this.subscriptions.lockUnlocked(keysOf(keys));
    return found.length === 1 ? this.choose(keys, found) : undefined;
  }

  private async choose(keys: StripeKeys, found: readonly Subscription[]): Promise<Subscription | Unmatched> {
    const { subscriptionId, customerId, tenantIds: named, referenceId } = keys;
    const byStripeId = found.filter(
      (one) => one.processorSubscriptionId === subscriptionId || isCustomer(one, customerId),
    );
    const tenantIds = new Set([...byStripeId.map(({ tenantId }) => tenantId), ...named]);
    if (tenantIds.size === 0 && referenceId) return this.refuseReference(referenceId);
    if (referenceId) tenantIds.add(referenceId);
    if (tenantIds.size > 1) return refuse(`It names more than one tenant: ${[...tenantIds].join(', ')}.`, false);
    const [tenantId] = tenantIds;
    if (!tenantId)
      return refuse('Neither its subscription, nor its customer, nor its metadata leads to a tenant.', true);
    const subscription =
      found.find((one) => one.tenantId === tenantId) ??
      (await this.subscriptions.lockOrAdd(tenantId, this.clock.now()));
    if (!subscription) return refuse(`The tenant ${tenantId} does not exist, or was deleted.`, true);
    const known = subscription.processorCustomerId;
    if (customerId && known && !isCustomer(subscription, customerId) && !subscription.hasEnded(subscriptionId))
      return refuse(`Tenant ${tenantId} is customer ${known}, not ${customerId}.`, false);
    return subscription;
  }

  /** Another product that shares the Stripe account may use references, too. */
  private async refuseReference(tenantId: string): Promise<Unmatched> {
    const isForeign = !(await this.tenantOwners.of([tenantId])).has(tenantId);
    return refuse(
      `Only its client_reference_id names a tenant, ${tenantId}: this service did not create it.`,
      isForeign,
    );
  }
}

const refuse = (error: string, isForeign: boolean): Unmatched => ({ error, isForeign });

const isCustomer = ({ processorCustomerId }: Subscription, customerId: string | null) =>
  customerId !== null && processorCustomerId === customerId;
