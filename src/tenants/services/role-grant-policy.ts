import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../http/access/actor';
import { ALL_PERMISSIONS, type Permission } from '../../platform/permissions';
import { ok, type Result } from '../../platform/result';
import { MembershipRepository, type LockedMembership } from '../data/membership.repository';
import { mustHoldAll } from '../domain/role';

/** The locked state of an actor who changes another member. */
export interface MemberChange {
  /** The permissions that the actor may grant and revoke. */
  readonly grantable: readonly Permission[];
  /** Undefined if the user is not a member. */
  readonly target: LockedMembership | undefined;
  /**
   * PERMISSION_NOT_HELD if the target has a permission that the actor lacks. Users may always give
   * up their own permissions.
   */
  readonly mayRevoke: Result<void, 'PERMISSION_NOT_HELD'>;
}

/**
 * Decides which permissions a user may grant and revoke: only those that they hold
 * (docs/contract.md, Roles and memberships), both by the token and by the database. A revoked
 * permission in a token that is still valid can be used for up to 15 minutes, but cannot be made
 * permanent by granting it. A key can grant what it may do itself. Called in the transaction of the
 * change before a role is locked: memberships are always locked first, which prevents deadlocks.
 */
@Injectable()
export class RoleGrantPolicy {
  constructor(private readonly memberships: MembershipRepository) {}

  /**
   * Locks the actor's membership and returns the permissions that the actor may grant and revoke.
   */
  async grantablePermissions(actor: TenantActor): Promise<readonly Permission[]> {
    if (actor.userId === null) return ofServiceAccount(actor);
    return stillGrantable(actor, await this.memberships.lockSharedWithPermissions(actor.tenantId, actor.userId));
  }

  /** Locks the memberships of the actor and of the member to be changed. */
  async lockMemberChange(actor: TenantActor, userId: string): Promise<MemberChange> {
    const members = actor.userId === null ? [userId] : [actor.userId, userId];
    const locked = await this.memberships.lockAllWithPermissions(actor.tenantId, ...members);
    const grantable = actor.userId === null ? ofServiceAccount(actor) : stillGrantable(actor, locked.get(actor.userId));
    const target = locked.get(userId);
    const mayRevoke = userId === actor.userId ? ok() : mustHoldAll(grantable, target?.permissions ?? []);
    return { grantable, target, mayRevoke };
  }
}

/** The key of a service account has no membership; what it may do is in the database. */
const ofServiceAccount = ({ permissions }: TenantActor): readonly Permission[] =>
  ALL_PERMISSIONS.filter((permission) => permissions.includes(permission));

function stillGrantable({ permissions }: TenantActor, membership: LockedMembership | undefined): readonly Permission[] {
  return (membership?.permissions ?? []).filter((permission) => permissions.includes(permission));
}
