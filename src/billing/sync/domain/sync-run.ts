import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** One comparison of all subscriptions with the processor's: how far it is, and what it found. */
@Entity('sync_runs')
@Unique('sync_runs_slot_key', ['slot'])
export class SyncRun {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sync_runs_pkey' }) readonly id!: string;
  /** Until when the schedule has no other: what makes it one over all instances. */
  @Column('timestamptz') readonly slot!: Date;
  @Column('timestamptz') readonly startedAt!: Date;
  @Column('timestamptz', { nullable: true }) readonly finishedAt!: Date | null;
  /** When it began by the processor's clock; null before its first page. */
  @Column('timestamptz', { nullable: true }) readonly since!: Date | null;
  /** The last subscription that was looked at: from there it goes on after a failure. */
  @Column('text', { nullable: true }) readonly cursor!: string | null;
  /** When that one was made: the pages come newest first, and what is older belongs on the next. */
  @Column('timestamptz', { nullable: true }) readonly reached!: Date | null;
  /** Whether every page was looked at. */
  @Column('boolean', { default: false }) readonly hasReadAll!: boolean;
  /** Subscriptions that the processor told of. */
  @Column('integer', { default: 0 }) readonly seen!: number;
  /** Those that were otherwise here: the drift. */
  @Column('integer', { default: 0 }) readonly corrected!: number;
  /** Those of nobody here, or with a price or status that we do not know. */
  @Column('integer', { default: 0 }) readonly unknown!: number;
}
