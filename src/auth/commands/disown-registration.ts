import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { RegistrationRepository, UserRepository } from '../../users/users.api';
import { RegistrationDisowned } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { UnverifiedAccountDeletion } from '../services/unverified-account-deletion';

/**
 * "This was not me": deletes the registration that the mailed token belongs to, and with the last
 * one, or with a token of none of several, the account and its workspace.
 * VERIFICATION_TOKEN_INVALID, also for an account that is verified by now, or _EXPIRED.
 */
export class DisownRegistration extends Command<Result> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(DisownRegistration)
export class DisownRegistrationHandler implements ICommandHandler<DisownRegistration> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly unverifiedAccountDeletion: UnverifiedAccountDeletion,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ token }: DisownRegistration): Promise<Result> {
    return this.unitOfWork.acrossTenants(async () => {
      const owner = await this.tokens.peek('disowning', token);
      if (!owner.ok) return owner;
      const { userId, registrationId } = owner.value;
      const user = await this.users.lock(userId);
      if (!user || user.isEmailVerified) return err(AuthFailures.verificationInvalid);
      if (registrationId) await this.registrations.remove(registrationId);
      const [left] = registrationId ? await this.registrations.standingOf(userId) : [];
      if (!registrationId || left === undefined) await this.unverifiedAccountDeletion.remove([userId], 'disowned');
      else {
        user.registerAgain(left.name, left.passwordHash, left.createdAt);
        await this.users.save(user);
        await this.events.publish(new RegistrationDisowned(userId, registrationId));
      }
      return ok();
    });
  }
}
