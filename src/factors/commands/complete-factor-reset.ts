import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { FactorResetRepository } from '../data/factor-reset.repository';
import { PasskeyRepository } from '../data/passkey.repository';
import { PasskeyRemoved, SecondFactorReset } from '../factors.events';
import { SecondFactorRemoval } from '../services/second-factor-removal';

/**
 * Removes every second factor of a user, as an approved reset says, and the passkeys: a
 * user who still has one needs no reset, and a lost device must not keep access. All sessions end.
 * Idempotent: nothing happens if the reset was stopped, canceled or done in the meantime.
 */
@Job('complete-factor-reset')
export class CompleteFactorReset extends Command<Result> {
  constructor(readonly resetId: string) {
    super();
  }
}

@CommandHandler(CompleteFactorReset)
export class CompleteFactorResetHandler implements ICommandHandler<CompleteFactorReset> {
  constructor(
    private readonly users: UserRepository,
    private readonly resets: FactorResetRepository,
    private readonly removal: SecondFactorRemoval,
    private readonly passkeys: PasskeyRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ resetId }: CompleteFactorReset): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      const known = await this.resets.find(resetId);
      const user = known && (await this.users.lock(known.userId));
      const reset = user && (await this.resets.lock(resetId)); // after the account, as everywhere
      if (!reset?.complete(this.clock.now())) return ok();
      await this.resets.save(reset);
      await this.removal.removeAll(user!);
      const passkeys = await this.passkeys.removeAll(user!.id);
      await this.events.publish(
        new SecondFactorReset(reset),
        ...passkeys.map((passkey) => new PasskeyRemoved(passkey, 'factor-reset')),
      );
      return ok();
    });
  }
}
