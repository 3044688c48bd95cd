import { Injectable } from '@nestjs/common';
import { isPerson, type TenantActor } from '../../http/access/actor';
import { ok, type Result } from '../../platform/result';
import { mustHoldAll, RoleGrantPolicy } from '../../tenants/tenants.api';
import type { ApiKey } from '../domain/api-key';

/** PERMISSION_NOT_HELD unless a caller may take away these keys. */
export type CheckRevocation = (keys: readonly Pick<ApiKey, 'permissions'>[]) => Result<void, 'PERMISSION_NOT_HELD'>;

/**
 * Decides which keys a caller may stop (docs/contract.md, API keys): a person with
 * tenant.keys.manage all of them, so that a leaked key ends fast; a key only those whose
 * permissions it has and its person still holds, so that it cannot stop what is above itself.
 */
@Injectable()
export class KeyRevocationPolicy {
  constructor(private readonly roleGrantPolicy: RoleGrantPolicy) {}

  /** Called before a key or an account is locked: memberships are always locked first. */
  async checkFor(actor: TenantActor): Promise<CheckRevocation> {
    return isPerson(actor) ? () => ok() : this.checkHeld(actor);
  }

  /** The same for giving permissions back to keys, which asks people, too. */
  async checkHeld(actor: TenantActor): Promise<CheckRevocation> {
    const held = await this.roleGrantPolicy.grantablePermissions(actor);
    return (keys) =>
      mustHoldAll(
        held,
        keys.flatMap(({ permissions }) => permissions),
      );
  }
}
