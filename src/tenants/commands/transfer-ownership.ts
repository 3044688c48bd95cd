import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantPerson } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UserRepository } from '../../users/users.api';
import { MembershipRepository } from '../data/membership.repository';
import { RoleRepository } from '../data/role.repository';
import { BUILT_IN_ROLES } from '../domain/built-in-roles';
import { InvitationRevocation } from '../services/invitation-revocation';
import { OwnershipTransferred } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';

/**
 * Makes another member the Owner, and the Owner an Admin. NOT_FOUND for a user who is not a member;
 * CONFLICT for a member whose account is disabled, because nobody could act as the Owner, or is
 * going to be deleted, because ownership would prevent it; FORBIDDEN if the caller lost the
 * ownership after the token was issued.
 */
export class TransferOwnership extends Command<
  Result<void, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: TenantPerson,
    readonly userId: string,
  ) {
    super();
  }
}

@CommandHandler(TransferOwnership)
export class TransferOwnershipHandler implements ICommandHandler<TransferOwnership> {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly roles: RoleRepository,
    private readonly users: UserRepository,
    private readonly invitationRevocation: InvitationRevocation,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, userId }: TransferOwnership) {
    const { tenantId } = actor;
    if (userId === actor.userId) return err(invalid({ userId: ['must be another member'] }));
    return this.unitOfWork.inTenant(actor, async () => {
      const locked = await this.memberships.lockAllWithPermissions(tenantId, actor.userId, userId);
      const owner = locked.get(actor.userId)?.membership;
      const successor = locked.get(userId)?.membership;
      if (!owner) return err(PlatformFailures.forbidden);
      const transferred = owner.transferOwnership(successor, await this.roles.findOwnerAndAdmin(tenantId));
      if (!transferred.ok) return transferred;
      const user = await this.users.lockEnabled(userId);
      if (!user) return err(TenantFailures.newOwnerDisabled);
      if (user.deletesAt) return err(TenantFailures.newOwnerLeaving);
      // in this order: an index allows one Owner at a time
      await this.memberships.save(owner);
      await this.memberships.save(transferred.value);
      await this.invitationRevocation.revokeUngrantable(actor, actor.userId, BUILT_IN_ROLES.Admin);
      await this.events.publish(new OwnershipTransferred(actor, tenantId, userId));
      return ok();
    });
  }
}
