import { Injectable } from '@nestjs/common';
import { recordsOf } from '../../../platform/database/entity-records';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { BillingDay } from '../domain/billing-day';

const KEY = ['day', 'plan', 'currency'];
const RECORDED = ['recorded_at', 'active', 'past_due', 'trialing', 'unpriced', 'mrr', 'past_due_mrr', 'trial_mrr'];
const MOVED = ['trials_started', 'conversions', 'churned', 'churned_unpriced', 'churned_mrr'];

const ROWS = recordsOf(BillingDay);
const ADDED = [...KEY, ...MOVED].join(', ');
const SUMS = [...KEY, ...MOVED.map((column) => `sum(${column})`)].join(', ');
const SUMMED = MOVED.map((column) => `${column} = d.${column} + excluded.${column}`).join(', ');

/** One row for each plan and currency, in one order, so that two transactions do not deadlock. */
const ADD = `
  INSERT INTO billing_days AS d (${ADDED})
  SELECT ${SUMS} FROM ${ROWS.rowsOf('$1')} GROUP BY ${KEY.join(', ')} ORDER BY ${KEY.join(', ')}
  ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET ${SUMMED}`;

/** The order of ADD. */
const byKey = (one: BillingDay, other: BillingDay) => (keyOf(one) < keyOf(other) ? -1 : 1);
const keyOf = ({ day, plan, currency }: BillingDay) => `${day} ${plan} ${currency}`;

/** Revenue by day, in PostgreSQL. */
@Injectable()
export class BillingDayRepository extends EntityRepository<BillingDay> {
  constructor(unitOfWork: UnitOfWork) {
    super(BillingDay, unitOfWork);
  }

  /** Stores the subscriptions of a day, in place of what was recorded of it before. */
  async record(rows: readonly BillingDay[]): Promise<void> {
    await this.rows.createQueryBuilder().insert().values(rows.toSorted(byKey)).orUpdate(RECORDED, KEY).execute();
  }

  /** Adds movements to their day, together with the next statement or COMMIT. */
  add(movements: readonly BillingDay[]): Promise<void> {
    return this.unitOfWork.write(ADD, [ROWS.parameter(movements)]);
  }
}
