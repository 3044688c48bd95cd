import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents, type ActorRef } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import type { User } from '../../users/users.api';
import { InvitationRepository } from '../data/invitation.repository';
import { MembershipRepository } from '../data/membership.repository';
import type { Invitation } from '../domain/invitation';
import { InvitationAccepted, MemberJoined } from '../tenants.events';
import { TenantFailures } from '../tenants.failures';
import { SeatLimit } from './seat-limit';

/** The result of joining a tenant. */
export interface Enrolment {
  readonly role: string;
  readonly joinedAt: Date;
}

type EnrolmentCode = 'ALREADY_MEMBER' | 'INVITATION_EXPIRED' | 'INVITATION_INVALID' | 'LIMIT_REACHED' | 'SEAT_LIMIT';

/** Makes users members by using up an invitation, both for existing and for new accounts. */
@Injectable()
export class MembershipEnrolment {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly memberships: MembershipRepository,
    private readonly seatLimit: SeatLimit,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a user a member, in a transaction within the invitation's tenant. INVITATION_INVALID if
   * it was used or revoked at the same time, or if its sender could no longer send it;
   * INVITATION_EXPIRED; ALREADY_MEMBER; LIMIT_REACHED; SEAT_LIMIT. Locks the sender's membership
   * first, then the role, then the invitation, in the same order as removing a member and deleting
   * a role, which prevents deadlocks.
   * @param seats how many the tenant has; its serial lock must be held
   */
  async join(
    invitation: Invitation,
    user: User,
    by: ActorRef,
    seats: number | null,
  ): Promise<Result<Enrolment, EnrolmentCode>> {
    const { tenantId, id, invitedBy } = invitation;
    const quota = await this.memberships.lockTenantQuota(user.id);
    if (!quota.ok) return quota;
    if (!invitedBy) return err(TenantFailures.invitationInvalid);
    const sender = await this.memberships.lockSharedWithPermissions(tenantId, invitedBy);
    const role = await this.invitations.lockRole(tenantId, id);
    const accepted = invitation.accept(user.id, role, sender?.permissions, this.clock.now());
    if (!accepted.ok) return accepted;
    if (!(await this.invitations.consume(invitation))) return err(TenantFailures.invitationInvalid);
    const membership = accepted.value;
    const added = await this.memberships.add(membership);
    if (!added.ok) return added;
    const hasSeat = await this.seatLimit.checkMember(tenantId, seats);
    if (!hasSeat.ok) return hasSeat;
    const ownerId = await this.memberships.findOwnerId(tenantId);
    const recipients = { name: user.name, email: user.email, ownerId, senderId: invitedBy };
    await this.events.publish(
      new InvitationAccepted(by, invitation),
      new MemberJoined(by, tenantId, user.id, role!, recipients),
    );
    return ok({ role: role!.name, joinedAt: membership.joinedAt });
  }
}
