import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import { FOOTNOTE, onDay, type BillingMailFacts } from './billing-mail';

/** Reminds the Owner that the trial is about to end. */
export function trialEndingMail(
  { name, tenantName, plan, endsAt }: BillingMailFacts,
  billingUrl: string,
): RenderedMail {
  return renderMail({
    subject: `Your trial for ${tenantName} ends soon`,
    greeting: greeting(name),
    paragraphs: [
      `The free trial of the ${plan} plan for ${tenantName} ends${onDay(endsAt)}.`,
      'Your payment method is charged after that. If you do not want to continue, cancel before the trial ends.',
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: FOOTNOTE,
  });
}
