import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MembershipRepository } from '../data/membership.repository';
import { BUILT_IN_ROLES } from '../domain/built-in-roles';
import { InvitationRevocation } from '../services/invitation-revocation';
import { OwnershipTransferred } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';

/**
 * Makes another member the Owner, and the Owner an Admin. NOT_FOUND for a user who is not a
 * member; CONFLICT for a member whose account is disabled, because nobody could act as the Owner;
 * FORBIDDEN if the caller lost the ownership after the token was issued.
 */
export class TransferOwnership extends Command<
  Result<void, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: TenantActor,
    readonly userId: string,
  ) {
    super();
  }
}

@CommandHandler(TransferOwnership)
export class TransferOwnershipHandler implements ICommandHandler<TransferOwnership> {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly invitationRevocation: InvitationRevocation,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, userId }: TransferOwnership) {
    const { tenantId } = actor;
    if (userId === actor.userId) return err(invalid({ userId: ['must be another member'] }));
    return this.unitOfWork.inTenant(actor, async () => {
      const locked = await this.memberships.lockMemberships(tenantId, actor.userId, userId);
      if (!(await this.memberships.demote(tenantId, actor.userId))) return err(PlatformFailures.forbidden);
      if (!locked.has(userId)) return err(PlatformFailures.notFound);
      if (!(await this.memberships.promote(tenantId, userId))) return err(TenantFailures.newOwnerDisabled);
      await this.invitationRevocation.revokeUngrantable(actor, actor.userId, BUILT_IN_ROLES.Admin);
      await this.events.publish(new OwnershipTransferred(actor, tenantId, userId));
      return ok();
    });
  }
}
