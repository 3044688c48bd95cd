import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../http/access/actor';
import type { Permission } from '../../platform/permissions';
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
 * permanent by granting it. The key of a service account can grant what it may do itself and the
 * person who created it still holds, so that nobody who lost a role gets it back with a key. Called
 * in the transaction of the change before a role is locked: memberships are always locked first,
 * which prevents deadlocks.
 */
@Injectable()
export class RoleGrantPolicy {
  constructor(private readonly memberships: MembershipRepository) {}

  /**
   * Locks the membership that the actor grants by, and returns the permissions that the actor may
   * grant and revoke.
   */
  async grantablePermissions(actor: TenantActor): Promise<readonly Permission[]> {
    const grantor = grantorOf(actor);
    if (grantor === null) return [];
    return stillGrantable(actor, await this.memberships.lockSharedWithPermissions(actor.tenantId, grantor));
  }

  /** Locks the membership that the actor grants by, and that of the member to be changed. */
  async lockMemberChange(actor: TenantActor, userId: string): Promise<MemberChange> {
    const grantor = grantorOf(actor);
    const members = grantor === null ? [userId] : [grantor, userId];
    const locked = await this.memberships.lockAllWithPermissions(actor.tenantId, ...members);
    const grantable = grantor === null ? [] : stillGrantable(actor, locked.get(grantor));
    const target = locked.get(userId);
    const mayRevoke = userId === actor.userId ? ok() : mustHoldAll(grantable, target?.permissions ?? []);
    return { grantable, target, mayRevoke };
  }
}

/** The person by whose membership an actor grants; null if their account was deleted. */
const grantorOf = ({ userId, principal }: TenantActor): string | null => userId ?? principal.createdBy ?? null;

function stillGrantable({ permissions }: TenantActor, membership: LockedMembership | undefined): readonly Permission[] {
  return (membership?.permissions ?? []).filter((permission) => permissions.includes(permission));
}
