import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { isUnreachable } from '../../../platform/database/database-errors';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import {
  currentContext,
  withRequestContext,
  type RequestContext,
} from '../../../platform/observability/request-context';
import { ok } from '../../../platform/result';
import type { StripeEvent } from '../../stripe/stripe-event';
import type { AddressedFact } from '../../stripe/stripe-fact.mapper';
import { WebhookEventRepository } from '../data/webhook-event.repository';
import { WebhookEvent } from '../domain/webhook-event';
import { WebhookEventProcessor, type Finish } from './webhook-event-processor';

/** Transactions at a time: PostgreSQL executes one while another is written to the disk. */
const TRANSACTIONS = 2;
/** Events in a transaction. They share the time in which it must be written. */
const EVENTS = 8;
/** Events that wait for a transaction. Further ones get their own. */
const WAITING = 64;

/** A received event. */
export interface Delivery {
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

/** What an event of a group leaves to do; undefined: all. */
type Outcome = Finish | undefined;

/**
 * Applies events that arrive at the same time in one transaction, which saves most of the messages
 * and all but one of the commits (docs/decisions/0067-deliveries-in-groups.md). An event that
 * arrives alone waits for no other.
 *
 * A group waits for no lock, and an event that would have to is left out, so that no tenant delays
 * another. If one event fails, all are rolled back. In both cases the caller applies the event in a
 * transaction of its own.
 */
@Injectable()
export class DeliveryGroups {
  private waiting: Waiting[] = [];
  private running = 0;

  constructor(
    private readonly webhookEvents: WebhookEventRepository,
    private readonly processor: WebhookEventProcessor,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies an event and stores it with its result, or finds that it is stored.
   * @returns false if the event needs a transaction of its own
   * @throws if the database is unreachable
   */
  apply(delivery: Delivery): Promise<boolean> {
    if (this.waiting.length >= WAITING) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...delivery, context: currentContext(), resolve, reject });
      this.start();
    });
  }

  private start(): void {
    while (this.running < TRANSACTIONS && this.waiting.length > 0) {
      const group = this.waiting.splice(0, EVENTS);
      this.running++;
      void this.run(group).finally(() => {
        this.running--;
        this.start();
      });
    }
  }

  private async run(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await withRequestContext(group[0].context, () => this.transact(group));
      for (const [index, delivery] of group.entries()) {
        const finish = outcomes[index];
        if (!finish) delivery.resolve(false);
        else withRequestContext(delivery.context, finish).then(() => delivery.resolve(true), delivery.reject);
      }
    } catch (error) {
      if (!isUnreachable(error)) for (const { resolve } of group) resolve(false);
      else for (const { reject } of [...group, ...this.waiting.splice(0)]) reject(error);
    }
  }

  private async transact(group: readonly Waiting[]): Promise<Outcome[]> {
    let outcomes: Outcome[] = [];
    await this.unitOfWork.acrossTenants(async () => {
      const tenantIds = new Set<string>();
      const works = group.map((one) => this.unitOfWork.inContext(one.context, () => this.applyFree(one, tenantIds)));
      const settled = await Promise.allSettled(works); // none may go on after a rollback
      outcomes = settled.map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
      return ok();
    });
    return outcomes;
  }

  /** @param tenantIds of the group: a second event of a tenant would not see what the first changed */
  private async applyFree({ event, fact, payload }: Delivery, tenantIds: Set<string>): Promise<Outcome> {
    const match = await this.processor.matchFree(event, fact);
    if (!match || tenantIds.has(match.tenantIds[0])) return undefined;
    tenantIds.add(match.tenantIds[0]);
    if (match.isStored) return () => Promise.resolve();
    const row = WebhookEvent.receive(event, this.clock.now());
    return this.processor.applyClaimed({ row, event, match }, (settled) => this.webhookEvents.store(settled, payload));
  }
}
