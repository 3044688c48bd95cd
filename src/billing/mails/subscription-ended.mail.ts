import { renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import { onDay, type BillingMailFacts } from './billing-mail';

/** Tells an Owner that the subscription has ended. */
export function subscriptionEndedMail(
  { name, tenantName, plan, endsAt }: BillingMailFacts,
  billingUrl: string,
): RenderedMail {
  return renderMail({
    subject: `The subscription of ${tenantName} has ended`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `The ${plan} plan of ${tenantName} ended${onDay(endsAt)}. The workspace is on the Free plan now, and nothing is charged any more.`,
      'You can choose a plan again at any time.',
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: 'You receive this because you own this workspace.',
  });
}
