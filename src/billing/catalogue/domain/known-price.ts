import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { PaidPlan } from '../../entitlements/domain/plan';
import type { BillingInterval } from './plan-catalogue';
import type { PriceAmounts } from './plan-price';

/** The plan and interval that a price at Stripe belongs to. */
export interface PriceTerms {
  readonly plan: PaidPlan;
  readonly interval: BillingInterval;
}

/** A price to remember. */
export interface SeenPrice {
  readonly id: string;
  readonly terms: PriceTerms;
  readonly lookupKey: string | null;
  /** Null: the payload does not say them. */
  readonly amounts: PriceAmounts | null;
}

/**
 * A price that was seen as one of a plan. It keeps its plan when its lookup key was transferred to
 * a successor, and when a setting names another price.
 */
@Entity('known_prices')
@Check('known_prices_plan_check', `plan IN ('Pro', 'Business')`)
@Check('known_prices_billing_interval_check', `billing_interval IN ('month', 'year')`)
export class KnownPrice implements PriceTerms {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'known_prices_pkey' }) readonly priceId!: string;
  @Column('text') readonly plan!: PaidPlan;
  @Column('text', { name: 'billing_interval' }) readonly interval!: BillingInterval;
  /** The lookup key that it had when it was first seen; null for the price of a setting. */
  @Column('text', { nullable: true }) readonly lookupKey!: string | null;
  @Column('timestamptz') readonly firstSeenAt!: Date;
  /** Null: the amounts were not read, or are not paid in the billing interval of the terms. */
  @Column('jsonb', { nullable: true }) readonly amounts!: PriceAmounts | null;

  static of({ id, terms, lookupKey, amounts }: SeenPrice, now: Date): KnownPrice {
    const { plan, interval } = terms;
    return Object.assign(new KnownPrice(), { priceId: id, plan, interval, lookupKey, firstSeenAt: now, amounts });
  }
}
