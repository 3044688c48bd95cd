import { Injectable } from '@nestjs/common';
import { completeAfter } from '../../audit/audit.api';
import { entityOf } from '../../platform/database/entity-of';
import { columnsOf } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { grantorRoleOf, ReceiverRepository, type GrantorRole } from '../../webhooks/webhooks.api';
import { AuditStream } from '../domain/audit-stream';
import { firstWaiting } from './audit-streams.columns';

/** How many more streams can be sent: those whose receivers answer in time, and slow ones. */
export interface FreeSlots {
  readonly fast: number;
  readonly slow: number;
}

/** A stream that this process sends. */
export interface TakenStream {
  readonly stream: AuditStream;
  /** The role of the member whose permissions it needs; null: nobody's. */
  readonly grantor: GrantorRole | null;
}

/** Whether `s` is sent: streams of tenants that are being deleted are not. */
const IS_ENABLED = `
  s.disabled_at IS NULL AND NOT EXISTS (SELECT FROM deleted_tenants t WHERE t.id = s.tenant_id)`;

const due = (lane: string, limit: string) => `
  SELECT s.tenant_id, s.id FROM audit_streams s WHERE ${IS_ENABLED} AND ${lane} AND s.next_at <= $1
     AND EXISTS (SELECT FROM audit_log a WHERE a.tenant_id = s.tenant_id
                    AND ${completeAfter({ position: 's.sent_position', id: 's.sent_id' }, 's.since_id')})
   ORDER BY s.next_at LIMIT ${limit} FOR UPDATE OF s SKIP LOCKED`;

/**
 * Takes streams that are due and have entries to send, and makes them due again later in case this
 * process ends. Of two workers at the same time, each gets other ones.
 */
const TAKE_DUE = `
  WITH fast AS (${due('NOT s.is_slow', '$2')}), slow AS (${due('s.is_slow', '$3')}),
       taken AS (SELECT * FROM fast UNION ALL SELECT * FROM slow)
  UPDATE audit_streams s SET next_at = $4 FROM taken
   WHERE s.tenant_id = taken.tenant_id AND s.id = taken.id
  RETURNING ${columnsOf(AuditStream, 's')}, ${grantorRoleOf('s')} AS grantor`;

/** Makes streams due again that were taken until $2. */
const RETURN_TAKEN = `
  UPDATE audit_streams s SET next_at = now() FROM jsonb_to_recordset($1::jsonb) AS t ("tenantId" uuid, id uuid)
   WHERE s.tenant_id = t."tenantId" AND s.id = t.id AND s.next_at = $2`;

/**
 * Stores the streams of a tenant. A transaction that adds one holds the serial lock of the tenant.
 */
@Injectable()
export class AuditStreamRepository extends ReceiverRepository<AuditStream> {
  constructor(unitOfWork: UnitOfWork) {
    super(AuditStream, unitOfWork);
  }

  add(stream: AuditStream): Promise<void> {
    return this.insert(stream);
  }

  count(tenantId: string): Promise<number> {
    return this.rows.countBy({ tenantId });
  }

  lock(tenantId: string, id: string): Promise<AuditStream | null> {
    return this.lockOne({ tenantId, id });
  }

  async tenantOf(id: string): Promise<string | undefined> {
    return (await this.rows.findOne({ select: { tenantId: true }, where: { id } }))?.tenantId;
  }

  async remove(stream: AuditStream): Promise<void> {
    await this.delete(stream);
  }

  /** Runs across tenants. @param until when the taken ones are due again */
  async takeDue(now: Date, { fast, slow }: FreeSlots, until: Date): Promise<TakenStream[]> {
    const rows = await this.unitOfWork.query<Pick<TakenStream, 'grantor'>>(TAKE_DUE, [now, fast, slow, until]);
    return rows.map((row) => ({ stream: entityOf(AuditStream, row), grantor: row.grantor }));
  }

  /** Returns streams that nobody sends. Runs across tenants. @param until as of `takeDue` */
  returnTaken(streams: readonly AuditStream[], until: Date): Promise<void> {
    const rows = streams.map(({ tenantId, id }) => ({ tenantId, id }));
    return this.unitOfWork.write(RETURN_TAKEN, [JSON.stringify(rows), until]);
  }

  /** The time of the oldest entry that was not sent; null: none. Across tenants. */
  async waitingSince(): Promise<Date | null> {
    const since = this.rows
      .createQueryBuilder('s')
      .select(`min(${firstWaiting('s')})`, 'since')
      .where(IS_ENABLED);
    return (await since.getRawOne<{ since: Date | null }>())!.since;
  }
}
