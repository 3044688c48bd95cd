import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../edge/actor';
import { Clock, later } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { newId } from '../../platform/ids';
import { Jobs } from '../../platform/jobs';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { InvitationRepository } from '../data/invitation.repository';
import { INVITATION_SECONDS } from '../domain/invitation';
import { InvitationSent } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';
import type { InvitationView } from '../tenants.views';
import { SendInvitationMail } from './send-invitation-mail';

/**
 * Asks somebody to join the active tenant: the mail, the notifications and the invitation come into being together. NOT_FOUND for an unknown
 * role, PERMISSION_NOT_HELD for a role above the caller's own permissions, ALREADY_MEMBER, ALREADY_INVITED.
 */
export class InviteMember extends Command<Result<InvitationView>> {
  constructor(
    readonly actor: TenantActor,
    readonly email: string,
    /** Undefined: Member. */
    readonly roleId: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(InviteMember)
export class InviteMemberHandler implements ICommandHandler<InviteMember> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, email, roleId }: InviteMember) {
    const { tenantId, userId: invitedBy } = actor;
    const createdAt = this.clock.now();
    return this.unitOfWork.within(actor, async () => {
      const found = await this.invitations.circumstances(tenantId, email, roleId ?? null);
      if (!found) return err(PlatformFailures.notFound);
      const { role, isMember, ...concerned } = found;
      const allowed = role.mayBeGrantedBy(actor.permissions);
      if (!allowed.ok) return allowed;
      if (isMember) return err(TenantFailures.alreadyMember);
      const invitation = { tenantId, id: newId(), email, roleId: role.id, invitedBy, createdAt, expiresAt: later(createdAt, INVITATION_SECONDS) };
      const added = await this.invitations.add(invitation);
      if (!added.ok) return added;
      await this.jobs.later(new SendInvitationMail(tenantId, invitation.id), `invitation:${invitation.id}`);
      await this.events.publish(new InvitationSent(actor, invitation, role, concerned));
      const { id, expiresAt } = invitation;
      return ok({ id, email, roleId: role.id, role: role.name, invitedBy, createdAt, expiresAt });
    });
  }
}
