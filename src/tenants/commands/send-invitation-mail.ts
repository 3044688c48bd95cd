import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Job, Jobs } from '../../platform/jobs/jobs';
import type { Mail } from '../../platform/mail/mail-definition';
import type { Recipient } from '../../platform/mail/mail-rate-limits';
import { Mailer } from '../../platform/mail/mailer';
import { mailCauserHash } from '../../platform/mail/mail-causer-hash';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { InvitationDetailsRepository } from '../data/invitation-details.repository';
import { InvitationRepository } from '../data/invitation.repository';
import { InvitationTokens } from '../services/invitation-tokens';
import { TenantsOfUser } from '../data/tenants-of-user';
import { invitationMail } from '../mails/invitation.mail';
import { newcomerInvitationMail } from '../mails/newcomer-invitation.mail';

/**
 * Emails the link of a pending invitation. The token is derived here, so that the queue contains no
 * secret.
 */
@Job('send-invitation-mail', 'mail')
export class SendInvitationMail extends Command<Result> {
  constructor(
    readonly tenantId: string,
    readonly invitationId: string,
  ) {
    super();
  }
}

/**
 * Enqueues the email of an invitation in the running transaction.
 * @param delay seconds before the first attempt
 */
export const mailInvitation = (jobs: Jobs, tenantId: string, invitationId: string, delay = 0): Promise<void> =>
  jobs.enqueue(new SendInvitationMail(tenantId, invitationId), `invitation:${invitationId}`, delay);

/**
 * The recipient of the email of an invitation. The emails of a tenant do not delay those of others,
 * up to the limit that protects the person.
 * @param isNew whether no one has ever signed in with the address
 * @param invitedBy the sender; null if the account was deleted
 */
export const invitationRecipient = (
  tenantId: string,
  address: string,
  isNew: boolean,
  invitedBy: string | null,
): Recipient => ({
  address,
  purpose: 'invitation',
  isNew,
  cause: invitedBy ? mailCauserHash(invitedBy) : undefined,
  sender: mailCauserHash(tenantId),
});

@CommandHandler(SendInvitationMail)
export class SendInvitationMailHandler implements ICommandHandler<SendInvitationMail> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly details: InvitationDetailsRepository,
    private readonly tokens: InvitationTokens,
    private readonly tenantsOfUser: TenantsOfUser,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ tenantId, invitationId }: SendInvitationMail): Promise<Result> {
    const found = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.details.findPending(tenantId, invitationId)),
    );
    if (!found.ok || !found.value) return ok(); // the tenant was deleted or the invitation revoked
    const { invitation, account } = found.value;
    // verification signs in, and signing in requires it
    const isNew = !account?.isEmailVerified;
    const recipient = invitationRecipient(tenantId, invitation.email, isNew, invitation.invitedBy);
    const sent = await this.mailer.send(recipient, () => this.write(tenantId, invitationId, isNew));
    if (sent.outcome === 'postponed') await mailInvitation(this.jobs, tenantId, invitationId, sent.seconds);
    return ok();
  }

  /**
   * Anybody can invite any address, so a recipient who never signed in gets an email without any
   * text that another user chose, and the subject contains some only for who shares a tenant.
   */
  private async write(tenantId: string, invitationId: string, isNew: boolean): Promise<Mail> {
    const token = this.tokens.of(invitationId);
    const found = await this.unitOfWork.inTenant({ tenantId }, async () => {
      const isPending = await this.invitations.storeToken(tenantId, invitationId, token);
      return ok(isPending ? await this.details.findPending(tenantId, invitationId) : undefined);
    });
    const details = found.ok ? found.value : undefined;
    if (!details) throw new Error('The invitation was revoked while its email was being written.');
    const { tenant, role, sender, account } = details;
    const url = `${this.settings.frontendUrl}/invitation#token=${token}`;
    if (isNew) return newcomerInvitationMail.with({ url });
    const isAcquainted = sender !== null && account !== null && (await this.tenantsOfUser.share(sender.id, account.id));
    const names = { name: account?.name ?? null, inviter: sender?.name ?? null };
    return invitationMail.with({ ...names, isAcquainted, tenantName: tenant.name, role: role.name, url });
  }
}
