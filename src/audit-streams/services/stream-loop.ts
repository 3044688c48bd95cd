import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import { SETTINGS, type Settings } from '../../config/settings';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { withTimeout } from '../../platform/timeout';
import type { AuditStream } from '../domain/audit-stream';
import { StreamAttempt } from './stream-attempt';
import { StreamOutcomes } from './stream-outcomes';
import { StreamQueue } from './stream-queue';

/** Streams that this process sends at the same time, each one batch. */
const MOST_STREAMS = 16;
/** Milliseconds between polls, and so about the delay of an entry. */
const LOOK_MS = 2000;
/** Milliseconds that running requests get when the service stops. Others are repeated later. */
const STOP_MS = 5000;

/** Sends the audit logs of tenants to their receivers, unless WORKER=off. */
@Injectable()
export class StreamLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly batches: Counter<'outcome'>;
  private timer?: NodeJS.Timeout;
  private looking?: Promise<void>;
  private isStopping = false;
  /** Whether the last poll failed, which is logged once. */
  private hasFailed = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly queue: StreamQueue,
    private readonly attempt: StreamAttempt,
    private readonly outcomes: StreamOutcomes,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.batches = new Counter({
      name: 'audit_stream_batches_total',
      help: 'Requests with audit entries to receivers of tenants',
      labelNames: ['outcome'],
      registers: [metrics],
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.worker !== 'off')
      this.timer = setInterval(() => {
        void this.look();
      }, LOOK_MS);
  }

  /** Takes no more streams, and waits for running requests. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.looking;
    await withTimeout(STOP_MS, Promise.all(this.running)).catch(() => undefined);
  }

  /** Starts to send what is due. A call during a poll joins it. */
  look(): Promise<void> {
    if (this.isStopping) return Promise.resolve();
    this.looking ??= this.startDue().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async startDue(): Promise<void> {
    const free = MOST_STREAMS - this.running.size;
    if (free === 0) return;
    try {
      for (const stream of await this.queue.take(free)) this.start(stream);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed)
        this.log.warn({ event: 'audit_streams.look_failed', err: error }, 'Audit streams cannot be read; retrying');
      this.hasFailed = true;
    }
  }

  /** The next batch of the same stream follows at once. */
  private start(stream: AuditStream): void {
    const sent: Promise<void> = this.send(stream).finally(() => {
      this.running.delete(sent);
      void this.look();
    });
    this.running.add(sent);
  }

  private async send(stream: AuditStream): Promise<void> {
    const { tenantId, id } = stream;
    try {
      const batch = await this.queue.batchOf(stream);
      if (!batch) return;
      const finished = await this.attempt.send(stream, batch);
      this.batches.inc({ outcome: finished.attempt.error === null ? 'delivered' : 'failed' });
      await this.outcomes.store(stream, batch, finished);
    } catch (error) {
      this.log.error(
        { event: 'audit_streams.batch_failed', err: error, tenantId, streamId: id },
        'The outcome of a batch of audit entries is not stored; it will be sent again',
      );
    }
  }
}
