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
import { FactorResetApproved } from '../factors.events';
import type { FactorResetView } from '../http/views/factor-resets.views';

/**
 * Approves the reset of a second factor, on behalf of another admin than the one who asked. It
 * happens when the user had a day to stop it. NOT_FOUND; CONFLICT unless it waits for an approval;
 * SECOND_OPERATOR_REQUIRED; FORBIDDEN if the caller's admin flag was revoked after the token was
 * issued.
 */
export class ApproveFactorReset extends Command<
  Result<FactorResetView, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND' | 'SECOND_OPERATOR_REQUIRED'>
> {
  constructor(
    readonly actor: Actor,
    readonly resetId: string,
  ) {
    super();
  }
}

@CommandHandler(ApproveFactorReset)
export class ApproveFactorResetHandler implements ICommandHandler<ApproveFactorReset> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly resets: FactorResetRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, resetId }: ApproveFactorReset) {
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const reset = await this.resets.lock(resetId);
      if (!reset) return err(PlatformFailures.notFound);
      const approved = reset.approve(actor.userId, this.clock.now());
      if (!approved.ok) return approved;
      await this.resets.save(reset);
      await this.events.publish(new FactorResetApproved(actor, reset));
      return ok(withDeadlines(reset));
    });
  }
}
