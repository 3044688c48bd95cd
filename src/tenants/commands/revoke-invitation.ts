import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { InvitationRepository } from '../data/invitation.repository';
import { InvitationRevoked } from '../tenants.events';

/** Revokes an invitation; its link stops working. NOT_FOUND. */
export class RevokeInvitation extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly invitationId: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeInvitation)
export class RevokeInvitationHandler implements ICommandHandler<RevokeInvitation> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, invitationId: id }: RevokeInvitation) {
    const { tenantId } = actor;
    return this.unitOfWork.inTenant(actor, async () => {
      const revoked = await this.invitations.revoke(tenantId, id);
      if (!revoked) return err(PlatformFailures.notFound);
      await this.events.publish(new InvitationRevoked(actor, revoked));
      return ok();
    });
  }
}
