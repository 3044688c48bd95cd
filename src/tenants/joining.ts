import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock';
import { DomainEvents, type Doer } from '../platform/domain-events';
import { err, type Result } from '../platform/result';
import { InvitationRepository, type FoundInvitation } from './data/invitation.repository';
import { MembershipRepository } from './data/membership.repository';
import { Membership } from './domain/membership';
import { InvitationAccepted, MemberJoined } from './tenants.events';
import { TenantFailures } from './tenants.failures';

/** How somebody becomes a member, with an account or by making one: by using an invitation up. */
@Injectable()
export class Joining {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly memberships: MembershipRepository,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a person a member, in a transaction within the invitation's tenant. INVITATION_INVALID when it was used or taken back in this moment,
   * ALREADY_MEMBER.
   */
  async join(invitation: FoundInvitation, person: Doer & { readonly userId: string }): Promise<Result> {
    const { tenantId, role: name } = invitation;
    const used = await this.invitations.consume(invitation);
    if (!used) return err(TenantFailures.invitationInvalid);
    const membership = Membership.join(person.userId, { tenantId, id: used.roleId, isOwner: false }, this.clock.now());
    const added = await this.memberships.add(membership);
    if (!added.ok) return added;
    const joined = new MemberJoined(person, tenantId, person.userId, { id: used.roleId, name });
    await this.events.publish(new InvitationAccepted(person, invitation), joined);
    return added;
  }
}
