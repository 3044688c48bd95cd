import { renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import type { BillingMailFacts } from './billing-mail';

/** Tells an Owner that a charge failed, and where to mend it. */
export function paymentFailedMail({ name, tenantName, plan }: BillingMailFacts, billingUrl: string): RenderedMail {
  return renderMail({
    subject: `The payment for ${tenantName} failed`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `We could not charge the payment method of ${tenantName} for the ${plan} plan.`,
      'Nothing is switched off yet, and the charge will be tried again in the next days. Please check that the card is still valid.',
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: 'You receive this because you own this workspace. When a payment succeeds, we tell you so.',
  });
}
