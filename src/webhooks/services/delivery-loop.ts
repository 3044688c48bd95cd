import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import { SETTINGS, type Settings } from '../../config/settings';
import { DatabaseChannels } from '../../platform/database/listen-notify';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { PollingLoop } from '../../platform/polling-loop';
import type { RunningRequest } from '../data/due-deliveries';
import { WEBHOOKS_CHANNEL } from '../data/webhook-message.repository';
import { challengeIn } from '../domain/webhook-message';
import { DeliveryAttempt } from './delivery-attempt';
import { DeliveryOutcomes } from './delivery-outcomes';
import { DeliveryQueue, type TakenDelivery } from './delivery-queue';

/** Requests of this process at the same time. */
const MOST_REQUESTS = 64;
/**
 * Milliseconds between looks for retries. A process that only runs jobs does not listen for new
 * messages, and looks more often.
 */
const LOOK_MS = 1000;
const LOOK_WITHOUT_LISTENING_MS = 200;

/**
 * Sends deliveries, unless WORKER=off. It takes as many as it has free slots, a few of each
 * endpoint and tenant, so that receivers that hang occupy only their own slots.
 */
@Injectable()
export class DeliveryLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly running = new Set<RunningRequest>();
  private readonly attempts: Counter<'outcome'>;
  private readonly loop = new PollingLoop(
    () => this.look(),
    (error) => this.log.warn({ event: 'webhooks.look_failed', err: error }, 'Webhooks cannot be read; retrying'),
  );
  /** Whether there may be new messages. */
  private hasNews = false;

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
    this.loop.start(every, () => this.wake());
  }

  /** Takes no more, and waits for running requests; those that do not end are repeated later. */
  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Polls for new messages and due deliveries. */
  wake(): void {
    this.hasNews = true;
    void this.loop.wake();
  }

  private async look(): Promise<void> {
    if (this.hasNews) {
      this.hasNews = false;
      await this.queue.fanOut();
    }
    const free = MOST_REQUESTS - this.running.size;
    if (free === 0) return; // the end of a request looks again
    for (const delivery of await this.queue.take(free, [...this.running])) this.start(delivery);
  }

  private start(taken: TakenDelivery): void {
    const { tenantId, id: endpointId, isSlow } = taken.endpoint;
    const request = { tenantId, endpointId, isSlow };
    this.running.add(request);
    this.loop.run(this.send(taken).finally(() => this.running.delete(request)));
  }

  private async send(taken: TakenDelivery): Promise<void> {
    const { tenantId, id } = taken.delivery;
    try {
      const { messageId, type } = taken.delivery;
      const { endpoint, body } = taken;
      const message = { id: messageId, body, challenge: challengeIn(type, body) };
      const finished = await this.attempt.send(endpoint, message);
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
