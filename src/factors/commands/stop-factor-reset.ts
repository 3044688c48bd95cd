import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { FactorResetStop } from '../services/factor-reset-stop';

/** A signed-in user stops the reset of their second factor. NOT_FOUND. */
export class StopFactorReset extends Command<Result<void, 'NOT_FOUND' | 'UNAUTHENTICATED'>> {
  constructor(readonly actor: Pick<Actor, 'userId'>) {
    super();
  }
}

@CommandHandler(StopFactorReset)
export class StopFactorResetHandler implements ICommandHandler<StopFactorReset> {
  constructor(
    private readonly users: UserRepository,
    private readonly factorResetStop: FactorResetStop,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor }: StopFactorReset) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      return user ? this.factorResetStop.stop(user.id) : err(PlatformFailures.unauthenticated);
    });
  }
}
