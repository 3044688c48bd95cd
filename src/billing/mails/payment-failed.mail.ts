import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import { FOOTNOTE, type BillingMailFacts } from './billing-mail';

/** Tells the Owner that a payment failed. */
export function paymentFailedMail({ name, tenantName, plan }: BillingMailFacts, billingUrl: string): RenderedMail {
  return renderMail({
    subject: `Payment failed for ${tenantName}`,
    greeting: greeting(name),
    paragraphs: [
      `We could not charge your payment method for the ${plan} plan of ${tenantName}.`,
      'Your plan stays active, and we will retry the payment over the next few days.',
      'Please check that your card is still valid.',
    ],
    action: { label: 'Update payment method', url: billingUrl },
    footnote: FOOTNOTE,
  });
}
