import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Deferrable } from '../../platform/jobs';
import { Mail } from '../../platform/mail';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { InvitationRepository } from '../data/invitation.repository';
import { invitationMail } from '../mails/invitation.mail';

/** Mails the link of an invitation that still waits. The token is made here, so that no secret lies in the queue. */
@Deferrable('send-invitation-mail')
export class SendInvitationMail extends Command<Result> {
  constructor(
    readonly tenantId: string,
    readonly invitationId: string,
  ) {
    super();
  }
}

@CommandHandler(SendInvitationMail)
export class SendInvitationMailHandler implements ICommandHandler<SendInvitationMail> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly mail: Mail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ tenantId, invitationId }: SendInvitationMail): Promise<Result> {
    const issued = await this.unitOfWork.within({ tenantId }, async () => ok(await this.invitations.issueToken(tenantId, invitationId)));
    if (!issued.ok || !issued.value) return ok(); // the tenant was deleted meanwhile, or the invitation taken back
    const { token, email, ...what } = issued.value;
    await this.mail.send(email, invitationMail(what, `${this.settings.frontendUrl}/invitation#token=${token}`));
    return ok();
  }
}
