import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { RecoveryCodesCreated, type FactorActor } from '../factors.events';
import { FactorFailures } from '../factors.failures';
import type { RecoveryCodesView } from '../http/views/factors.views';
import { RecoveryCodeIssuer } from '../services/recovery-code-issuer';

/**
 * Replaces the recovery codes and returns the new ones, which are shown only now. NOT_FOUND without
 * a second factor.
 */
export class CreateRecoveryCodes extends Command<Result<RecoveryCodesView, 'NOT_FOUND' | 'UNAUTHENTICATED'>> {
  constructor(readonly actor: FactorActor) {
    super();
  }
}

@CommandHandler(CreateRecoveryCodes)
export class CreateRecoveryCodesHandler implements ICommandHandler<CreateRecoveryCodes> {
  constructor(
    private readonly users: UserRepository,
    private readonly recoveryCodes: RecoveryCodeIssuer,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor }: CreateRecoveryCodes) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      if (!user.hasSecondFactor) return err(FactorFailures.noFactor);
      const recoveryCodes = await this.recoveryCodes.issue(user.id);
      await this.events.publish(new RecoveryCodesCreated(actor));
      return ok({ recoveryCodes });
    });
  }
}
