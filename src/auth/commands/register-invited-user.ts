import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { InvitationRepository, Joining } from '../../tenants/tenants.contract';
import { checkNewPassword, PasswordHasher, User, UserRepository } from '../../users/users.contract';
import { SessionIssuer } from '../session-issuer';
import type { TokenPair } from '../token-pair';

/**
 * Makes an account for who holds an invitation, in one step: the mailed token proves the address, so that no second mail is needed. The
 * inviting tenant is active. INVITATION_INVALID, INVITATION_EXPIRED; EMAIL_TAKEN when the address has an account.
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
    private readonly joining: Joining,
    private readonly users: UserRepository,
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
    const now = this.clock.now();
    const user = User.register(email, name, hashed.value, now);
    user.verifyEmail(now);
    return this.unitOfWork.within({ tenantId }, async () => {
      const added = await this.users.add(user);
      if (!added.ok) return added;
      const joined = await this.joining.join(found.value, { userId: user.id, impersonatorId: null });
      return joined.ok ? this.issuer.open(user, { method: 'invitation' }, tenantId) : joined;
    });
  }
}
