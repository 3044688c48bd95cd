import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { RegistrationRepository, UserRepository } from '../../users/users.api';
import { RegistrationCanceled } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { UnverifiedAccountDeletion } from '../services/unverified-account-deletion';

/**
 * "This was not me": deletes the registration that the emailed token belongs to. If it was the last
 * one, or if the token covers several registrations, the account and its workspace are deleted.
 * VERIFICATION_TOKEN_INVALID, also if the account was verified in the meantime;
 * VERIFICATION_TOKEN_EXPIRED.
 */
export class CancelRegistration extends Command<
  Result<void, 'VERIFICATION_TOKEN_EXPIRED' | 'VERIFICATION_TOKEN_INVALID'>
> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(CancelRegistration)
export class CancelRegistrationHandler implements ICommandHandler<CancelRegistration> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly unverifiedAccountDeletion: UnverifiedAccountDeletion,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ token }: CancelRegistration) {
    return this.unitOfWork.acrossTenants(async () => {
      const owner = await this.tokens.peek('disowning', token);
      if (!owner.ok) return owner;
      const { userId, registrationId } = owner.value;
      const user = await this.users.lock(userId);
      if (!user || user.isEmailVerified) return err(AuthFailures.verificationInvalid);
      if (registrationId) await this.registrations.remove(registrationId);
      const [newest] = registrationId ? await this.registrations.listByUser(userId) : [];
      if (!registrationId || newest === undefined) await this.unverifiedAccountDeletion.delete([userId], 'disowned');
      else {
        user.registerAgain(newest.name, newest.passwordHash, newest.createdAt);
        await this.users.save(user);
        await this.events.publish(new RegistrationCanceled(userId, registrationId));
      }
      return ok();
    });
  }
}
