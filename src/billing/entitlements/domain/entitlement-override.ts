import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { invalid, PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { Tenant } from '../../../tenants/tenants.api';
import { User } from '../../../users/users.api';
import type { EntitlementGrant, EntitlementValues } from './entitlements';
import type { Plan } from './plan';

/** What an operator gives, until when and why. */
export interface NewOverride extends EntitlementGrant {
  readonly endsAt: Date;
  readonly reason: string;
}

/**
 * What an operator has given to a tenant in place of what its plan allows, until a time
 * (docs/contract.md, Entitlements). Stripe knows nothing of it, so that no sync changes it. An
 * ended one stays until the next, so that its version keeps growing.
 */
@Entity('entitlement_overrides')
@Index('entitlement_overrides_created_by_idx', ['createdBy'])
@Index('entitlement_overrides_ends_at_tenant_id_idx', ['endsAt', 'tenantId'])
@Check('entitlement_overrides_plan_check', `plan IN ('Free', 'Pro', 'Business')`)
export class EntitlementOverride implements EntitlementGrant {
  @ForeignKey(() => Tenant, { name: 'entitlement_overrides_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'entitlement_overrides_pkey' })
  readonly tenantId!: string;
  @Column('text', { nullable: true }) readonly plan!: Plan | null;
  @Column('jsonb') readonly entitlements!: EntitlementValues;
  @Column('timestamptz') endsAt!: Date;
  @Column('text') readonly reason!: string;
  @ForeignKey(() => User, { name: 'entitlement_overrides_created_by_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  readonly createdBy!: string | null;
  @Column('timestamptz') readonly createdAt!: Date;
  /** Greater after each change, so that caches keep the newest. */
  @Column('timestamptz') updatedAt!: Date;

  /**
   * VALIDATION_ERROR if it would give nothing, or has ended already.
   * @param previous the tenant's override so far, which this one replaces
   */
  static create(
    tenantId: string,
    given: NewOverride,
    createdBy: string,
    now: Date,
    previous: EntitlementOverride | null,
  ): Result<EntitlementOverride, 'VALIDATION_ERROR'> {
    const { plan, entitlements, endsAt, reason } = given;
    if ((plan === null || plan === 'Free') && Object.keys(entitlements).length === 0)
      return err(invalid({ entitlements: ['must contain an entitlement, unless a paid plan is given'] }));
    if (endsAt <= now) return err(invalid({ endsAt: ['must be in the future'] }));
    const what = { tenantId, plan, entitlements, endsAt, reason, createdBy };
    const when = { createdAt: now, updatedAt: versionAfter(previous, now) };
    return ok(Object.assign(new EntitlementOverride(), what, when));
  }

  isInForce(now: Date): boolean {
    return now < this.endsAt;
  }

  /** Ends it now. NOT_FOUND if it has ended. */
  end(now: Date): Result<void, 'NOT_FOUND'> {
    if (!this.isInForce(now)) return err(PlatformFailures.notFound);
    this.endsAt = now;
    this.updatedAt = versionAfter(this, now);
    return ok();
  }
}

/** The clock of another instance may be ahead. */
const versionAfter = (previous: Pick<EntitlementOverride, 'updatedAt'> | null, now: Date): Date =>
  new Date(Math.max(now.getTime(), previous ? previous.updatedAt.getTime() + 1 : 0));
