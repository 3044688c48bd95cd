import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import { SETTINGS, type Settings } from '../../config/settings';
import { DatabaseChannels } from '../../platform/database/listen-notify';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { withTimeout } from '../../platform/timeout';
import { WEBHOOKS_CHANNEL } from '../data/webhook-message.repository';
import { DeliveryAttempt } from './delivery-attempt';
import { DeliveryOutcomes } from './delivery-outcomes';
import { DeliveryQueue, type TakenDelivery } from './delivery-queue';

/** Requests at the same time, of this process, and of them to one endpoint. */
const MOST_REQUESTS = 64;
const MOST_PER_ENDPOINT = 4;
/**
 * Milliseconds between looks for retries. A process that only runs jobs does not listen for new
 * messages, and looks more often.
 */
const LOOK_MS = 1000;
const LOOK_WITHOUT_LISTENING_MS = 200;
/** Milliseconds that running requests get when the service stops. Others are repeated later. */
const STOP_MS = 5000;

/**
 * Sends deliveries, unless WORKER=off. It takes as many as it has free slots, a few of each
 * endpoint, so that a receiver that hangs occupies only its own slots.
 */
@Injectable()
export class DeliveryLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly byEndpoint = new Map<string, number>();
  private readonly attempts: Counter<'outcome'>;
  private timer?: NodeJS.Timeout;
  private looking?: Promise<void>;
  private isWoken = false;
  private isStopping = false;
  /** Whether the last look failed, which is logged once. */
  private hasFailed = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly queue: DeliveryQueue,
    private readonly attempt: DeliveryAttempt,
    private readonly outcomes: DeliveryOutcomes,
    private readonly log: Log,
    channels: DatabaseChannels,
    metrics: Metrics,
  ) {
    this.attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Requests to webhook endpoints of tenants',
      labelNames: ['outcome'],
      registers: [metrics],
    });
    if (settings.worker === 'off') return;
    const wake = () => this.wake();
    channels.listen(WEBHOOKS_CHANNEL, { onNotification: wake, onConnected: wake, poll: wake });
  }

  onApplicationBootstrap(): void {
    if (this.settings.worker === 'off') return;
    const every = this.settings.worker === 'only' ? LOOK_WITHOUT_LISTENING_MS : LOOK_MS;
    this.timer = setInterval(() => this.wake(), every);
  }

  /** Takes no more, and waits for running requests. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.looking;
    await withTimeout(STOP_MS, Promise.all(this.running)).catch(() => undefined);
  }

  /** Looks for work now, or once more after the present look. */
  wake(): void {
    this.isWoken = true;
    if (this.isStopping) return;
    this.looking ??= this.look().finally(() => (this.looking = undefined));
  }

  private async look(): Promise<void> {
    try {
      while (this.isWoken && !this.isStopping) {
        this.isWoken = false;
        await this.queue.fanOut();
        await this.startDue();
        this.hasFailed = false;
      }
    } catch (error) {
      if (!this.hasFailed)
        this.log.warn({ event: 'webhooks.look_failed', err: error }, 'Webhooks cannot be read; retrying');
      this.hasFailed = true;
    }
  }

  private async startDue(): Promise<void> {
    const free = MOST_REQUESTS - this.running.size;
    if (free === 0) return; // the end of a request wakes
    const taken = await this.queue.take(free, MOST_PER_ENDPOINT, this.byEndpoint);
    for (const delivery of taken) this.start(delivery);
  }

  private start(taken: TakenDelivery): void {
    const { id } = taken.endpoint;
    this.byEndpoint.set(id, (this.byEndpoint.get(id) ?? 0) + 1);
    const sent: Promise<void> = this.send(taken).finally(() => {
      this.running.delete(sent);
      const left = this.byEndpoint.get(id)! - 1;
      if (left > 0) this.byEndpoint.set(id, left);
      else this.byEndpoint.delete(id);
      this.wake();
    });
    this.running.add(sent);
  }

  private async send(taken: TakenDelivery): Promise<void> {
    const { tenantId, id } = taken.delivery;
    try {
      const finished = await this.attempt.send(taken);
      this.attempts.inc({ outcome: finished.attempt.error === null ? 'delivered' : 'failed' });
      await this.outcomes.store(taken, finished);
    } catch (error) {
      this.log.error(
        { event: 'webhooks.delivery_failed', err: error, tenantId, deliveryId: id },
        'The outcome of a webhook is not stored; it will be sent again',
      );
    }
  }
}
