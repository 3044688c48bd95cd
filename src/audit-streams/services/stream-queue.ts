import { Injectable } from '@nestjs/common';
import { CompleteAuditEntries } from '../../audit/audit.api';
import { addSeconds, Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ok } from '../../platform/result';
import { AuditStreamRepository, type FreeSlots, type TakenStream } from '../data/audit-stream.repository';
import { batchOf, MOST_ENTRIES, type AuditBatch } from '../domain/audit-batch';
import { LEASE_SECONDS, type AuditStream } from '../domain/audit-stream';

/** Hands out streams that are due, and their next batches. */
@Injectable()
export class StreamQueue {
  constructor(
    private readonly streams: AuditStreamRepository,
    private readonly entries: CompleteAuditEntries,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Takes streams that are due and have entries to send. Runs across tenants. */
  async take(slots: FreeSlots): Promise<TakenStream[]> {
    const now = this.clock.now();
    let taken: TakenStream[] = [];
    await this.unitOfWork.acrossTenants(async () => {
      taken = await this.streams.takeDue(now, slots, addSeconds(now, LEASE_SECONDS));
      return ok();
    });
    return taken;
  }

  /** The next batch of a stream; undefined if its tenant was deleted. */
  async batchOf(stream: AuditStream): Promise<AuditBatch | undefined> {
    const { tenantId, sent, sinceId } = stream;
    const found = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.entries.next(tenantId, sent, sinceId, MOST_ENTRIES)),
    );
    return found.ok && found.value.length > 0 ? batchOf(stream, found.value) : undefined;
  }
}
