import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents, type ActorRef } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { InvitationRepository, type FoundInvitation } from '../data/invitation.repository';
import { MembershipRepository } from '../data/membership.repository';
import { Membership } from '../domain/membership';
import { InvitationAccepted, MemberJoined } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';

/** As what somebody is in from now on. */
export interface Joined {
  readonly role: string;
  readonly joinedAt: Date;
}

/** How somebody becomes a member, with an account or by making one: by using an invitation up. */
@Injectable()
export class MembershipEnrolment {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly memberships: MembershipRepository,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a person a member, in a transaction within the invitation's tenant. INVITATION_INVALID
   * when it was used or taken back in this moment, or whoever sent it could not send it any more;
   * ALREADY_MEMBER; LIMIT_REACHED. The sender's membership is held first, then the role, then the
   * invitation is used, as whoever removes a member or deletes a role takes them: nobody waits in a
   * circle.
   */
  async join(invitation: FoundInvitation, person: ActorRef & { readonly userId: string }): Promise<Result<Joined>> {
    const { tenantId, id, invitedBy } = invitation;
    const room = await this.memberships.lockTenantQuota(person.userId);
    if (!room.ok) return room;
    if (!invitedBy) return err(TenantFailures.invitationInvalid);
    const sender = await this.memberships.lockStanding(tenantId, invitedBy);
    const role = await this.invitations.lockRole(tenantId, id);
    if (!sender || !role?.mayBeGrantedBy(sender.permissions).ok) return err(TenantFailures.invitationInvalid);
    if (!(await this.invitations.consume(invitation))) return err(TenantFailures.invitationInvalid);
    const membership = Membership.join(person.userId, role, this.clock.now());
    const added = await this.memberships.add(membership);
    if (!added.ok) return added;
    const recipients = { ...(await this.memberships.findNewMember(tenantId, person.userId)), senderId: invitedBy };
    await this.events.publish(
      new InvitationAccepted(person, invitation),
      new MemberJoined(person, tenantId, person.userId, role, recipients),
    );
    return ok({ role: role.name, joinedAt: membership.joinedAt });
  }
}
