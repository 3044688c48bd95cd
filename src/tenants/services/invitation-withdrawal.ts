import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { InvitationRepository } from '../data/invitation.repository';
import { InvitationRevoked } from '../tenants.events';

/**
 * What becomes of the invitations that somebody has sent when they may do less than before
 * (contract section 11).
 */
@Injectable()
export class InvitationWithdrawal {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Takes back those that their sender could not send any more, in the transaction in which they
   * lose it.
   * @param held what the sender holds from now on; undefined: nothing, because they are no member
   * any more
   */
  async withdraw(actor: TenantActor, senderId: string, held?: readonly Permission[]): Promise<void> {
    const revoked = await this.invitations.revokeBeyond(actor.tenantId, senderId, held);
    await this.events.publish(...revoked.map((invitation) => new InvitationRevoked(actor, invitation)));
  }
}
