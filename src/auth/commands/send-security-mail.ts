import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Job } from '../../platform/jobs/jobs';
import { tenantLink } from '../../platform/mail/tenant-link';
import { currentContext } from '../../platform/observability/request-context';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { deviceKind } from '../domain/device-kind';
import { SECURITY_MAILS, type ReceiverFacts, type SecurityFacts, type SecurityNotice } from '../mails/security.mail';
import { stopFactorResetUrl } from '../services/mailed-link-urls';
import { OneTimeTokenMailer, type IssueToken } from '../services/one-time-token-mailer';

/** Emails a user about the security of their account, with a link "This was not me". */
@Job('send-security-mail', 'mail')
export class SendSecurityMail extends Command<Result> {
  constructor(
    readonly userId: string,
    readonly notice: SecurityNotice,
    readonly facts: SecurityFacts,
  ) {
    super();
  }
}

/** The facts of a notice besides the time and the device. */
export type SecurityMailDetails = Omit<SecurityFacts, 'at' | 'device'>;

/** The email about something that the running request has done. */
export function securityMailNow(
  userId: string,
  notice: SecurityNotice,
  now: Date,
  details: SecurityMailDetails = {},
): SendSecurityMail {
  const device = deviceKind(currentContext().userAgent);
  return new SendSecurityMail(userId, notice, { at: now.toISOString(), device, ...details });
}

@CommandHandler(SendSecurityMail)
export class SendSecurityMailHandler implements ICommandHandler<SendSecurityMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly oneTimeTokenMailer: OneTimeTokenMailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId, notice, facts }: SendSecurityMail): Promise<Result> {
    const user = await this.users.findById(userId);
    if (!user) return ok();
    const recipient = {
      address: user.email,
      purpose: `security-${notice}`,
      about: facts.what,
      isNew: false,
      reader: user,
    };
    const name = facts.isUnnamed ? undefined : user.name;
    await this.oneTimeTokenMailer.send(user.id, recipient, async (issue) =>
      SECURITY_MAILS[notice].with({
        ...facts,
        device: facts.device,
        where: facts.where,
        name,
        ...(facts.receiver && { who: await this.nameOf(facts.receiver.by) }),
        url: await this.url(notice, facts, issue),
      }),
    );
    return ok();
  }

  /** What the button of the email opens. */
  private async url(notice: SecurityNotice, { receiver }: SecurityFacts, issue: IssueToken): Promise<string> {
    const { frontendUrl } = this.settings;
    if (notice === 'account-secured') return `${frontendUrl}/forgot-password`;
    if (notice === 'service-key-created-by-another' || notice === 'key-leaked') return frontendUrl;
    if (notice === 'receiver-changed-by-another') return pageOf(this.settings, receiver!);
    if (notice === 'factor-reset-requested') return stopFactorResetUrl(this.settings, await issue('factor-keeping'));
    return `${frontendUrl}/secure-account#token=${await issue('securing')}`;
  }

  /** @param userId null: a service account */
  private async nameOf(userId: string | null): Promise<string> {
    if (userId === null) return 'a program with an API key';
    return (await this.users.findById(userId))?.name ?? 'a former user';
  }
}

/** Where a member finds and removes it. */
const pageOf = (settings: Settings, { kind, tenantId }: ReceiverFacts): string =>
  tenantLink(settings, kind === 'An audit stream' ? '/audit-streams' : '/webhooks', tenantId);
