import type { Client } from 'pg';
import type Stripe from 'stripe';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../src/platform/database/tenant-scope';
import type { MailInbox } from '../mail-inbox';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import { groupBy } from './group-by';
import type { ChaosTenant } from './tenant-seed';
import type { TransitionLedger } from './transition-ledger';

interface LocalSubscription {
  readonly tenantId: string;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly plan: string;
  readonly status: string;
  readonly periodEnd: number | null;
  readonly cancelAtPeriodEnd: boolean;
}

const LOCAL = `
  SELECT tenant_id AS "tenantId", processor_customer_id AS "customerId",
    processor_subscription_id AS "subscriptionId", plan, status,
         extract(epoch FROM current_period_end)::float8 AS "periodEnd", cancel_at_period_end AS "cancelAtPeriodEnd"
    FROM subscriptions`;

const PLANS: Record<string, string> = { price_pro_monthly: 'Pro', price_business_monthly: 'Business' };
const STATUSES: Record<string, string> = {
  trialing: 'Trialing',
  active: 'Active',
  past_due: 'PastDue',
  paused: 'Paused',
  canceled: 'Canceled',
};
const MAILS = { 'Payment failed for Chaos': 'past_due', 'Payment received for Chaos': 'active' } as const;

/**
 * Compares the subscriptions, customers, checkouts and mails of the service with the data of the
 * stand-in for Stripe.
 * @returns a sentence for each difference
 */
export async function findProblems(
  processor: StripeStandIn,
  ledger: TransitionLedger,
  database: Client,
  inbox: MailInbox,
  tenants: readonly ChaosTenant[],
): Promise<string[]> {
  const problems: string[] = [];
  const local = new Map((await queryAllTenants<LocalSubscription>(database, LOCAL)).map((row) => [row.tenantId, row]));
  const customersOf = groupBy(processor.customers(), ({ metadata }) => metadata.tenantId);
  const subscriptionsOf = groupBy(processor.subscriptions(), ({ metadata }) => metadata.tenantId);
  const sessionsOf = groupBy(processor.openSessions(), ({ client_reference_id }) => client_reference_id ?? '');
  for (const { id, email } of tenants) {
    const customers = customersOf.get(id) ?? [];
    if (customers.length > 1) problems.push(`Tenant ${id} has ${customers.length} customers.`);
    const open = sessionsOf.get(id) ?? [];
    if (open.length > 1) problems.push(`Tenant ${id} has ${open.length} open checkouts.`);
    const differences = compare(expected(id, subscriptionsOf.get(id) ?? []), local.get(id));
    if (differences) problems.push(`Tenant ${id}: ${differences}`);
    for (const [subject, status] of Object.entries(MAILS)) {
      const mails = new Set(
        inbox.mails.filter((mail) => mail.to === email && mail.subject === subject).map(({ messageId }) => messageId),
      ).size;
      const most = ledger.transitions(id, status);
      if (mails > most) problems.push(`${email} got "${subject}" ${mails} times for ${most} transitions.`);
    }
  }
  return problems;
}

/** The subscription that counts: the live one, otherwise the newest. */
function expected(tenantId: string, own: Stripe.Subscription[]): Stripe.Subscription | undefined {
  const live = own.filter(({ status }) => status !== 'canceled');
  if (live.length > 1) throw new Error(`Tenant ${tenantId} has ${live.length} live subscriptions.`);
  return live[0] ?? own.sort((one, other) => other.created - one.created)[0];
}

function compare(
  subscription: Stripe.Subscription | undefined,
  row: LocalSubscription | undefined,
): string | undefined {
  if (!subscription)
    return !row || (row.plan === 'Free' && row.subscriptionId === null)
      ? undefined
      : `no subscription at Stripe, ${JSON.stringify(row)} in the database`;
  const [item] = subscription.items.data;
  const isPaused = subscription.status === 'active' && subscription.pause_collection !== null;
  const expectedRow = {
    customerId: subscription.customer,
    subscriptionId: subscription.id,
    plan: PLANS[item.price.id],
    status: isPaused ? 'Paused' : STATUSES[subscription.status],
    periodEnd: item.current_period_end,
    cancelAtPeriodEnd:
      subscription.status !== 'canceled' && (subscription.cancel_at_period_end || subscription.cancel_at !== null),
  };
  const actual = row ?? ({} as LocalSubscription);
  const differing = Object.entries(expectedRow).filter(
    ([name, value]) => actual[name as keyof LocalSubscription] !== value,
  );
  return differing.length === 0
    ? undefined
    : `${JSON.stringify(Object.fromEntries(differing))} at Stripe, ${JSON.stringify(actual)} in the database`;
}

/** Runs a query across all tenants with the role of the service. */
export async function queryAllTenants<Row extends object>(database: Client, sql: string): Promise<Row[]> {
  await database.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}`);
  const { rows } = await database.query<Row>(sql);
  await database.query('COMMIT');
  return rows;
}
