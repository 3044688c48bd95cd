import { renderMail, type RenderedMail } from '../../platform/mail/mail-template';
import { onDay, type BillingMailFacts } from './billing-mail';

/** Tells an Owner that the subscription will end by itself. */
export function cancellationPlannedMail(
  { name, tenantName, plan, endsAt }: BillingMailFacts,
  billingUrl: string,
): RenderedMail {
  return renderMail({
    subject: `The subscription of ${tenantName} will end`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `The ${plan} plan of ${tenantName} was canceled. It ends${onDay(endsAt)}, and everything works as before until then.`,
      'After that the workspace is on the Free plan. You can take the cancellation back until it ends.',
    ],
    action: { label: 'View billing', url: billingUrl },
    footnote: 'You receive this because you own this workspace.',
  });
}
