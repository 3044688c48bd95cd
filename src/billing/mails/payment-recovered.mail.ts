import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import { FOOTNOTE, type BillingMailFacts } from './billing-mail';

/** Tells the Owner that a payment succeeded after a failed one. */
export function paymentRecoveredMail({ name, tenantName, plan }: BillingMailFacts, billingUrl: string): RenderedMail {
  return renderMail({
    subject: `Payment received for ${tenantName}`,
    greeting: greeting(name),
    paragraphs: [
      `We have received the payment that had failed. The ${plan} plan of ${tenantName} continues.`,
      'There is nothing left for you to do.',
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: FOOTNOTE,
  });
}
