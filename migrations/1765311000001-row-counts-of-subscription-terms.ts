import { RowCountsOf } from './parts/row-counts-of';

const TERMS = 'status processor_status plan price_id currency seats discount_percent discount_amount'.split(' ');

/** The terms as a JSON list, which src/billing/revenue/domain/counted-terms.ts reads. */
const state = (r: string) => `
  CASE WHEN ${r}.processor_subscription_id IS NOT NULL AND ${r}.status IN ('Active', 'PastDue', 'Trialing')
    THEN jsonb_build_array(${TERMS.map((column) => `${r}.${column}`).join(', ')})::text END`;

/** Counts subscriptions by what they pay, so that revenue is known without reading all of them. */
export class RowCountsOfSubscriptionTerms1765311000001 extends RowCountsOf {
  protected readonly counted = {
    table: 'subscriptions',
    name: 'subscription_terms',
    triggers: 'subscription_terms',
    state,
    columns: `processor_subscription_id, ${TERMS.join(', ')}`,
  };
}
