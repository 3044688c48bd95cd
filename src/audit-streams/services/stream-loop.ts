import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { PollingLoop } from '../../platform/polling-loop';
import type { TakenStream } from '../data/audit-stream.repository';
import type { AuditStream } from '../domain/audit-stream';
import { StreamAttempt } from './stream-attempt';
import { StreamOutcomes } from './stream-outcomes';
import { StreamQueue } from './stream-queue';

/**
 * Streams that this process sends at the same time, each one batch: slow ones have slots of their
 * own, so that receivers that hang delay only each other. A request that takes long becomes one of
 * theirs, so that there can be more than 8 for some seconds.
 */
const MOST_FAST = 16;
const MOST_SLOW = 8;
/** Milliseconds between looks for new entries: entries are sent after about so long. */
const LOOK_MS = 2000;

/** Sends the audit logs of tenants to their receivers, unless WORKER=off. */
@Injectable()
export class StreamLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The streams that are being sent, and since when. */
  private readonly running = new Map<AuditStream, Date>();
  private readonly batches: Counter<'outcome'>;
  private readonly loop = new PollingLoop(
    () => this.startDue(),
    (error) =>
      this.log.warn({ event: 'audit_streams.look_failed', err: error }, 'Audit streams cannot be read; retrying'),
  );

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly queue: StreamQueue,
    private readonly attempt: StreamAttempt,
    private readonly outcomes: StreamOutcomes,
    private readonly clock: Clock,
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
    if (this.settings.worker !== 'off') this.loop.start(LOOK_MS, () => this.look());
  }

  /** Takes no more, and waits for running requests; those that do not end are repeated later. */
  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Begins to send what is due. */
  look(): Promise<void> {
    return this.loop.wake();
  }

  private async startDue(): Promise<void> {
    const now = this.clock.now().getTime();
    const isSlow = ([stream, since]: [AuditStream, Date]) => stream.isSlow || stream.isChangedBy(now - since.getTime());
    const slow = [...this.running].filter(isSlow).length;
    const free = { fast: MOST_FAST - (this.running.size - slow), slow: Math.max(0, MOST_SLOW - slow) };
    if (free.fast + free.slow === 0) return; // the end of a request looks again
    for (const taken of await this.queue.take(free)) this.start(taken);
  }

  /** The next batch of the same stream follows at once. */
  private start(taken: TakenStream): void {
    const { stream } = taken;
    this.running.set(stream, this.clock.now());
    this.loop.run(this.send(taken).finally(() => this.running.delete(stream)));
  }

  private async send(taken: TakenStream): Promise<void> {
    const { stream } = taken;
    const { tenantId, id } = stream;
    try {
      const batch = await this.queue.batchOf(stream);
      if (!batch) return;
      const finished = await this.attempt.sendBatch(taken, batch);
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
