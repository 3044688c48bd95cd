import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../../platform/domain-events';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Log } from '../../../platform/observability/log';
import { ok, type Result } from '../../../platform/result';
import { SyncRequested } from '../../billing.events';
import { PlanPrices } from '../../catalogue/services/plan-prices';
import { UnknownPriceReport } from '../../catalogue/services/unknown-price-report';
import { PlanCache } from '../../entitlements/services/plan-cache';
import type { StripeEvent } from '../../stripe/stripe-event';
import { toFact, type AddressedFact } from '../../stripe/stripe-fact.mapper';
import { StripeMode } from '../../stripe/stripe-mode';
import { keysOf } from '../../subscriptions/data/subscription-keys';
import type { Outcome } from '../../subscriptions/domain/fact-precedence';
import type { StripeFact } from '../../subscriptions/domain/stripe-fact';
import type { Subscription } from '../../subscriptions/domain/subscription';
import { SubscriptionWriter } from '../../subscriptions/services/subscription-writer';
import { WebhookEventRepository, type KnownFacts } from '../data/webhook-event.repository';
import type { Settlement, WebhookEvent } from '../domain/webhook-event';
import { EventTenantFinder, type Unmatched } from './event-tenant-finder';

/** What an event says, and what is stored about it. */
interface MatchedFact extends KnownFacts {
  readonly fact: StripeFact;
  /** Locked until the transaction ends. */
  readonly subscription: Subscription | Unmatched;
}

/** A stored event that is to be applied. */
export interface ClaimedEvent {
  readonly row: WebhookEvent;
  readonly event: StripeEvent;
  /** Undefined: the event is irrelevant and ignored. */
  readonly match: MatchedFact | undefined;
}

/** The result of an event, and if it was applied, what it says and the subscription. */
interface Processed extends Settlement {
  readonly applied?: { readonly fact: StripeFact; readonly subscription: Subscription };
}

/** What is left to do after COMMIT. */
export type Finish = () => Promise<void>;

const IGNORED: Settlement = { status: 'ignored', tenantId: null, error: null };

/**
 * Applies Stripe events to subscriptions (docs/contract.md, Applying events): received and replayed
 * events take the same path. Only the database is queried; Stripe is never called.
 */
@Injectable()
export class WebhookEventProcessor {
  constructor(
    private readonly webhookEvents: WebhookEventRepository,
    private readonly eventTenantFinder: EventTenantFinder,
    private readonly subscriptionWriter: SubscriptionWriter,
    private readonly cache: PlanCache,
    private readonly stripeMode: StripeMode,
    private readonly prices: PlanPrices,
    private readonly unknownPrices: UnknownPriceReport,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  /** @returns undefined for an event to ignore: of another type, or of the other Stripe mode */
  factOf(event: StripeEvent): AddressedFact | undefined {
    return this.stripeMode.isOurs(event) ? toFact(event, this.prices) : undefined;
  }

  /**
   * Locks the subscription that an event is about, and reads what the event is compared to, in one
   * round trip. The lock comes first: a sync or an event that is about to end may hold it.
   */
  async match(event: StripeEvent, { keys, fact }: AddressedFact): Promise<MatchedFact> {
    const [subscription, known] = await Promise.all([
      this.eventTenantFinder.lock(keys),
      this.webhookEvents.known(event, keysOf(keys)),
    ]);
    return { ...known, fact, subscription };
  }

  /**
   * The same without waiting for a lock.
   * @returns undefined if another transaction has locked the subscription, or if there is not
   * exactly one
   */
  async matchUnlocked(event: StripeEvent, { keys, fact }: AddressedFact): Promise<MatchedFact | undefined> {
    const [subscription, known] = await Promise.all([
      this.eventTenantFinder.lockUnlocked(keys),
      this.webhookEvents.known(event, keysOf(keys)),
    ]);
    return subscription && known.tenantIds.length === 1 ? { ...known, fact, subscription } : undefined;
  }

  /**
   * Claims an event, applies it and stores the result, in one transaction; then reports what an
   * operator should know, and refreshes the cached plan.
   * @param claim the row of the event, new or locked; undefined if there is nothing to do
   * @param store stores the row with the result; by default, the row is known
   */
  async process(
    claim: () => Promise<ClaimedEvent | undefined>,
    store = (row: WebhookEvent) => this.webhookEvents.save(row),
  ): Promise<Result> {
    let finish: Finish | undefined;
    const done = await this.unitOfWork.acrossTenants(async () => {
      finish = undefined; // from an attempt that was rolled back
      const claimed = await claim();
      if (claimed) finish = await this.applyClaimed(claimed, store);
      return ok();
    });
    await finish?.();
    return done;
  }

  /** Applies an event and stores the result, in the running transaction. @returns the rest */
  async applyClaimed(
    { row, event, match }: ClaimedEvent,
    store: (row: WebhookEvent) => Promise<void>,
  ): Promise<Finish> {
    const processed: Processed = match ? await this.apply(event, match) : IGNORED;
    row.settle(processed);
    await store(row);
    return () => this.finish(row, processed);
  }

  private async finish({ eventId, tenantId, error }: WebhookEvent, { applied }: Processed): Promise<void> {
    if (!applied) return;
    const { fact, subscription } = applied;
    if (fact.kind === 'snapshot' && !fact.snapshot.plan)
      this.unknownPrices.report(fact.snapshot.priceId, fact.snapshot.subscriptionId);
    if (error) this.log.warn({ event: 'stripe.event_needs_review', eventId, tenantId }, error);
    await this.cache.put(subscription.tenantId, subscription);
  }

  private async apply({ eventId, createdAt }: StripeEvent, match: MatchedFact): Promise<Processed> {
    const { fact, subscription } = match;
    if ('error' in subscription) return { status: 'needs-attention', tenantId: null, ...subscription };
    const { tenantId } = subscription;
    const outcome = subscription.apply(fact, createdAt);
    const isApplied = outcome === 'applied' && (await this.store(subscription, match, `event ${eventId}`));
    await this.events.publish(new SyncRequested(tenantId));
    const error = reviewReason(fact, outcome);
    return { status: 'processed', tenantId, error, isApplied, applied: { fact, subscription } };
  }

  /**
   * @returns false if something newer is known, from another event or from a sync; the row itself
   * records only what has changed it
   */
  private async store(subscription: Subscription, { isRead, overtaken }: MatchedFact, cause: string): Promise<boolean> {
    if (!subscription.isChanged) return true;
    const isOld = overtaken.includes(subscription.tenantId) || (isRead && !subscription.isRebound);
    if (isOld) subscription.discardChanges();
    else await this.subscriptionWriter.saveLatest([subscription], cause);
    return !isOld;
  }
}

/** Why an operator should review the event, although it was processed. */
function reviewReason(fact: StripeFact, outcome: Outcome): string | null {
  if (outcome === 'unknown') return 'The Stripe status of the subscription is unknown; nothing was changed.';
  if (fact.kind === 'snapshot' && !fact.snapshot.plan)
    return `Its price ${fact.snapshot.priceId ?? '(none)'} belongs to no plan; plan and dates are unchanged.`;
  if (fact.kind === 'checkout-completed' && !fact.plan)
    return 'The checkout names no plan; it will be taken from the subscription.';
  return null;
}
