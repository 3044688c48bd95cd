import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { isUnreachable } from '../../../platform/database/database-errors';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import {
  currentContext,
  withRequestContext,
  type RequestContext,
} from '../../../platform/observability/request-context';
import { GroupQueue } from '../../../platform/group-queue';
import { Log } from '../../../platform/observability/log';
import { ok } from '../../../platform/result';
import type { StripeEvent } from '../../stripe/stripe-event';
import type { AddressedFact } from '../../stripe/stripe-fact.mapper';
import { WebhookEventRepository } from '../data/webhook-event.repository';
import { WebhookEvent } from '../domain/webhook-event';
import { WebhookEventProcessor, type Finish } from './webhook-event-processor';

/**
 * Two transactions at a time: PostgreSQL executes one while another is written to the disk. The
 * writes of a transaction share the time that PostgreSQL has for it. Events beyond those that may
 * wait get their own.
 */
const LIMITS = { groups: 2, items: 6, waiting: 64 };
/** Less than the time after which PostgreSQL looks for a deadlock. */
const LOCK_MS = 100;
/** A failure that took longer than this concerns all that wait, too. */
const SLOW_MS = 500;
/** COMMIT is of no single request: no key is stored with it, and no position is read behind it. */
const NO_ANSWER = { claim: undefined, written: undefined };

/** A received event. */
interface Delivery {
  readonly event: StripeEvent;
  readonly fact: AddressedFact;
  /** The signed text. */
  readonly payload: string;
}

interface Waiting extends Delivery {
  readonly context: RequestContext;
  /** @param isApplied whether nothing is left to do */
  readonly resolve: (isApplied: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** What is left to do for an event after COMMIT; undefined if it needs a transaction of its own. */
type Outcome = Finish | undefined;

/**
 * Applies events that arrive at the same time in one transaction, which saves most of the messages
 * and all but one of the commits (docs/decisions/0067-deliveries-in-groups.md). An event that
 * arrives alone waits for no other.
 *
 * A group waits for no subscription that another transaction has locked, and at most a moment for
 * what else is locked, so that no tenant delays another. Events of one subscription follow each
 * other. If one event fails, all are rolled back. An event that was left out, or whose group has
 * failed, is applied by the caller, in a transaction of its own.
 */
@Injectable()
export class DeliveryGroups {
  private readonly queue = new GroupQueue<Waiting>(
    LIMITS,
    ({ fact }) => fact.keys.subscriptionId,
    (group) => this.run(group),
  );

  constructor(
    private readonly webhookEvents: WebhookEventRepository,
    private readonly processor: WebhookEventProcessor,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Applies an event and stores it with its result, or finds that it is stored.
   * @returns false if the event needs a transaction of its own
   * @throws if the database is unreachable
   */
  apply(delivery: Delivery): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const isAdded = this.queue.add({ ...delivery, context: currentContext(), resolve, reject });
      if (!isAdded) resolve(false);
    });
  }

  private async run(group: readonly Waiting[]): Promise<void> {
    const start = performance.now();
    try {
      const outcomes = await withRequestContext({ ...group[0].context, ...NO_ANSWER }, () => this.transact(group));
      for (const [index, delivery] of group.entries()) {
        const finish = outcomes[index];
        if (!finish) delivery.resolve(false);
        else withRequestContext(delivery.context, finish).then(() => delivery.resolve(true), delivery.reject);
      }
    } catch (error) {
      this.log.warn(
        { event: 'stripe.delivery_group_failed', err: error, events: group.length },
        'Stripe events were rolled back',
      );
      // those behind it would wait as long, one group after the other
      const affected = performance.now() - start < SLOW_MS ? group : [...group, ...this.queue.removeWaiting()];
      if (isUnreachable(error)) for (const { reject } of affected) reject(error);
      else for (const { resolve } of affected) resolve(false);
    }
  }

  private async transact(group: readonly Waiting[]): Promise<Outcome[]> {
    let outcomes: Outcome[] = [];
    await this.unitOfWork.acrossTenants(async () => {
      const tenantIds = new Set<string>();
      const works = group.map((one) =>
        this.unitOfWork.inContext(one.context, () => this.applyUnlocked(one, tenantIds)),
      );
      const settled = await Promise.allSettled(works); // none may go on after a rollback
      outcomes = settled.map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
      return ok();
    }, LOCK_MS);
    return outcomes;
  }

  /** @param tenantIds of the group: a second event would not see what the first has changed */
  private async applyUnlocked({ event, fact, payload }: Delivery, tenantIds: Set<string>): Promise<Outcome> {
    const match = await this.processor.matchUnlocked(event, fact);
    if (!match || tenantIds.has(match.tenantIds[0])) return undefined;
    tenantIds.add(match.tenantIds[0]);
    if (match.isStored) return () => Promise.resolve();
    const row = WebhookEvent.receive(event, this.clock.now());
    return this.processor.applyClaimed({ row, event, match }, (settled) => this.webhookEvents.store(settled, payload));
  }
}
