import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../catalogue/domain/plan-catalogue';
import { PLANS, type Plan } from '../../entitlements/domain/plan';
import { currencyOf, type RevenueLine } from './revenue-line';
import type { RevenueMovement } from './revenue-movement';

const KEY = 'billing_days_pkey';
/** ISO 4217 for no currency. */
const NO_CURRENCY = 'xxx';
const NO_STOCK = { active: 0, pastDue: 0, trialing: 0, unpriced: 0, mrr: 0, pastDueMrr: 0, trialMrr: 0 };
const NO_MOVEMENT = { trialsStarted: 0, conversions: 0, churned: 0, churnedUnpriced: 0, churnedMrr: 0 };

/**
 * Revenue of a day (UTC) in one plan and currency: the subscriptions as they were last recorded on
 * that day, and the movements of the whole day, which each change adds in its own transaction.
 */
@Entity('billing_days')
export class BillingDay {
  @PrimaryColumn('date', { primaryKeyConstraintName: KEY }) readonly day!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: KEY }) readonly plan!: Plan;
  @PrimaryColumn('text', { primaryKeyConstraintName: KEY }) readonly currency!: string;
  /** Null: the day has movements, but its subscriptions were not recorded. */
  @Column('timestamptz', { nullable: true }) readonly recordedAt!: Date | null;
  @Column('integer', { default: 0 }) readonly active!: number;
  @Column('integer', { default: 0 }) readonly pastDue!: number;
  @Column('integer', { default: 0 }) readonly trialing!: number;
  @Column('integer', { default: 0 }) readonly unpriced!: number;
  @Column('integer', { default: 0 }) readonly trialsStarted!: number;
  @Column('integer', { default: 0 }) readonly conversions!: number;
  @Column('integer', { default: 0 }) readonly churned!: number;
  @Column('integer', { default: 0 }) readonly churnedUnpriced!: number;
  /** Amounts are texts, as the driver reads a bigint. */
  @Column('bigint', { default: 0 }) readonly mrr!: string;
  @Column('bigint', { default: 0 }) readonly pastDueMrr!: string;
  @Column('bigint', { default: 0 }) readonly trialMrr!: string;
  @Column('bigint', { default: 0 }) readonly churnedMrr!: string;

  /** The subscriptions at a time. */
  static recorded(line: RevenueLine, now: Date): BillingDay {
    return BillingDay.of(dayOf(now), line.currency, { ...line, ...NO_MOVEMENT, recordedAt: now });
  }

  /** A movement at a time. */
  static moved(movement: RevenueMovement, now: Date): BillingDay {
    return BillingDay.of(dayOf(now), movement.currency, { ...NO_STOCK, ...movement, recordedAt: null });
  }

  private static of(
    day: string,
    currency: Currency | null,
    { mrr, pastDueMrr, trialMrr, churnedMrr, ...rest }: Values,
  ) {
    const amounts = { mrr, pastDueMrr, trialMrr, churnedMrr };
    const texts = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]));
    return Object.assign(new BillingDay(), { ...rest, ...texts, day, currency: currency ?? NO_CURRENCY });
  }
}

type Values = RevenueLine & RevenueMovement & Pick<BillingDay, 'recordedAt'>;

/** The day of a time, in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The currency of a stored row. */
export const storedCurrency = ({ currency }: Pick<BillingDay, 'currency'>): Currency | null => currencyOf(currency);

/** More rows than a day can have, in today's plans and currencies. */
export const MAX_ROWS_PER_DAY = PLANS.length * 10;
