import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DomainEvent } from '../../platform/domain-events';
import { newIdAt } from '../../platform/ids';

/** The part of an event that is stored; the rest comes from the running request. */
export type AuditRecord = Pick<DomainEvent, 'action' | 'by' | 'tenantId' | 'target' | 'data'>;

/**
 * An entry of the audit log (docs/contract.md, Audit log). The database refuses to change or delete
 * it.
 */
@Entity('audit_log')
@Index('audit_log_tenant_id_id_idx', ['tenantId', 'id'])
@Index('audit_log_actor_id_id_idx', ['actorId', 'id'])
@Index('audit_log_target_id_id_idx', ['targetId', 'id'])
@Index('audit_log_action_id_idx', ['action', 'id'])
@Index('audit_log_invited_email_idx', { synchronize: false }) // of an expression, which TypeORM cannot declare
@Index('audit_log_impersonator_id_id_idx', ['impersonatorId', 'id'], { where: 'impersonator_id IS NOT NULL' })
@Index('audit_log_tenant_id_position_id_idx', ['tenantId', 'position', 'id'], { where: 'tenant_id IS NOT NULL' })
export class AuditEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_log_pkey' }) readonly id!: string;
  @Column('timestamptz') readonly at!: Date;
  /** `noun.verbed`. */
  @Column('text') readonly action!: string;
  @Column('uuid', { nullable: true }) readonly actorId!: string | null;
  /** The admin who impersonates the actor. */
  @Column('uuid', { nullable: true }) readonly impersonatorId!: string | null;
  /** What acted instead of a person: a service account or a personal token; null: a person. */
  @Column('text', { nullable: true }) readonly principalKind!: string | null;
  /** The id of the service account or the personal token. */
  @Column('uuid', { nullable: true }) readonly principalId!: string | null;
  @Column('uuid', { nullable: true }) readonly tenantId!: string | null;
  @Column('text') readonly targetType!: string;
  @Column('text') readonly targetId!: string;
  @Column('text', { nullable: true }) readonly ip!: string | null;
  @Column('text') readonly requestId!: string;
  @Column('jsonb') readonly data!: object;
  /** The order in which audit streams read it, set by the database (docs/decisions/0060). */
  @Column({ type: 'bigint', select: false, insert: false, default: () => 'audit_log_position()' })
  readonly position!: string;

  /** @param request in which the event happened */
  static of(
    { action, by, tenantId, target, data }: AuditRecord,
    { ip, requestId }: Pick<AuditEntry, 'ip' | 'requestId'>,
    now: Date,
  ): AuditEntry {
    const where = { tenantId, targetType: target.type, targetId: target.id, ip, requestId };
    const program = by.principal && by.principal.kind !== 'person' ? by.principal : undefined;
    const principal = { principalKind: program?.kind ?? null, principalId: program?.id ?? null };
    const who = { actorId: by.userId, impersonatorId: by.impersonatorId, ...principal };
    return Object.assign(new AuditEntry(), { id: newIdAt(now), at: now, action, ...who, ...where, data });
  }
}
