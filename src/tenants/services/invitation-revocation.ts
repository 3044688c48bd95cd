import { Injectable } from '@nestjs/common';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { InvitationRepository } from '../data/invitation.repository';
import { InvitationRevoked } from '../tenants.events';

/** Who causes it, and where. */
type TenantRef = Pick<TenantActor, 'userId' | 'impersonatorId' | 'tenantId'>;

/** Revokes the invitations of senders who lose permissions (docs/contract.md, Invitations). */
@Injectable()
export class InvitationRevocation {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Revokes the invitations that their sender could no longer send, in the transaction in which
   * the sender loses the permissions.
   * @param held the permissions of the sender after the change; undefined if no longer a member
   */
  async revokeUngrantable(actor: TenantRef, senderId: string, held?: readonly Permission[]): Promise<void> {
    const revoked = await this.invitations.revokeUngrantable(actor.tenantId, senderId, held);
    await this.events.publish(...revoked.map((invitation) => new InvitationRevoked(actor, invitation)));
  }
}
