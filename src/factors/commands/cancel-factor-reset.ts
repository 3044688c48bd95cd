import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck } from '../../users/users.api';
import { withDeadlines } from '../data/factor-reset.columns';
import { FactorResetRepository } from '../data/factor-reset.repository';
import { FactorResetCanceled } from '../factors.events';
import type { FactorResetView } from '../http/views/factor-resets.views';

/**
 * Cancels the reset of a second factor, on behalf of any admin. NOT_FOUND; CONFLICT unless it is
 * open; FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class CancelFactorReset extends Command<Result<FactorResetView, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly resetId: string,
  ) {
    super();
  }
}

@CommandHandler(CancelFactorReset)
export class CancelFactorResetHandler implements ICommandHandler<CancelFactorReset> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly resets: FactorResetRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, resetId }: CancelFactorReset) {
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const reset = await this.resets.lock(resetId);
      if (!reset) return err(PlatformFailures.notFound);
      const canceled = reset.cancel(actor.userId, this.clock.now());
      if (!canceled.ok) return canceled;
      await this.resets.save(reset);
      await this.events.publish(new FactorResetCanceled(actor, reset));
      return ok(withDeadlines(reset));
    });
  }
}
