import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import { FOOTNOTE, onDay, type BillingMailFacts } from './billing-mail';

/** Tells the Owner that a cancellation is scheduled. */
export function cancellationPlannedMail(
  { name, tenantName, plan, endsAt }: BillingMailFacts,
  billingUrl: string,
): RenderedMail {
  return renderMail({
    subject: `Your subscription for ${tenantName} will end`,
    greeting: greeting(name),
    paragraphs: [
      `The ${plan} plan of ${tenantName} has been canceled. It stays active until it ends${onDay(endsAt)}.`,
      'The workspace then moves to the Free plan. You can resume the subscription at any time before that.',
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: FOOTNOTE,
  });
}
