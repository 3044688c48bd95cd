import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { InvitationRepository } from '../data/invitation.repository';
import { RoleGrantPolicy } from '../services/role-grant-policy';
import { InvitationQuota } from '../services/invitation-quota';
import { InvitationResent } from '../tenants.events';
import { mailInvitation } from './send-invitation-mail';

/**
 * Sends an invitation again in the caller's name, with a new link that is valid for seven days;
 * the old link stops working. NOT_FOUND; PERMISSION_NOT_HELD and RATE_LIMITED as for inviting;
 * LIMIT_REACHED, because an expired invitation becomes pending again.
 */
export class ResendInvitation extends Command<
  Result<void, 'LIMIT_REACHED' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'RATE_LIMITED'>
> {
  constructor(
    readonly actor: TenantActor,
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
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, invitationId: id }: ResendInvitation) {
    const { tenantId } = actor;
    const limit = await this.quota.limitOf(tenantId);
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
        invitation.resend(actor.userId, this.clock.now());
        await this.invitations.save(invitation);
        const withinLimit = await this.invitations.checkLimitAfterAdding(tenantId);
        if (!withinLimit.ok) return withinLimit;
        const mayMail = await this.quota.take(actor, limit);
        if (!mayMail.ok) return mayMail;
        await mailInvitation(this.jobs, tenantId, id);
        await this.events.publish(new InvitationResent(actor, invitation));
        return ok();
      },
      'serial',
    );
  }
}
