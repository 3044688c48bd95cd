import type { Client } from 'pg';
import type Stripe from 'stripe';
import type { MailInbox } from '../mail-inbox';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import type { ChangeLedger } from './change-ledger';
import { countingOne, expectedRow, openScheduleOf, subscriptionsAtStripe } from './expected-subscription';
import { groupBy } from './group-by';
import { mailProblems } from './mail-assertions';
import { memberCounts, subscriptionRows, type SubscriptionRow } from './subscription-row';
import type { ChaosTenant } from './tenant-seed';
import type { TransitionLedger } from './transition-ledger';

/** Statuses in which Stripe bills the seats. A paused subscription follows when it continues. */
const BILLED = ['active', 'trialing', 'past_due'];

/** The two sides that must agree. */
export interface Sides {
  readonly processor: StripeStandIn;
  readonly stripe: Stripe;
  readonly database: Client;
  readonly inbox: MailInbox;
  readonly transitions: TransitionLedger;
  readonly changes: ChangeLedger;
}

/**
 * Compares the subscriptions, seats, customers, checkouts, changes and mails of the service with
 * the data of the stand-in for Stripe.
 * @returns a sentence for each difference
 */
export async function findProblems(sides: Sides, tenants: readonly ChaosTenant[]): Promise<string[]> {
  const { processor, stripe, database, inbox, transitions, changes } = sides;
  const [rows, members] = [await subscriptionRows(database), await memberCounts(database)];
  const subscriptionsOf = groupBy(await subscriptionsAtStripe(stripe), ({ metadata }) => metadata.tenantId);
  const customersOf = groupBy(processor.customers(), ({ metadata }) => metadata.tenantId);
  const sessionsOf = groupBy(processor.openSessions(), ({ client_reference_id }) => client_reference_id ?? '');
  const problems = tenants.flatMap(({ id }) => {
    const subscription = countingOne(id, subscriptionsOf.get(id) ?? []);
    return [
      tooMany('customers', customersOf.get(id)),
      tooMany('open checkouts', sessionsOf.get(id)),
      difference(subscription, rows.get(id)),
      subscription && wrongSeats(subscription, members.get(id)!),
      subscription && emptySchedule(subscription, changes.wasInterrupted(id)),
    ].flatMap((problem) => (problem ? `Tenant ${id}: ${problem}` : []));
  });
  return [...problems, ...changes.problems(), ...mailProblems(inbox, transitions, tenants)];
}

function tooMany(what: string, found: readonly unknown[] = []): string | undefined {
  return found.length > 1 ? `has ${found.length} ${what}` : undefined;
}

function difference(
  subscription: Stripe.Subscription | undefined,
  row: SubscriptionRow | undefined,
): string | undefined {
  if (!subscription)
    return !row || (row.plan === 'Free' && row.subscriptionId === null)
      ? undefined
      : `no subscription at Stripe, ${JSON.stringify(row)} in the database`;
  const expected = Object.entries(expectedRow(subscription));
  const differing = expected.filter(([name, value]) => row?.[name as keyof SubscriptionRow] !== value);
  return differing.length === 0
    ? undefined
    : `${JSON.stringify(Object.fromEntries(differing))} at Stripe, ${JSON.stringify(row)} in the database`;
}

function wrongSeats({ id, status, items }: Stripe.Subscription, members: number): string | undefined {
  const { quantity } = items.data[0];
  return BILLED.includes(status) && quantity !== members
    ? `${id} bills ${quantity} seats for ${members} members`
    : undefined;
}

/** A schedule without a next phase is left only if a request ended between two calls to Stripe. */
function emptySchedule(subscription: Stripe.Subscription, wasInterrupted: boolean): string | undefined {
  const schedule = openScheduleOf(subscription);
  return schedule?.phases.length === 1 && !wasInterrupted ? `${schedule.id} plans nothing` : undefined;
}
