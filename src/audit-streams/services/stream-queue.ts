import { Injectable } from '@nestjs/common';
import { CompleteAuditEntries } from '../../audit/audit.api';
import { addSeconds, Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { LateReleases, type UnusedClaim } from '../../platform/late-releases';
import { ok } from '../../platform/result';
import { ReceiverHostRepository } from '../../webhooks/webhooks.api';
import { AuditStreamRepository, type FreeSlots, type TakenStream } from '../data/audit-stream.repository';
import { batchOf, MOST_ENTRIES, type AuditBatch } from '../domain/audit-batch';
import { LEASE_SECONDS, type AuditStream } from '../domain/audit-stream';

/** Hands out streams that are due, and their next batches. */
@Injectable()
export class StreamQueue {
  constructor(
    private readonly streams: AuditStreamRepository,
    private readonly hosts: ReceiverHostRepository,
    private readonly entries: CompleteAuditEntries,
    private readonly unitOfWork: UnitOfWork,
    private readonly lateReleases: LateReleases,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes streams that are due and have entries to send. One whose receiver never answered waits
   * for the turn of its host: it is due again when its lease ends. Runs across tenants.
   */
  async take(slots: FreeSlots): Promise<TakenStream[]> {
    const now = this.clock.now();
    const until = addSeconds(now, LEASE_SECONDS);
    let taken: TakenStream[] = [];
    const take = () =>
      this.unitOfWork.acrossTenants(async () => {
        const due = await this.streams.takeDue(now, slots, until);
        const untried = due.map(({ stream }) => stream).filter(({ lastSuccessAt }) => lastSuccessAt === null);
        const granted = await this.hosts.claim(untried, now);
        taken = due.filter(({ stream }) => stream.lastSuccessAt !== null || granted.has(stream));
        return ok();
      });
    await this.lateReleases.unlessLost(take, () => this.claimOn(taken, until));
    return taken;
  }

  private claimOn(taken: readonly TakenStream[], until: Date): UnusedClaim | undefined {
    if (taken.length === 0) return undefined;
    const streams = taken.map(({ stream }) => stream);
    const release = async () => {
      await this.unitOfWork.acrossTenants(async () => ok(await this.streams.returnTaken(streams, until)));
      return true;
    };
    return { kind: 'audit stream', expiresInMs: LEASE_SECONDS * 1000, release };
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
