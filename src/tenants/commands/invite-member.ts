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
import { RoleRepository } from '../data/role.repository';
import { Invitation } from '../domain/invitation';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { InvitationQuota, type InvitationLimit } from '../services/invitation-quota';
import { SeatLimit } from '../services/seat-limit';
import { InvitationSent } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';
import type { SentInvitationView } from '../http/views/tenants.views';
import { invitationRecipient, mailInvitation } from './send-invitation-mail';

/**
 * Invites an address to the active tenant. The invitation, the email job and the notifications are
 * stored in one transaction. NOT_FOUND for an unknown role, PERMISSION_NOT_HELD for a role with
 * permissions that the caller lacks, ALREADY_MEMBER, ALREADY_INVITED, LIMIT_REACHED, SEAT_LIMIT,
 * RATE_LIMITED when the tenant, or on the Free plan the sender over all tenants, has reached the
 * daily limit.
 */
export class InviteMember extends Command<
  Result<
    SentInvitationView,
    | 'ALREADY_INVITED'
    | 'ALREADY_MEMBER'
    | 'LIMIT_REACHED'
    | 'NOT_FOUND'
    | 'PERMISSION_NOT_HELD'
    | 'RATE_LIMITED'
    | 'SEAT_LIMIT'
  >
> {
  constructor(
    readonly actor: TenantPerson,
    readonly email: string,
    /** Undefined: the Member role. */
    readonly roleId: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(InviteMember)
export class InviteMemberHandler implements ICommandHandler<InviteMember> {
  constructor(
    private readonly roles: RoleRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly quota: InvitationQuota,
    private readonly seatLimit: SeatLimit,
    private readonly invitations: InvitationRepository,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks last whether the address belongs to a member, because its owner may be accepting an
   * earlier invitation at the same time.
   */
  async execute(message: InviteMember) {
    const { tenantId } = message.actor;
    return this.quota.within(tenantId, (limit) =>
      this.seatLimit.within(tenantId, (seats) => this.invite(message, limit, seats)),
    );
  }

  private invite({ actor, email, roleId }: InviteMember, limit: InvitationLimit, seats: number | null) {
    const { tenantId, userId: invitedBy } = actor;
    const createdAt = this.clock.now();
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const grantable = await this.roleGrantPolicy.grantablePermissions(actor);
        const role = await this.roles.lockInvitable(tenantId, roleId);
        if (!role) return err(PlatformFailures.notFound);
        const allowed = role.mayBeGrantedBy(grantable);
        if (!allowed.ok) return allowed;
        const invitation = Invitation.create(email, role, invitedBy, createdAt);
        const added = await this.invitations.add(invitation);
        if (!added.ok) return added;
        const [hasSeat, { isMember, isNew, ...recipients }, mayMail] = await Promise.all([
          this.seatLimit.checkInvitation(tenantId, seats),
          this.invitations.findRecipients(tenantId, email),
          this.quota.take(actor, limit),
        ]);
        if (isMember) return err(TenantFailures.alreadyMember);
        if (!hasSeat.ok) return hasSeat;
        if (!mayMail.ok) return mayMail;
        const recipient = invitationRecipient(tenantId, email, isNew, invitedBy);
        const mailDelayedUntil = await this.mailer.delayedUntil(recipient);
        await mailInvitation(this.jobs, tenantId, invitation.id);
        await this.events.publish(new InvitationSent(actor, invitation, role, recipients));
        const { id, expiresAt } = invitation;
        return ok({ id, email, roleId: role.id, role: role.name, invitedBy, createdAt, expiresAt, mailDelayedUntil });
      },
      'serial',
    );
  }
}
