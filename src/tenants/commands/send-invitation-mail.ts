import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Job, Jobs } from '../../platform/jobs/jobs';
import type { RenderedMail } from '../../platform/mail/mail-template';
import { Mailer } from '../../platform/mail/mailer';
import { mailCause } from '../../platform/mail/mail-cause';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { InvitationRepository } from '../data/invitation.repository';
import { invitationMail, newcomerInvitationMail } from '../mails/invitation.mail';

/**
 * Mails the link of an invitation that still waits. The token is made here, so that no secret lies
 * in the queue.
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
 * Has the mail of an invitation sent, soon after the running transaction commits.
 * @param pause seconds before it is tried
 */
export const mailInvitation = (jobs: Jobs, tenantId: string, invitationId: string, pause = 0): Promise<void> =>
  jobs.enqueue(new SendInvitationMail(tenantId, invitationId), `invitation:${invitationId}`, pause);

@CommandHandler(SendInvitationMail)
export class SendInvitationMailHandler implements ICommandHandler<SendInvitationMail> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ tenantId, invitationId }: SendInvitationMail): Promise<Result> {
    const invited = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.invitations.findInvited(tenantId, invitationId)),
    );
    if (!invited.ok || !invited.value) return ok(); // the tenant was deleted meanwhile, or the invitation taken back
    const { address, isNew, invitedBy } = invited.value;
    const sent = await this.mailer.send({ address, purpose: 'invitation', isNew, cause: mailCause(invitedBy) }, () =>
      this.write(tenantId, invitationId, isNew),
    );
    if (sent.outcome === 'postponed') await mailInvitation(this.jobs, tenantId, invitationId, sent.seconds);
    return ok();
  }

  /**
   * Who has never signed in reads nothing that a stranger wrote: anybody can invite any address.
   */
  private async write(tenantId: string, invitationId: string, isNew: boolean): Promise<RenderedMail> {
    const issued = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.invitations.issueToken(tenantId, invitationId)),
    );
    if (!issued.ok || !issued.value) throw new Error('The invitation was taken back while its mail was being written.');
    const { token, ...what } = issued.value;
    const url = `${this.settings.frontendUrl}/invitation#token=${token}`;
    return isNew ? newcomerInvitationMail(url) : invitationMail(what, url);
  }
}
