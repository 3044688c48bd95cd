import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UserRepository } from '../../users/users.api';
import { InvitationDetailsRepository } from '../data/invitation-details.repository';
import { MembershipEnrolment } from '../services/membership-enrolment';
import { SeatLimit } from '../services/seat-limit';
import { TenantFailures } from '../tenants.failures';
import type { MembershipView } from '../http/views/tenants.views';

/**
 * Makes the signed-in user a member of the inviting tenant, without switching to it.
 * INVITATION_INVALID, INVITATION_EXPIRED, INVITATION_FOR_OTHER_ADDRESS, ALREADY_MEMBER, SEAT_LIMIT.
 */
export class AcceptInvitation extends Command<
  Result<
    MembershipView,
    | 'ALREADY_MEMBER'
    | 'INVITATION_EXPIRED'
    | 'INVITATION_FOR_OTHER_ADDRESS'
    | 'INVITATION_INVALID'
    | 'LIMIT_REACHED'
    | 'NOT_FOUND'
    | 'SEAT_LIMIT'
    | 'UNAUTHENTICATED'
  >
> {
  constructor(
    readonly actor: Actor,
    readonly token: string,
  ) {
    super();
  }
}

@CommandHandler(AcceptInvitation)
export class AcceptInvitationHandler implements ICommandHandler<AcceptInvitation> {
  constructor(
    private readonly invitations: InvitationDetailsRepository,
    private readonly users: UserRepository,
    private readonly membershipEnrolment: MembershipEnrolment,
    private readonly seatLimit: SeatLimit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, token }: AcceptInvitation) {
    const found = await this.invitations.findAcceptable(token);
    if (!found.ok) return found;
    const { invitation, tenant } = found.value;
    const user = await this.users.findById(actor.userId);
    if (!user) return err(PlatformFailures.unauthenticated);
    if (user.email !== invitation.email) return err(TenantFailures.invitationForOther);
    const scope = { tenantId: tenant.id, userId: user.id };
    return this.seatLimit.within(tenant.id, (seats) =>
      this.unitOfWork.inTenant(
        scope,
        async () => {
          const joined = await this.membershipEnrolment.join(invitation, user, actor, seats);
          return joined.ok ? ok({ tenant, ...joined.value }) : joined;
        },
        'serial',
      ),
    );
  }
}
