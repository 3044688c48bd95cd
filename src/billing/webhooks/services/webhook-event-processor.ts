import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Jobs } from '../../../platform/jobs/jobs';
import { Log } from '../../../platform/observability/log';
import { syncSubscriptionJob } from '../../sync/commands/sync-subscription';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { SyncRunRepository } from '../../sync/data/sync-run.repository';
import type { Settlement } from '../data/webhook-event.repository';
import type { Outcome, Subscription } from '../../subscriptions/domain/subscription';
import { SubscriptionChange, SubscriptionWriter } from '../../subscriptions/services/subscription-writer';
import { PlanPrices } from '../../entitlements/services/plan-prices';
import { StripeGateway } from '../../stripe/stripe-gateway';
import { effectOf, type EventEffect, type StripeEvent } from '../../stripe/stripe-event';
import { StripeMode } from '../../stripe/stripe-mode';

/** What became of an event, and of whose subscription. */
export interface Processed extends Settlement {
  readonly subscription?: Subscription;
}

/** Why an event leads to no tenant, or to two. */
type Unplaced = Required<Pick<Settlement, 'isForeign'>> & { readonly error: string };

/** What becomes of an event that means nothing here. */
export const IGNORED: Settlement = { status: 'ignored', tenantId: null, error: null };

const REMARKS: Partial<Record<Outcome, string>> = {
  unknown: 'The status of the subscription is none that we know; nothing was changed.',
};

/**
 * Applies an event to the tenant that it is about (contract section 5). Call within EVERY_TENANT;
 * asks nobody but the database.
 */
@Injectable()
export class WebhookEventProcessor {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly runs: SyncRunRepository,
    private readonly subscriptionWriter: SubscriptionWriter,
    private readonly stripeMode: StripeMode,
    private readonly prices: PlanPrices,
    private readonly stripeGateway: StripeGateway,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * What an event means here; undefined for one of another type, or of the processor's other world:
   * it is ignored.
   */
  effectOf(event: StripeEvent): EventEffect | undefined {
    return this.stripeMode.isOurs(event) ? effectOf(event, this.prices) : undefined;
  }

  async apply({ eventId, createdAt }: StripeEvent, effect: EventEffect): Promise<Processed> {
    const found = await this.find(effect);
    if ('error' in found) return { status: 'needs-attention', tenantId: null, ...found };
    const change = new SubscriptionChange(found);
    const outcome = effect.apply(found, change.notices);
    const isApplied = outcome === 'applied' && (await this.settle(change, eventId, createdAt));
    if (this.stripeGateway.isSetUp) await this.jobs.enqueueAll([syncSubscriptionJob(found.tenantId)]);
    const error = REMARKS[outcome] ?? effect.remark;
    if (error) this.log.warn({ eventId, tenantId: found.tenantId }, error);
    return { status: 'processed', tenantId: found.tenantId, error, isApplied, subscription: found };
  }

  /**
   * @returns false where something newer is known: by another event, or by a sync that has read
   * everything since; the row tells only of what changed it
   */
  private async settle(change: SubscriptionChange, eventId: string, at: Date): Promise<boolean> {
    if (!change.isDirty) return true;
    if (change.isOfSame && (await this.runs.hasReadSince(at))) change.discard();
    else await this.subscriptionWriter.save([change], `event ${eventId}`, at);
    return change.isDirty;
  }

  /**
   * The subscription that an event is about: by its id, else by the customer's, else by what we
   * wrote on session, subscription or invoice.
   * @returns why an operator has to look where that leads nowhere, or to two
   */
  private async find(effect: EventEffect): Promise<Subscription | Unplaced> {
    const keys = {
      subscriptionIds: [effect.subscriptionId],
      customerIds: effect.customerId ? [effect.customerId] : [],
      tenantIds: effect.tenantIds,
    };
    const found = await this.subscriptions.lockAll(keys);
    const byProcessor = found.filter(
      (one) => one.processorSubscriptionId === effect.subscriptionId || isCustomer(one, effect.customerId),
    );
    const tenantIds = new Set([...byProcessor.map(({ tenantId }) => tenantId), ...effect.tenantIds]);
    if (tenantIds.size > 1)
      return { error: `It names more than one tenant: ${[...tenantIds].join(', ')}.`, isForeign: false };
    const [tenantId] = tenantIds;
    if (!tenantId)
      return {
        error: 'Neither its subscription, nor its customer, nor its metadata leads to a tenant.',
        isForeign: true,
      };
    const subscription =
      found.find((one) => one.tenantId === tenantId) ??
      (await this.subscriptions.lockOrAdd(tenantId, this.clock.now()));
    if (!subscription) return { error: `There is no tenant ${tenantId} (any more).`, isForeign: true };
    if (effect.customerId && subscription.processorCustomerId && !isCustomer(subscription, effect.customerId)) {
      return {
        error: `Tenant ${tenantId} is customer ${subscription.processorCustomerId}, not ${effect.customerId}.`,
        isForeign: false,
      };
    }
    return subscription;
  }
}

const isCustomer = ({ processorCustomerId }: Subscription, customerId: string | null) =>
  customerId !== null && processorCustomerId === customerId;
