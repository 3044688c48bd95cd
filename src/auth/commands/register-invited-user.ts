import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, excluding, ok, type Result } from '../../platform/result';
import { InvitationDetailsRepository, MembershipEnrolment, SeatLimit } from '../../tenants/tenants.api';
import { checkNewPassword, PasswordHasher, User, UserFailures, UserRepository } from '../../users/users.api';
import type { SignedIn } from '../services/second-factor-tickets';
import { SessionIssuer } from '../services/session-issuer';
import { SessionRevoker } from '../services/session-revoker';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';

/**
 * Creates an account with an invitation, accepts the invitation and signs the user in, with the
 * inviting tenant as the active one. The emailed token proves the mailbox, so no verification email
 * is sent, and an existing unverified account is taken over. INVITATION_INVALID;
 * INVITATION_EXPIRED; EMAIL_TAKEN if the address has a verified account; ACCOUNT_DISABLED;
 * SEAT_LIMIT.
 */
export class RegisterInvitedUser extends Command<
  Result<
    SignedIn,
    | 'ACCOUNT_DISABLED'
    | 'EMAIL_TAKEN'
    | 'INVITATION_EXPIRED'
    | 'INVITATION_INVALID'
    | 'NOT_FOUND'
    | 'SEAT_LIMIT'
    | 'UNAVAILABLE'
    | 'VALIDATION_ERROR'
  >
> {
  constructor(
    readonly token: string,
    readonly name: string,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(RegisterInvitedUser)
export class RegisterInvitedUserHandler implements ICommandHandler<RegisterInvitedUser> {
  constructor(
    private readonly invitations: InvitationDetailsRepository,
    private readonly membershipEnrolment: MembershipEnrolment,
    private readonly seatLimit: SeatLimit,
    private readonly users: UserRepository,
    private readonly unverifiedAccountTakeover: UnverifiedAccountTakeover,
    private readonly sessionRevoker: SessionRevoker,
    private readonly passwords: PasswordHasher,
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The invitation is accepted last, so that a rejected password does not use it up. */
  async execute({ token, name, password }: RegisterInvitedUser) {
    const found = await this.invitations.findAcceptable(token);
    if (!found.ok) return found;
    const { invitation } = found.value;
    const { tenantId, email } = invitation;
    const acceptable = checkNewPassword(password, { email, name }, 'password');
    if (!acceptable.ok) return acceptable;
    const hashed = await this.passwords.hash(password);
    if (!hashed.ok) return hashed;
    const register = async (seats: number | null) => {
      const account = await this.createOrTakeOver(email, name, hashed.value);
      if (!account.ok) return account;
      const user = account.value;
      const by = { userId: user.id, impersonatorId: null };
      const enrolled = await this.membershipEnrolment.join(invitation, user, by, seats);
      // nobody has used this account before, so that it belongs to no other's tenant
      const joined = excluding(enrolled, 'ALREADY_MEMBER', 'LIMIT_REACHED');
      return joined.ok ? this.issuer.openLocked(user, { method: 'invitation' }, { tenantId }) : joined;
    };
    return this.seatLimit.within(tenantId, (seats) =>
      this.unitOfWork.inTenant({ tenantId }, () => register(seats), 'serial'),
    );
  }

  /**
   * A new account, or the unverified one with this address, whose password and links are replaced.
   */
  private async createOrTakeOver(
    email: string,
    name: string,
    passwordHash: string,
  ): Promise<Result<User, 'EMAIL_TAKEN'>> {
    const now = this.clock.now();
    const existing = await this.users.lockByEmail(email);
    if (existing?.isEmailVerified) return err(UserFailures.emailTaken);
    const user = existing ?? User.register(email, name, passwordHash, now);
    user.activate(name, passwordHash, now, now);
    if (!existing) return this.add(user);
    await this.users.save(user);
    await this.sessionRevoker.revokeAll(user.id, 'mailbox-claimed');
    await this.unverifiedAccountTakeover.discardRegistrations(user);
    return ok(user);
  }

  private async add(user: User): Promise<Result<User, 'EMAIL_TAKEN'>> {
    const added = await this.users.add(user);
    return added.ok ? ok(user) : added;
  }
}
