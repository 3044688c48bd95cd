import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { AccountEmailChanged } from '../../users/users.api';
import { InvitationRepository } from '../data/invitation.repository';
import { InvitationRevoked } from '../tenants.events';

/**
 * Revokes invitations that a change of the address makes useless: those to the new address of
 * somebody who is a member already. They would keep a seat.
 */
@Injectable()
export class RevokeInvitationsOnEmailChanged implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly invitations: InvitationRepository,
  ) {}

  onModuleInit(): void {
    this.events.on(AccountEmailChanged, async ([{ by, userId }]) => {
      const revoked = await this.invitations.revokeForMember(userId);
      await this.events.publish(...revoked.map((invitation) => new InvitationRevoked(by, invitation)));
    });
  }
}
