import { renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import { onDay, type BillingMailFacts } from './billing-mail';

/** Tells an Owner that the trial is about to end, and what happens then. */
export function trialEndingMail(
  { name, tenantName, plan, endsAt }: BillingMailFacts,
  billingUrl: string,
): RenderedMail {
  return renderMail({
    subject: `The trial of ${tenantName} is about to end`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `The trial of the ${plan} plan for ${tenantName} ends${onDay(endsAt)}. From then on the plan is charged to your payment method.`,
      'If you do not want to go on, cancel before that day: nothing is charged then.',
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: 'You receive this because you own this workspace.',
  });
}
