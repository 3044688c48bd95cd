import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { newId } from '../../platform/ids';
import { Deferrable, Jobs } from '../../platform/jobs';
import { Mail } from '../../platform/mail';
import { ok, type Result } from '../../platform/result';
import type { TenantOwner } from '../../tenants/tenants.contract';
import type { Plan } from '../domain/plan';
import type { Notice } from '../domain/subscription';
import { paymentFailedMail } from '../mails/payment-failed.mail';
import type { PaymentLetterFacts } from '../mails/payment-letter';
import { paymentRecoveredMail } from '../mails/payment-recovered.mail';

const LETTERS = { SubscriptionPastDue: paymentFailedMail, PaymentRecovered: paymentRecoveredMail };

/** Mails an Owner that a payment failed, or that all is well again; to the address they had when it happened. */
@Deferrable('send-payment-mail')
export class SendPaymentMail extends Command<Result> {
  constructor(
    readonly id: string,
    readonly letter: keyof typeof LETTERS,
    readonly email: string,
    readonly facts: PaymentLetterFacts,
  ) {
    super();
  }

  /** Nothing for what is told in the application only. */
  static about(notice: Notice, { email, name, tenantName }: TenantOwner, plan: Plan): SendPaymentMail[] {
    return notice === 'SubscriptionCanceled' ? [] : [new SendPaymentMail(newId(), notice, email, { name, tenantName, plan })];
  }
}

@CommandHandler(SendPaymentMail)
export class SendPaymentMailHandler implements ICommandHandler<SendPaymentMail> {
  constructor(
    private readonly jobs: Jobs,
    private readonly mail: Mail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ id, letter, email, facts }: SendPaymentMail): Promise<Result> {
    const recipient = { address: email, purpose: letter, about: facts.tenantName, isNew: false };
    const sent = await this.mail.send(recipient, () => LETTERS[letter](facts, `${this.settings.frontendUrl}/billing`), id);
    if (sent.outcome === 'postponed') await this.jobs.later(new SendPaymentMail(id, letter, email, facts), undefined, sent.seconds);
    return ok();
  }
}
