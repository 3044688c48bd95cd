import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../../platform/clock';
import { isRefusedData, isUnavailable } from '../../../platform/database/database-errors';
import { newIdAt } from '../../../platform/ids';
import { Jobs } from '../../../platform/jobs/jobs';
import { Log } from '../../../platform/observability/log';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { WebhookEventRepository, type NewWebhookEvent } from '../data/webhook-event.repository';
import { WebhookEventProcessor, IGNORED, type Processed } from '../services/webhook-event-processor';
import { PlanCache } from '../../entitlements/services/plan-cache';
import type { StripeEvent } from '../../stripe/stripe-event';
import { jsonbSafe } from '../../stripe/jsonb-safe';
import { retryLater } from './replay-webhook-event';

/** An event before anything has become of it. */
type Row = Omit<NewWebhookEvent, 'status' | 'tenantId' | 'error'>;

/** About 1 MB of ids. */
const REMEMBERED = 10_000;

/**
 * Stores an event of the processor and applies it, in one transaction and without asking anybody
 * (contract section 5). A repeated event changes nothing. One that cannot be applied is kept as
 * failed and tried again; only a database that cannot store it makes this fail.
 */
export class ReceiveWebhookEvent extends Command<Result> {
  constructor(
    readonly event: StripeEvent,
    /** The text that was signed. */
    readonly payload: string,
  ) {
    super();
  }
}

@CommandHandler(ReceiveWebhookEvent)
export class ReceiveWebhookEventHandler implements ICommandHandler<ReceiveWebhookEvent> {
  /**
   * What was stored here a while ago: most repetitions come soon, and need not ask the database.
   */
  private readonly recent = new Set<string>();

  constructor(
    private readonly inbox: WebhookEventRepository,
    private readonly webhookEventProcessor: WebhookEventProcessor,
    private readonly cache: PlanCache,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async execute({ event, payload }: ReceiveWebhookEvent): Promise<Result> {
    if (this.recent.has(event.eventId) || (await this.inbox.isKnown(event.eventId))) return ok();
    const { eventId, type, createdAt } = event;
    const receivedAt = this.clock.now();
    const row = { id: newIdAt(receivedAt), eventId, type, createdAt, receivedAt, payload: jsonbSafe(payload) };
    try {
      await this.process(event, row);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.log.error(
        { err: error, eventId },
        'an event of the processor could not be applied; it is kept and tried again',
      );
      await this.keepFailed(row, error as Error).catch((reason: unknown) => this.keepWithoutPayload(row, reason));
    }
    this.remember(eventId);
    return ok();
  }

  private remember(eventId: string): void {
    if (this.recent.size >= REMEMBERED) this.recent.delete(this.recent.values().next().value!);
    this.recent.add(eventId);
  }

  private async process(event: StripeEvent, row: Row): Promise<void> {
    const effect = this.webhookEventProcessor.effectOf(event);
    let processed: Processed | undefined;
    await this.unitOfWork.acrossTenants(async () => {
      processed = undefined; // of an attempt that was rolled back
      if (!effect) return ok(void (await this.inbox.add({ ...row, ...IGNORED })));
      if (!(await this.inbox.add({ ...row, status: 'processed', tenantId: null, error: null }))) return ok();
      processed = await this.webhookEventProcessor.apply(event, effect);
      await this.inbox.settle(row.id, processed, 0);
      return ok();
    });
    if (processed?.subscription) await this.cache.put(processed.subscription.tenantId, processed.subscription);
  }

  /**
   * What the database refuses to hold must not be delivered for ever: the processor still has it,
   * and an operator will look.
   */
  private async keepWithoutPayload(row: Row, reason: unknown): Promise<void> {
    if (!isRefusedData(reason)) throw reason;
    const error = `The database could not hold its payload: ${(reason as Error).message}`;
    await this.unitOfWork.acrossTenants(async () =>
      ok(void (await this.inbox.add({ ...row, payload: '{}', status: 'needs-attention', tenantId: null, error }))),
    );
  }

  /** The answer is still 200: the processor has done its part. */
  private async keepFailed(row: Row, { message }: Error): Promise<void> {
    await this.unitOfWork.acrossTenants(async () => {
      if (await this.inbox.add({ ...row, status: 'failed', tenantId: null, error: message }))
        await this.jobs.enqueueAll([retryLater(row.id, 1)]);
      return ok();
    });
  }
}
