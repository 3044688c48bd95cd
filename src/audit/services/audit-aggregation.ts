import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, addSeconds, MINUTE } from '../../platform/clock';
import type { DomainEvent } from '../../platform/domain-events';
import { Log } from '../../platform/observability/log';
import { currentContext } from '../../platform/observability/request-context';
import { AuditLogRepository, type AuditRecord } from '../data/audit-log.repository';

/** Events of one kind by one person at one target become one entry a quarter of an hour. */
const WINDOW_SECONDS = 15 * MINUTE;
const FLUSH_MS = 60_000;
/** Kinds, people and targets at a time; whoever causes more is told to the log. */
const MAX_TALLIES = 10_000;
/** Addresses that an entry names. */
const MAX_ADDRESSES = 5;

interface Tally {
  readonly event: DomainEvent;
  readonly since: Date;
  count: number;
  readonly addresses: Set<string>;
}

/**
 * Counts events that somebody outside can cause as often as they like (wrong passwords, refused
 * routes), so that they cannot fill the log. Counted in memory, which takes no time that could tell
 * whether an account exists; written once the quarter of an hour has passed, and when the service
 * stops. A process that is killed loses at most what it has counted since.
 */
@Injectable()
export class AuditAggregation implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tallies = new Map<string, Tally>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly auditLogRepository: AuditLogRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(addSeconds(this.clock.now(), -WINDOW_SECONDS)), FLUSH_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush(this.clock.now());
  }

  /** Counts an event of the running request. */
  add(event: DomainEvent): void {
    const key = `${event.action} ${event.by.userId} ${event.target.type} ${event.target.id}`;
    const tally = this.tallies.get(key) ?? { event, since: this.clock.now(), count: 0, addresses: new Set() };
    if (this.tallies.size >= MAX_TALLIES && tally.count === 0) {
      return this.log.warn(
        { event: 'audit-tally-full', action: event.action },
        'too many different events are counted; this one is not',
      );
    }
    tally.count++;
    const { ip } = currentContext();
    if (ip && tally.addresses.size < MAX_ADDRESSES) tally.addresses.add(ip);
    this.tallies.set(key, tally);
  }

  /**
   * Writes what was begun at `until` or before. What cannot be written is kept for the next time.
   */
  async flush(until: Date): Promise<void> {
    const due = [...this.tallies].filter(([, { since }]) => since <= until);
    if (due.length === 0) return;
    for (const [key] of due) this.tallies.delete(key);
    try {
      await this.auditLogRepository.append(due.map(([, tally]) => entryOf(tally)));
    } catch (error) {
      for (const [key, tally] of due) if (!this.tallies.has(key)) this.tallies.set(key, tally);
      this.log.warn(
        { err: error, event: 'audit-tally-kept' },
        'counted events could not be written to the audit log; it is tried again',
      );
    }
  }
}

function entryOf({ event, since, count, addresses }: Tally): AuditRecord {
  const { action, by, tenantId, target, data } = event;
  return {
    action,
    by,
    tenantId,
    target,
    data: { ...data, count, since: since.toISOString(), addresses: [...addresses] },
  };
}
