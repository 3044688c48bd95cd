import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, addSeconds, MINUTE } from '../../platform/clock';
import type { AggregatedEvent } from '../../platform/domain-events';
import { Log } from '../../platform/observability/log';
import { currentContext } from '../../platform/observability/request-context';
import { AuditLogRepository } from '../data/audit-log.repository';
import type { AuditRecord } from '../domain/audit-entry';

/** Events with the same action, actor and target within 15 minutes become one entry. */
const WINDOW_SECONDS = 15 * MINUTE;
const FLUSH_MS = 60_000;
/** Counters kept at the same time; further events are logged instead. */
const MAX_COUNTERS = 10_000;
/** IP addresses listed in an entry. */
const MAX_IP_ADDRESSES = 5;

interface EventCounter {
  readonly event: AggregatedEvent;
  readonly since: Date;
  count: number;
  readonly addresses: Set<string>;
}

/**
 * Aggregates events that anybody can cause as often as they like (wrong passwords, refused
 * routes), so that they cannot flood the audit log. Counting happens in memory, so that the
 * response time does not reveal whether an account exists. Entries are written after 15 minutes,
 * and when the service stops; of some events, the first one of a person is written at once. A
 * process that is killed loses the counts that it has not written.
 */
@Injectable()
export class AuditAggregation implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly counters = new Map<string, EventCounter>();
  /** When the first event of an action and a person was written. */
  private readonly firstAt = new Map<string, Date>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly auditLogRepository: AuditLogRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const flushDue = () => this.flush(addSeconds(this.clock.now(), -WINDOW_SECONDS));
    this.timer = setInterval(() => {
      void flushDue();
    }, FLUSH_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush(this.clock.now());
  }

  /** Writes or counts an event of the running request. */
  async add(event: AggregatedEvent): Promise<void> {
    if (!this.isToBeWritten(event)) return this.count(event);
    const { ip } = currentContext();
    const first = { event, since: this.clock.now(), count: 1, addresses: new Set(ip ? [ip] : []) };
    await this.auditLogRepository.append([auditRecord(first)]).catch(() => this.count(event));
  }

  /** Whether it is the first one of its person in this window. Of several at once, one is. */
  private isToBeWritten({ isFirstWritten, action, by }: AggregatedEvent): boolean {
    const person = `${action} ${by.userId}`;
    const now = this.clock.now();
    const at = this.firstAt.get(person);
    if (!isFirstWritten || this.firstAt.size >= MAX_COUNTERS) return false;
    if (at && addSeconds(at, WINDOW_SECONDS) > now) return false;
    this.firstAt.set(person, now);
    return true;
  }

  private count(event: AggregatedEvent): void {
    const key = `${event.action} ${event.by.userId} ${event.target.type} ${event.target.id}`;
    const counter = this.counters.get(key) ?? { event, since: this.clock.now(), count: 0, addresses: new Set() };
    if (this.counters.size >= MAX_COUNTERS && counter.count === 0) {
      return this.log.warn(
        { event: 'audit.aggregation_full', action: event.action },
        'Too many different events to aggregate; the event was not counted',
      );
    }
    counter.count++;
    const { ip } = currentContext();
    if (ip && counter.addresses.size < MAX_IP_ADDRESSES) counter.addresses.add(ip);
    this.counters.set(key, counter);
  }

  /**
   * Writes the counters started at `until` or before. If writing fails, they are kept for the next
   * attempt.
   */
  async flush(until: Date): Promise<void> {
    for (const [person, at] of this.firstAt) if (at <= until) this.firstAt.delete(person);
    const due = [...this.counters].filter(([, { since }]) => since <= until);
    if (due.length === 0) return;
    for (const [key] of due) this.counters.delete(key);
    try {
      await this.auditLogRepository.append(due.map(([, counter]) => auditRecord(counter)));
    } catch (error) {
      for (const [key, counter] of due) if (!this.counters.has(key)) this.counters.set(key, counter);
      this.log.warn(
        { err: error, event: 'audit.aggregation_flush_failed' },
        'Aggregated events could not be written to the audit log; the write will be retried',
      );
    }
  }
}

function auditRecord({ event, since, count, addresses }: EventCounter): AuditRecord {
  const { action, by, tenantId, target, data } = event;
  return {
    action,
    by,
    tenantId,
    target,
    data: { ...data, count, since: since.toISOString(), addresses: [...addresses] },
  };
}
