import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Deferrable } from '../../platform/jobs';
import { Mail } from '../../platform/mail';
import { ok, type Result } from '../../platform/result';
import { PROVIDER_NAMES, type Provider } from '../../users/users.contract';
import { providerLinkedMail } from '../mails/provider-linked.mail';

/** Tells a person that an identity provider was linked to their account (contract section 11, Providers). */
@Deferrable('send-provider-linked-mail')
export class SendProviderLinkedMail extends Command<Result> {
  constructor(
    readonly email: string,
    readonly name: string,
    readonly provider: Provider,
  ) {
    super();
  }
}

@CommandHandler(SendProviderLinkedMail)
export class SendProviderLinkedMailHandler implements ICommandHandler<SendProviderLinkedMail> {
  constructor(
    private readonly mail: Mail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email, name, provider }: SendProviderLinkedMail): Promise<Result> {
    const recipient = { address: email, purpose: 'provider-linked', isNew: false };
    await this.mail.send(recipient, () => providerLinkedMail(name, PROVIDER_NAMES[provider], `${this.settings.frontendUrl}/account`));
    return ok();
  }
}
