import type { Client } from 'pg';
import type Stripe from 'stripe';
import type { MailInbox } from '../mail-inbox';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import { groupBy } from './group-by';
import type { ChaosTenant } from './tenant-seed';

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
const MAILS = { 'The payment for Chaos failed': 'past_due', 'The payment for Chaos succeeded': 'active' } as const;

/**
 * What is wrong at the end of a run: said by the processor's own books, not by the service's code.
 */
export async function verdict(
  processor: StripeStandIn,
  ledger: Ledger,
  database: Client,
  inbox: MailInbox,
  tenants: readonly ChaosTenant[],
): Promise<string[]> {
  const wrong: string[] = [];
  const local = new Map((await inEveryTenant<LocalSubscription>(database, LOCAL)).map((row) => [row.tenantId, row]));
  const customersOf = groupBy(processor.customers(), ({ metadata }) => metadata.tenantId);
  const subscriptionsOf = groupBy(processor.subscriptions(), ({ metadata }) => metadata.tenantId);
  const sessionsOf = groupBy(processor.openSessions(), ({ client_reference_id }) => client_reference_id ?? '');
  for (const { id, email } of tenants) {
    const customers = customersOf.get(id) ?? [];
    if (customers.length > 1) wrong.push(`Tenant ${id} has ${customers.length} customers.`);
    const open = sessionsOf.get(id) ?? [];
    if (open.length > 1) wrong.push(`Tenant ${id} has ${open.length} open checkouts.`);
    const differences = compare(expected(id, subscriptionsOf.get(id) ?? []), local.get(id));
    if (differences) wrong.push(`Tenant ${id}: ${differences}`);
    for (const [subject, status] of Object.entries(MAILS)) {
      const mails = new Set(
        inbox.mails.filter((mail) => mail.to === email && mail.subject === subject).map(({ messageId }) => messageId),
      ).size;
      const most = ledger.transitions(id, status);
      if (mails > most) wrong.push(`${email} got "${subject}" ${mails} times for ${most} transitions.`);
    }
  }
  return wrong;
}

/** The subscription that counts: the one that lives, else the newest. */
function expected(tenantId: string, own: Stripe.Subscription[]): Stripe.Subscription | undefined {
  const live = own.filter(({ status }) => status !== 'canceled');
  if (live.length > 1) throw new Error(`Tenant ${tenantId} has ${live.length} subscriptions that live.`);
  return live[0] ?? own.sort((one, other) => other.created - one.created)[0];
}

function compare(
  subscription: Stripe.Subscription | undefined,
  row: LocalSubscription | undefined,
): string | undefined {
  if (!subscription)
    return !row || (row.plan === 'Free' && row.subscriptionId === null)
      ? undefined
      : `nothing at the processor, ${JSON.stringify(row)} here`;
  const [item] = subscription.items.data;
  const isPaused = subscription.status === 'active' && subscription.pause_collection !== null;
  const there = {
    customerId: subscription.customer,
    subscriptionId: subscription.id,
    plan: PLANS[item.price.id],
    status: isPaused ? 'Paused' : STATUSES[subscription.status],
    periodEnd: item.current_period_end,
    cancelAtPeriodEnd:
      subscription.status !== 'canceled' && (subscription.cancel_at_period_end || subscription.cancel_at !== null),
  };
  const here = row ?? ({} as LocalSubscription);
  const differing = Object.entries(there).filter(([name, value]) => here[name as keyof LocalSubscription] !== value);
  return differing.length === 0
    ? undefined
    : `${JSON.stringify(Object.fromEntries(differing))} at the processor, ${JSON.stringify(here)} here`;
}

/**
 * How often subscriptions became past due, and active again after it; by all events, the lost ones
 * too.
 */
export class Ledger {
  private readonly seen = new Set<string>();
  private readonly counts = new Map<string, number>();
  private readonly owing = new Set<string>();

  constructor(private readonly processor: StripeStandIn) {}

  /** To be done more often than the processor forgets its events. */
  read(): void {
    for (const event of this.processor.events()) {
      if (this.seen.has(event.id)) continue;
      this.seen.add(event.id);
      if (event.type === 'customer.subscription.updated') this.count(event.data);
    }
  }

  get events(): number {
    return this.seen.size;
  }

  transitions(tenantId: string, status: 'past_due' | 'active'): number {
    return this.counts.get(`${tenantId} ${status}`) ?? 0;
  }

  /** Whoever is past due may be paused before it is active again. */
  private count({ object, previous_attributes }: { object: Stripe.Subscription; previous_attributes?: object }): void {
    const { id, status, metadata } = object;
    const isNew = (previous_attributes as { status?: string } | undefined)?.status !== undefined;
    const isServed = status === 'active' || status === 'trialing';
    if (isNew && status === 'past_due') {
      this.add(`${metadata.tenantId} past_due`);
      this.owing.add(id);
    } else if (isServed && this.owing.delete(id)) this.add(`${metadata.tenantId} active`);
  }

  private add(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}

/** Rows of all tenants, as the service's own role sees them. */
export async function inEveryTenant<Row extends object>(database: Client, sql: string): Promise<Row[]> {
  await database.query(`BEGIN; SET LOCAL app.across_tenants = 'on'`);
  const { rows } = await database.query<Row>(sql);
  await database.query('COMMIT');
  return rows;
}
