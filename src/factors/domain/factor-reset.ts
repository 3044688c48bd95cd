import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DAY, addSeconds } from '../../platform/clock';
import { newIdAt } from '../../platform/ids';
import { err, ok, type Result } from '../../platform/result';
import { User } from '../../users/users.api';
import { FactorFailures } from '../factors.failures';

/** `requested` and `approved` ones are open; all other states are final. */
export const FACTOR_RESET_STATES = ['requested', 'approved', 'done', 'canceled', 'stopped', 'expired'] as const;
export type FactorResetState = (typeof FACTOR_RESET_STATES)[number];

/** What a list can be filtered by: a state, or `open` for both open ones. */
export const FACTOR_RESET_FILTERS = ['open', ...FACTOR_RESET_STATES] as const;
export type FactorResetFilter = (typeof FACTOR_RESET_FILTERS)[number];

/** Seconds after the request in which the user can stop the reset. */
export const NOTICE_SECONDS = DAY;
/** Seconds after which a request expires if it is not approved. */
export const APPROVAL_SECONDS = 7 * DAY;

/**
 * A request of an operator to reset the lost second factor of a user. It needs the approval of
 * another operator and a day in which the user can stop it. A user has at most one open request.
 */
@Entity('factor_resets')
@Check('factor_resets_state_check', `state IN ('requested', 'approved', 'done', 'canceled', 'stopped', 'expired')`)
@Check(
  'factor_resets_second_operator_check',
  'approved_by <> requested_by AND approved_by <> user_id AND requested_by <> user_id',
)
@Index('factor_resets_open_key', ['userId'], { unique: true, where: 'closed_at IS NULL' })
@Index('factor_resets_user_id_id_idx', ['userId', 'id'])
@Index('factor_resets_state_id_idx', ['state', 'id'])
export class FactorReset {
  /** It contains the time of the request. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'factor_resets_pkey' }) readonly id!: string;
  @ForeignKey(() => User, { name: 'factor_resets_user_id_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', update: false })
  readonly userId!: string;
  @Column({ type: 'text', update: false }) readonly reason!: string;
  @Column('text') state!: FactorResetState;
  @Column({ type: 'uuid', update: false }) readonly requestedBy!: string;
  @Column({ type: 'timestamptz', update: false }) readonly requestedAt!: Date;
  @Column('uuid', { nullable: true }) approvedBy!: string | null;
  @Column('timestamptz', { nullable: true }) approvedAt!: Date | null;
  /** Who canceled or stopped it; null if the service closed it. */
  @Column('uuid', { nullable: true }) closedBy!: string | null;
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;

  /** SECOND_OPERATOR_REQUIRED for the operator's own factor. @param by the operator */
  static request(
    userId: string,
    reason: string,
    by: string,
    now: Date,
  ): Result<FactorReset, 'SECOND_OPERATOR_REQUIRED'> {
    if (by === userId) return err(FactorFailures.ownFactorReset);
    return ok(
      Object.assign(new FactorReset(), {
        id: newIdAt(now),
        userId,
        reason,
        state: 'requested' as const,
        requestedBy: by,
        requestedAt: now,
        approvedBy: null,
        approvedAt: null,
        closedBy: null,
        closedAt: null,
      }),
    );
  }

  /**
   * SECOND_OPERATOR_REQUIRED for the operator who requested it, and for the user.
   * @param by the operator
   */
  approve(by: string, now: Date): Result<void, 'CONFLICT' | 'SECOND_OPERATOR_REQUIRED'> {
    if (by === this.userId) return err(FactorFailures.ownFactorReset);
    if (by === this.requestedBy) return err(FactorFailures.secondOperatorRequired);
    if (this.state !== 'requested' || expiresAt(this) <= now) return err(FactorFailures.resetNotWaiting);
    this.state = 'approved';
    this.approvedBy = by;
    this.approvedAt = now;
    return ok();
  }

  /** @param by the operator */
  cancel(by: string, now: Date): Result<void, 'CONFLICT'> {
    if (this.closedAt) return err(FactorFailures.resetClosed);
    this.close('canceled', by, now);
    return ok();
  }

  /** The user stops an open request. */
  stop(now: Date): void {
    this.close('stopped', this.userId, now);
  }

  /** @returns false unless it is approved and the user had time to stop it */
  complete(now: Date): boolean {
    if (this.state !== 'approved' || dueAt(this) > now) return false;
    this.close('done', null, now);
    return true;
  }

  private close(state: FactorResetState, by: string | null, now: Date): void {
    this.state = state;
    this.closedBy = by;
    this.closedAt = now;
  }
}

/** When an approved reset happens at the earliest. */
export const dueAt = ({ requestedAt }: Pick<FactorReset, 'requestedAt'>): Date =>
  addSeconds(requestedAt, NOTICE_SECONDS);

/** When the request expires unless it was approved. */
export const expiresAt = ({ requestedAt }: Pick<FactorReset, 'requestedAt'>): Date =>
  addSeconds(requestedAt, APPROVAL_SECONDS);
