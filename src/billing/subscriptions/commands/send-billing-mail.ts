import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../../config/settings';
import { newId } from '../../../platform/ids';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { Mailer } from '../../../platform/mail/mailer';
import { ok, type Result } from '../../../platform/result';
import { tenantLink } from '../../../platform/mail/tenant-link';
import type { TenantOwner } from '../../../tenants/tenants.api';
import type { Plan } from '../../entitlements/domain/plan';
import type { CustomerDetails } from '../../stripe/stripe-customers';
import type { BillingNotice } from '../domain/billing-notice';
import { BILLING_MAILS, type BillingMailFacts } from '../../mails/billing.mail';

/**
 * Emails the Owner about a change of the subscription, at the address that they had at that moment.
 */
@Job('send-payment-mail', 'mail')
export class SendBillingMail extends Command<Result> {
  constructor(
    readonly id: string,
    /** The kind of email. Waiting jobs store it under this name. */
    readonly letter: keyof typeof BILLING_MAILS,
    readonly email: string,
    readonly facts: BillingMailFacts,
  ) {
    super();
  }

  static about(notice: BillingNotice, owner: TenantOwner, plan: Plan): SendBillingMail {
    const { email, name, tenantId, tenantName, language, timeZone } = owner;
    const template = notice.kind === 'SubscriptionCanceled' && notice.hasEnded ? 'SubscriptionEnded' : notice.kind;
    const endsAt = 'endsAt' in notice ? (notice.endsAt?.toISOString() ?? null) : null;
    return new SendBillingMail(newId(), template, email, {
      name,
      tenantId,
      tenantName,
      plan,
      endsAt,
      reader: { language, timeZone },
    });
  }

  /** To the payer for a deleted tenant, whose Owner may be gone. */
  static aboutRefund({ name, email }: CustomerDetails, amount: string): SendBillingMail {
    const facts = { name: '', tenantName: name ?? 'your workspace', plan: 'Free', endsAt: null, amount } as const;
    return new SendBillingMail(newId(), 'PaymentRefunded', email, facts);
  }
}

@CommandHandler(SendBillingMail)
export class SendBillingMailHandler implements ICommandHandler<SendBillingMail> {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ id, letter, email, facts }: SendBillingMail): Promise<Result> {
    const { reader, ...variables } = facts;
    const about = facts.tenantId ?? facts.tenantName;
    const recipient = { address: email, purpose: letter, about, isNew: false, reader };
    const sent = await this.mailer.send(
      recipient,
      () => BILLING_MAILS[letter].with({ ...variables, url: tenantLink(this.settings, '/billing', facts.tenantId) }),
      id,
    );
    if (sent.outcome === 'postponed')
      await this.jobs.enqueue(new SendBillingMail(id, letter, email, facts), undefined, sent.seconds);
    return ok();
  }
}
