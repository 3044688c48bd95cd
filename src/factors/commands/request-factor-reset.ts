import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck, UserRepository } from '../../users/users.api';
import { withDeadlines } from '../data/factor-reset.columns';
import { FactorResetRepository } from '../data/factor-reset.repository';
import { FactorReset } from '../domain/factor-reset';
import { FactorResetRequested } from '../factors.events';
import { FactorFailures } from '../factors.failures';
import type { FactorResetView } from '../http/views/factor-resets.views';
import { ProvingFactors } from '../services/proving-factors';

/**
 * Asks to reset the lost second factor of a user, on behalf of an admin. The user is told, and can
 * stop it. NOT_FOUND; CONFLICT without a second factor, or while a request is open;
 * SECOND_OPERATOR_REQUIRED for the caller's own factor; FORBIDDEN if the caller's admin flag was
 * revoked after the token was issued.
 */
export class RequestFactorReset extends Command<
  Result<FactorResetView, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND' | 'SECOND_OPERATOR_REQUIRED'>
> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(RequestFactorReset)
export class RequestFactorResetHandler implements ICommandHandler<RequestFactorReset> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly users: UserRepository,
    private readonly provingFactors: ProvingFactors,
    private readonly resets: FactorResetRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, userId, reason }: RequestFactorReset) {
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const user = await this.users.lockUnchanged(userId);
      if (!user) return err(PlatformFailures.notFound);
      const requested = FactorReset.request(userId, reason, actor.userId, this.clock.now());
      if (!requested.ok) return requested;
      if (!(await this.provingFactors.exist(user))) return err(FactorFailures.hasNoFactor);
      const added = await this.resets.add(requested.value);
      if (!added.ok) return added;
      await this.events.publish(new FactorResetRequested(actor, requested.value));
      return ok(withDeadlines(requested.value));
    });
  }
}
