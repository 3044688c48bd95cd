import { MailDefinition } from '../../platform/mail/mail-definition';
import type { MailReader } from '../../platform/mail/mail-helpers';
import type { Plan } from '../entitlements/domain/plan';

/** The data of an email about a subscription. */
export interface BillingMailFacts {
  /** The Owner's name. */
  readonly name: string;
  /** Missing in jobs that were enqueued before the link named its tenant. */
  readonly tenantId?: string;
  readonly tenantName: string;
  readonly plan: Plan;
  /**
   * When the subscription or its trial ends or has ended: ISO 8601, from the payload of the job.
   */
  readonly endsAt: string | null;
  /** What was refunded, such as `29.00 USD`. */
  readonly amount?: string;
  /** How the Owner reads dates. */
  readonly reader?: MailReader;
}

type BillingMailVariables = Omit<BillingMailFacts, 'tenantId' | 'reader'> & { readonly url: string };

const mail = (template: string, subject: (variables: BillingMailVariables) => string) =>
  new MailDefinition<BillingMailVariables>({
    template: `billing/mails/${template}`,
    subject,
    sample: {
      name: 'Ada Lovelace',
      tenantName: 'Analytical Engines',
      plan: 'Pro',
      endsAt: '2026-03-01T09:30:00.000Z',
      amount: '29.00 USD',
      url: 'https://example.com/billing?tenant=00000000-0000-4000-8000-000000000001',
    },
  });

/** The emails to the Owner about the subscription. Waiting jobs store these names. */
export const BILLING_MAILS = {
  SubscriptionPastDue: mail('payment-failed', ({ tenantName }) => `Payment failed for ${tenantName}`),
  PaymentRecovered: mail('payment-recovered', ({ tenantName }) => `Payment received for ${tenantName}`),
  SubscriptionCanceled: mail(
    'cancellation-planned',
    ({ tenantName }) => `Your subscription for ${tenantName} will end`,
  ),
  SubscriptionEnded: mail('subscription-ended', ({ tenantName }) => `Your subscription for ${tenantName} has ended`),
  PaymentRefunded: mail('payment-refunded', ({ tenantName }) => `Your payment for ${tenantName} was refunded`),
  TrialEnding: mail('trial-ending', ({ tenantName }) => `Your trial for ${tenantName} ends soon`),
};
