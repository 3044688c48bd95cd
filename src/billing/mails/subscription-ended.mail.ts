import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import { FOOTNOTE, onDay, type BillingMailFacts } from './billing-mail';

/** Tells the Owner that the subscription has ended. */
export function subscriptionEndedMail(
  { name, tenantName, plan, endsAt }: BillingMailFacts,
  billingUrl: string,
): RenderedMail {
  return renderMail({
    subject: `Your subscription for ${tenantName} has ended`,
    greeting: greeting(name),
    paragraphs: [
      `The ${plan} plan of ${tenantName} ended${onDay(endsAt)}.`,
      'The workspace is now on the Free plan, and you will not be charged again. You can choose a plan at any time.',
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: FOOTNOTE,
  });
}
