import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { InvitationRepository, MembershipEnrolment } from '../../tenants/tenants.api';
import { checkNewPassword, PasswordHasher, User, UserFailures, UserRepository } from '../../users/users.api';
import { SessionRepository } from '../data/session.repository';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';
import { SessionIssuer } from '../services/session-issuer';
import type { TokenPair } from '../domain/token-pair';

/**
 * Makes an account for who holds an invitation, in one step: the mailed token proves the address,
 * so that no second mail is needed. It takes an unverified account over. The inviting tenant is
 * active. INVITATION_INVALID, INVITATION_EXPIRED; EMAIL_TAKEN when the address has a verified
 * account; ACCOUNT_DISABLED.
 */
export class RegisterInvitedUser extends Command<Result<TokenPair>> {
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
    private readonly invitations: InvitationRepository,
    private readonly membershipEnrolment: MembershipEnrolment,
    private readonly users: UserRepository,
    private readonly unverifiedAccountTakeover: UnverifiedAccountTakeover,
    private readonly sessions: SessionRepository,
    private readonly passwords: PasswordHasher,
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** A refused password costs nothing: the invitation is used up last of all. */
  async execute({ token, name, password }: RegisterInvitedUser): Promise<Result<TokenPair>> {
    const found = await this.invitations.find(token);
    if (!found.ok) return found;
    const { tenantId, email } = found.value;
    const acceptable = checkNewPassword(password, email, 'password');
    if (!acceptable.ok) return acceptable;
    const hashed = await this.passwords.hash(password);
    if (!hashed.ok) return hashed;
    return this.unitOfWork.inTenant({ tenantId }, async () => {
      const account = await this.account(email, name, hashed.value);
      if (!account.ok) return account;
      const user = account.value;
      const joined = await this.membershipEnrolment.join(found.value, { userId: user.id, impersonatorId: null });
      return joined.ok ? this.issuer.open(user, { method: 'invitation' }, tenantId) : joined;
    });
  }

  /**
   * A new one, or the unverified one that somebody has made with this address: its password and
   * links were theirs, and go.
   */
  private async account(email: string, name: string, passwordHash: string): Promise<Result<User>> {
    const now = this.clock.now();
    const taken = await this.users.lockByEmail(email);
    if (taken?.isEmailVerified) return err(UserFailures.emailTaken);
    const user = taken ?? User.register(email, name, passwordHash, now);
    user.activate(name, passwordHash, now, now);
    if (!taken) return this.added(user);
    await this.users.save(user);
    await this.sessions.revokeAll(user.id, now, 'mailbox-claimed');
    await this.unverifiedAccountTakeover.settle(user);
    return ok(user);
  }

  private async added(user: User): Promise<Result<User>> {
    const added = await this.users.add(user);
    return added.ok ? ok(user) : added;
  }
}
