import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { newId } from '../../../platform/ids';

/** A comparison of all subscriptions with Stripe: its progress and its result. */
@Entity('sync_runs')
@Unique('sync_runs_slot_key', ['slot'])
export class SyncRun {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sync_runs_pkey' }) readonly id!: string;
  /** The scheduled time. It is unique, so that of several instances one starts the run. */
  @Column('timestamptz') readonly slot!: Date;
  @Column('timestamptz') readonly startedAt!: Date;
  @Column('timestamptz', { nullable: true }) readonly finishedAt!: Date | null;
  /** Every change until then is on its pages, by Stripe's clock; null before its first page. */
  @Column('timestamptz', { nullable: true }) readonly since!: Date | null;
  /** The last subscription that was compared. After a failure the run continues from there. */
  @Column('text', { nullable: true }) readonly cursor!: string | null;
  /** When that one was created. Pages are ordered from new to old. */
  @Column('timestamptz', { nullable: true }) readonly reached!: Date | null;
  /** Whether every page was read. */
  @Column('boolean', { default: false }) readonly hasReadAll!: boolean;
  /** Subscriptions returned by Stripe. */
  @Column('integer', { default: 0 }) readonly seen!: number;
  /** Those whose stored copy differed (drift). */
  @Column('integer', { default: 0 }) readonly corrected!: number;
  /** Those without a tenant, or with an unknown price or status. */
  @Column('integer', { default: 0 }) readonly unknown!: number;
  /** Ids of prices of tenants' subscriptions that belong to no plan; the first ones. */
  @Column('text', { array: true, default: [] }) readonly unknownPrices!: readonly string[];

  /** Whether pages are left to read. A run that has read all may still wait to be finished. */
  get isReading(): boolean {
    return this.finishedAt === null && !this.hasReadAll;
  }

  /** A run that has read no page yet. @param slot the scheduled time, or now */
  static begin(slot: Date, now: Date): SyncRun {
    const progress = { since: null, cursor: null, reached: null, hasReadAll: false };
    const result = { finishedAt: null, seen: 0, corrected: 0, unknown: 0, unknownPrices: [] };
    return Object.assign(new SyncRun(), { id: newId(), slot, startedAt: now, ...progress, ...result });
  }
}
