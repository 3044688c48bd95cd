import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { ok } from '../../platform/result';
import { ReceiverHostRepository, type FinishedAttempt } from '../../webhooks/webhooks.api';
import { AuditStreamDisabled } from '../audit-streams.events';
import { AuditStreamRepository } from '../data/audit-stream.repository';
import type { AuditBatch } from '../domain/audit-batch';
import type { AuditStream } from '../domain/audit-stream';

/** 410: the receiver no longer exists (RFC 9110 section 15.5.11). */
const GONE = 410;

/** Stores the outcomes of batches. */
@Injectable()
export class StreamOutcomes {
  constructor(
    private readonly streams: AuditStreamRepository,
    private readonly hosts: ReceiverHostRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Advances the stream behind a batch that the receiver has accepted, or plans the next attempt.
   * Nothing is stored if another process has taken the stream, or it is deleted: the batch is then
   * sent again, or not needed. A transaction locks one stream, so that outcomes of several workers
   * cannot wait for each other.
   */
  async store(taken: AuditStream, { end }: AuditBatch, { attempt, retryAfter }: FinishedAttempt): Promise<void> {
    const { tenantId, id, nextAt } = taken;
    await this.unitOfWork.inTenant({ tenantId }, async () => {
      const stream = await this.streams.lock(tenantId, id);
      if (stream?.nextAt.getTime() !== nextAt.getTime()) return ok();
      const now = this.clock.now();
      const { error, status } = attempt;
      stream.measure(attempt.milliseconds);
      if (error === null) stream.advance(end, taken.url, now);
      if (error === null && taken.lastSuccessAt === null) await this.hosts.answered(taken, now);
      const isNowDisabled = error !== null && stream.refuse(error, status === GONE, retryAfter, now, Math.random());
      await this.streams.save(stream);
      if (isNowDisabled) await this.events.publish(new AuditStreamDisabled(stream));
      return ok();
    });
  }
}
