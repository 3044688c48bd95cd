import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../http/access/actor';
import type { Permission } from '../../platform/permissions';
import { ok, type Result } from '../../platform/result';
import { MembershipRepository, type Standing } from '../data/membership.repository';
import { mustHoldAll } from '../domain/role';

/** An actor in front of another member; both stay what they are until the transaction ends. */
export interface Encounter {
  /** What the actor may give and take away. */
  readonly held: readonly Permission[];
  /** Undefined when there is no such member. */
  readonly target: Standing | undefined;
  /**
   * PERMISSION_NOT_HELD, unless the actor holds all that the target has now. What is one's own,
   * anybody may give up.
   */
  readonly mayTakeAway: Result;
}

/**
 * What somebody may give and take away: nobody does either with what they do not hold (contract
 * sections 4 and 11). It counts what a token says and the database still says: what a token says
 * for 15 minutes more may be used, but not made last by granting it to oneself or others. To be
 * asked before a role is locked, in the transaction of the change: memberships come first
 * everywhere, so that nobody waits in a circle.
 */
@Injectable()
export class RoleGrantPolicy {
  constructor(private readonly memberships: MembershipRepository) {}

  /** What the actor may give and take away. */
  async held(actor: TenantActor): Promise<readonly Permission[]> {
    return stillHeld(actor, await this.memberships.lockStanding(actor.tenantId, actor.userId));
  }

  /** The same in front of another member, whose membership is about to change. */
  async encounter(actor: TenantActor, userId: string): Promise<Encounter> {
    const standings = await this.memberships.lockStandings(actor.tenantId, actor.userId, userId);
    const held = stillHeld(actor, standings.get(actor.userId));
    const target = standings.get(userId);
    const mayTakeAway = userId === actor.userId ? ok() : mustHoldAll(held, target?.permissions ?? []);
    return { held, target, mayTakeAway };
  }
}

function stillHeld({ permissions }: TenantActor, standing: Standing | undefined): readonly Permission[] {
  return (standing?.permissions ?? []).filter((permission) => permissions.includes(permission));
}
