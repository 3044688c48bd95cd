import { Subscription } from './subscription';

/** The subscription of a tenant that becomes a Stripe customer. */
export function freeSubscription(tenantId: string, now: Date): Subscription {
  const terms = {
    plan: 'Free',
    status: 'Active',
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    trialEndsAt: null,
  };
  const stripe = { processorCustomerId: null, processorSubscriptionId: null, processorStatus: null };
  const times = { updatedAt: now, subscriptionCreatedAt: null, asOf: null, asOfReading: false };
  const notices = { hadTrial: false, pastDueNotified: false, notifiedTrialEnd: null };
  const invoice = { openInvoiceId: null, openInvoiceAt: null };
  const leases = { checkoutLeaseUntil: null, syncLeaseAt: null };
  const fields = { tenantId, ...terms, ...stripe, ...times, ...notices, ...invoice, ...leases };
  return Object.assign(new Subscription(), fields).trackChanges();
}
