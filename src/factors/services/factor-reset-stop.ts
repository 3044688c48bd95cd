import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { FactorResetRepository } from '../data/factor-reset.repository';
import { FactorResetStopped } from '../factors.events';
import { FactorFailures } from '../factors.failures';

/** Stops the reset of a second factor on behalf of its user. */
@Injectable()
export class FactorResetStop {
  constructor(
    private readonly resets: FactorResetRepository,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** Inside a transaction, which has locked the account. NOT_FOUND without an open request. */
  async stop(userId: string): Promise<Result<void, 'NOT_FOUND'>> {
    const reset = await this.resets.lockOpen(userId);
    if (!reset) return err(FactorFailures.noOpenReset);
    reset.stop(this.clock.now());
    await this.resets.save(reset);
    await this.events.publish(new FactorResetStopped(reset));
    return ok();
  }
}
