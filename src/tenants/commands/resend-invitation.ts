import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantPerson } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { Mailer } from '../../platform/mail/mailer';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { InvitationRepository } from '../data/invitation.repository';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { InvitationQuota, type InvitationLimit } from '../services/invitation-quota';
import { SeatLimit } from '../services/seat-limit';
import type { ResentInvitationView } from '../http/views/tenants.views';
import { InvitationResent } from '../tenants.events';
import { invitationRecipient, mailInvitation } from './send-invitation-mail';

/**
 * Sends an invitation again in the caller's name: its link is valid for seven more days, also in
 * emails that were delivered before. NOT_FOUND; PERMISSION_NOT_HELD and RATE_LIMITED as for
 * inviting; LIMIT_REACHED and SEAT_LIMIT if it had expired, because it becomes pending again.
 */
export class ResendInvitation extends Command<
  Result<ResentInvitationView, 'LIMIT_REACHED' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'RATE_LIMITED' | 'SEAT_LIMIT'>
> {
  constructor(
    readonly actor: TenantPerson,
    readonly invitationId: string,
  ) {
    super();
  }
}

@CommandHandler(ResendInvitation)
export class ResendInvitationHandler implements ICommandHandler<ResendInvitation> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly quota: InvitationQuota,
    private readonly seatLimit: SeatLimit,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute(message: ResendInvitation) {
    const { tenantId } = message.actor;
    return this.quota.within(tenantId, (limit) =>
      this.seatLimit.within(tenantId, (seats) => this.resend(message, limit, seats)),
    );
  }

  private resend({ actor, invitationId: id }: ResendInvitation, limit: InvitationLimit, seats: number | null) {
    const { tenantId } = actor;
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const grantable = await this.roleGrantPolicy.grantablePermissions(actor);
        const role = await this.invitations.lockRole(tenantId, id);
        if (!role) return err(PlatformFailures.notFound);
        const allowed = role.mayBeGrantedBy(grantable);
        if (!allowed.ok) return allowed;
        const invitation = await this.invitations.lock(tenantId, id);
        if (!invitation) return err(PlatformFailures.notFound);
        const wasExpired = invitation.isExpired(this.clock.now());
        invitation.resend(actor.userId, this.clock.now());
        await this.invitations.save(invitation);
        const hasSeat = wasExpired ? await this.seatLimit.checkInvitation(tenantId, seats) : ok();
        if (!hasSeat.ok) return hasSeat;
        const mayMail = await this.quota.take(actor, limit);
        if (!mayMail.ok) return mayMail;
        const { isNew } = await this.invitations.findRecipients(tenantId, invitation.email);
        const recipient = invitationRecipient(tenantId, invitation.email, isNew, actor.userId);
        const mailDelayedUntil = await this.mailer.delayedUntil(recipient);
        await mailInvitation(this.jobs, tenantId, id);
        await this.events.publish(new InvitationResent(actor, invitation));
        return ok({ mailDelayedUntil });
      },
      'serial',
    );
  }
}
