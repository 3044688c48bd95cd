import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { RecoveryCodeRepository } from '../data/recovery-code.repository';
import { TotpFactorRepository } from '../data/totp-factor.repository';
import { SecondFactorRemoved, type FactorActor } from '../factors.events';
import { FactorFailures } from '../factors.failures';

/**
 * Removes the authenticator app and the recovery codes, and ends the caller's other sessions.
 * Sign-ins need no second factor from now on. NOT_FOUND.
 */
export class DisableTotp extends Command<Result<void, 'NOT_FOUND' | 'UNAUTHENTICATED'>> {
  constructor(readonly actor: FactorActor) {
    super();
  }
}

@CommandHandler(DisableTotp)
export class DisableTotpHandler implements ICommandHandler<DisableTotp> {
  constructor(
    private readonly users: UserRepository,
    private readonly totpFactors: TotpFactorRepository,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor }: DisableTotp) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      if (!(await this.totpFactors.remove(user.id))) return err(FactorFailures.noFactor);
      await this.recoveryCodes.replaceAll(user.id, []);
      if (!user.hasSecondFactor) return ok(); // the app was never confirmed
      user.useSecondFactor(false);
      await this.users.save(user);
      await this.events.publish(new SecondFactorRemoved(actor, 'totp'));
      return ok();
    });
  }
}
