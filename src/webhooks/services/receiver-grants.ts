import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../http/access/actor';
import type { Permission } from '../../platform/permissions';
import { publicEvents } from '../../platform/public-events';
import { err, ok, type Result } from '../../platform/result';
import { RoleGrantPolicy, TenantFailures } from '../../tenants/tenants.api';

/**
 * Decides what a member may let a receiver get: what the member may read (docs/contract.md,
 * Webhooks of tenants). Called in the transaction of the change, before the receiver is locked.
 */
@Injectable()
export class ReceiverGrants {
  private readonly permissions = new Map(publicEvents().map(({ type, permission }) => [type, permission]));

  constructor(private readonly roleGrantPolicy: RoleGrantPolicy) {}

  /** The permissions that the actor holds now. Locks the membership. */
  heldBy(actor: TenantActor): Promise<readonly Permission[]> {
    return this.roleGrantPolicy.grantablePermissions(actor);
  }

  /**
   * PERMISSION_NOT_HELD, with the types that need other permissions than those.
   * @param types null: all
   */
  allow(held: readonly string[], types: readonly string[] | null): Result<void, 'PERMISSION_NOT_HELD'> {
    const refused = (types ?? [...this.permissions.keys()]).filter((type) => !this.mayRead(held, type));
    if (refused.length === 0) return ok();
    const message = `You do not have the permissions to read these events: ${refused.join(', ')}.`;
    return err({ ...TenantFailures.permissionNotHeld, message });
  }

  /** Whether these permissions suffice for a type; tests of a receiver need none. */
  mayRead(held: readonly string[], type: string): boolean {
    const needed = this.permissions.get(type);
    return needed === undefined || held.includes(needed);
  }
}
