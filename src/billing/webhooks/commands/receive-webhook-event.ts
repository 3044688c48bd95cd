import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../../platform/clock';
import { isRefusedData, isUnavailable } from '../../../platform/database/database-errors';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Jobs } from '../../../platform/jobs/jobs';
import { Log } from '../../../platform/observability/log';
import { ok, type Result } from '../../../platform/result';
import { jsonbSafe } from '../../stripe/jsonb-safe';
import type { StripeEvent } from '../../stripe/stripe-event';
import { isStoredEvent, WebhookEventRepository } from '../data/webhook-event.repository';
import { WebhookEvent } from '../domain/webhook-event';
import { DeliveryGroups } from '../services/delivery-groups';
import { WebhookEventProcessor } from '../services/webhook-event-processor';
import { replayLaterJob } from './replay-webhook-event';

/** Recently stored event ids that are kept in memory: about 1 MB. */
const RECENT_IDS = 10_000;

/**
 * Stores a Stripe event and applies it, in one transaction and without calling Stripe
 * (docs/contract.md, Webhooks). Idempotent. An event that cannot be applied is stored as failed and
 * retried; this throws only if the database cannot store it.
 */
export class ReceiveWebhookEvent extends Command<Result> {
  constructor(
    readonly event: StripeEvent,
    /** The signed text. */
    readonly payload: string,
  ) {
    super();
  }
}

/** A concurrent delivery has stored the event. */
const ignoreStored = (error: unknown): void => {
  if (!isStoredEvent(error)) throw error;
};

@CommandHandler(ReceiveWebhookEvent)
export class ReceiveWebhookEventHandler implements ICommandHandler<ReceiveWebhookEvent> {
  /** Most repeated deliveries soon follow the first, on the same instance; they need no query. */
  private readonly recent = new Set<string>();

  constructor(
    private readonly webhookEvents: WebhookEventRepository,
    private readonly webhookEventProcessor: WebhookEventProcessor,
    private readonly deliveryGroups: DeliveryGroups,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async execute({ event, payload }: ReceiveWebhookEvent): Promise<Result> {
    const { eventId } = event;
    if (this.recent.has(eventId)) return ok();
    const text = jsonbSafe(payload);
    try {
      await this.process(event, text);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (!isStoredEvent(error)) await this.keepFailed(event, text, error as Error).catch(ignoreStored);
    }
    this.remember(eventId);
    return ok();
  }

  private remember(eventId: string): void {
    if (this.recent.size >= RECENT_IDS) this.recent.delete(this.recent.values().next().value!);
    this.recent.add(eventId);
  }

  private async process(event: StripeEvent, payload: string): Promise<void> {
    const fact = this.webhookEventProcessor.factOf(event);
    if (fact && (await this.deliveryGroups.apply({ event, fact, payload }))) return;
    const claim = async () => {
      const row = WebhookEvent.receive(event, this.clock.now());
      if (!fact) return { row, event, match: undefined };
      const match = await this.webhookEventProcessor.match(event, fact);
      return match.isStored ? undefined : { row, event, match };
    };
    await this.webhookEventProcessor.process(claim, (row) => this.webhookEvents.store(row, payload));
  }

  private async keepFailed(event: StripeEvent, payload: string, error: Error): Promise<void> {
    try {
      await this.addFailed(event, payload, error);
    } catch (reason) {
      if (!isRefusedData(reason)) throw reason;
      await this.addWithoutPayload(event, reason as Error);
    }
    this.log.error(
      { event: 'stripe.event_failed', err: error, eventId: event.eventId },
      'A Stripe event could not be applied; it is stored for another attempt or an operator',
    );
  }

  private async addFailed(event: StripeEvent, payload: string, { message }: Error): Promise<void> {
    const row = WebhookEvent.receive(event, this.clock.now());
    const pause = row.fail(message)!; // the first attempt is not the last one
    await this.unitOfWork.acrossTenants(async () => {
      await this.webhookEvents.store(row, payload);
      await this.jobs.enqueueAll([replayLaterJob(row.id, pause)]);
      return ok();
    });
  }

  /**
   * An event that the database cannot store must not be redelivered. Stripe keeps its payload, and
   * an operator can review it there.
   */
  private async addWithoutPayload(event: StripeEvent, { message }: Error): Promise<void> {
    const row = WebhookEvent.receive(event, this.clock.now());
    const error = `The database could not store its payload: ${message}`;
    row.settle({ status: 'needs-attention', tenantId: null, error });
    await this.unitOfWork.acrossTenants(async () => ok(await this.webhookEvents.store(row, '{}')));
  }
}
