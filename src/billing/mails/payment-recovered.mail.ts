import { renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import type { BillingMailFacts } from './billing-mail';

/** Tells an Owner that the payment that was missing has come. */
export function paymentRecoveredMail({ name, tenantName, plan }: BillingMailFacts, billingUrl: string): RenderedMail {
  return renderMail({
    subject: `The payment for ${tenantName} succeeded`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `The payment that had failed has now been made. ${tenantName} goes on with the ${plan} plan, and there is nothing left to do.`,
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: 'You receive this because you own this workspace.',
  });
}
