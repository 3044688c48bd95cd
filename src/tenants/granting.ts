import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../edge/actor';
import type { Result } from '../platform/result';
import { MembershipRepository } from './data/membership.repository';
import type { Role } from './domain/role';

/** Whether somebody may give a role away, or make one of that kind: nobody grants what they do not hold (contract section 4). */
@Injectable()
export class Granting {
  constructor(private readonly memberships: MembershipRepository) {}

  /**
   * PERMISSION_NOT_HELD, unless the actor holds every permission of the role, by the token and still: what a token says for 15 minutes more may be
   * used, but not made last by granting it to oneself or others. In the transaction of the grant.
   */
  async check({ tenantId, userId, permissions }: TenantActor, role: Role): Promise<Result> {
    const byToken = role.mayBeGrantedBy(permissions);
    return byToken.ok ? role.mayBeGrantedBy(await this.memberships.holdPermissions(tenantId, userId)) : byToken;
  }
}
