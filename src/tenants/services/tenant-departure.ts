import { Injectable } from '@nestjs/common';
import type { ActorRef } from '../../platform/domain-events';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UserRepository, type User } from '../../users/users.api';
import { MembershipRepository } from '../data/membership.repository';
import { TenantRepository } from '../data/tenant.repository';
import type { Membership } from '../domain/membership';
import { MemberRemoved } from '../tenants.events';
import { InvitationRevocation } from './invitation-revocation';
import { TenantClosure } from './tenant-closure';

/** A user with all memberships, locked until the transaction ends. */
export interface LockedUser {
  /** Null if the account was deleted. */
  readonly user: User | null;
  readonly memberships: readonly Membership[];
}

/** Takes a user out of all tenants, before the account is deleted. Runs across tenants. */
@Injectable()
export class TenantDeparture {
  constructor(
    private readonly users: UserRepository,
    private readonly tenants: TenantRepository,
    private readonly memberships: MembershipRepository,
    private readonly tenantClosure: TenantClosure,
    private readonly invitationRevocation: InvitationRevocation,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Locks the tenants of a user, those that the user owns exclusively; then the quota, with which
   * others add the user to a tenant; then the memberships and the account: in the order of all
   * transactions, which prevents deadlocks. UNAVAILABLE if the tenants changed meanwhile.
   */
  async lock(userId: string): Promise<Result<LockedUser, 'UNAVAILABLE'>> {
    const known = await this.memberships.listOfUser(userId);
    const owned = tenantsOf(known.filter(({ isOwner }) => isOwner));
    await this.tenants.lockAll(owned, 'pessimistic_write');
    await this.tenants.lockAll(tenantsOf(known.filter(({ isOwner }) => !isOwner)), 'pessimistic_read');
    await this.memberships.lockTenantsOf(userId);
    const memberships = await this.memberships.lockAllOfUser(userId);
    const isLocked = ({ tenantId, isOwner }: Membership) =>
      isOwner ? owned.includes(tenantId) : tenantsOf(known).includes(tenantId);
    if (!memberships.every(isLocked)) return err(PlatformFailures.unavailable);
    return ok({ user: await this.users.lock(userId), memberships });
  }

  /**
   * Deletes the tenants that the user owns, which have no other members, and leaves the others.
   * SUBSCRIPTION_ACTIVE if Stripe would still charge one of them.
   */
  async leaveAll(userId: string, memberships: readonly Membership[]): Promise<Result<void, 'SUBSCRIPTION_ACTIVE'>> {
    const by: ActorRef & { readonly userId: string } = { userId, impersonatorId: null };
    for (const membership of memberships) {
      const { tenantId, isOwner } = membership;
      if (isOwner) {
        const closed = await this.tenantClosure.close(by, tenantId);
        if (!closed.ok) return closed;
      } else {
        await this.memberships.remove(membership);
        await this.invitationRevocation.revokeUngrantable({ ...by, tenantId }, userId);
        await this.events.publish(new MemberRemoved(by, tenantId, userId));
      }
    }
    await this.unitOfWork.showDeletedTenant(null); // the account takes the Owner out of hidden tenants
    return ok();
  }
}

const tenantsOf = (memberships: readonly Membership[]) => memberships.map(({ tenantId }) => tenantId);
