import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { UserRepository } from '../../users/users.api';
import { SecondFactorRemoved } from '../factors.events';
import { FactorResetStop } from '../services/factor-reset-stop';

/**
 * Closes the request to reset the second factor of a user who removed it: it must not remove one
 * that the user adds later.
 */
@Injectable()
export class CancelResetOnSecondFactorRemoved implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly users: UserRepository,
    private readonly factorResetStop: FactorResetStop,
  ) {}

  onModuleInit(): void {
    this.events.on(SecondFactorRemoved, async ([{ userId }]) => {
      const user = await this.users.findById(userId);
      if (user && !user.hasSecondFactor) await this.factorResetStop.stop(userId); // if there is one
    });
  }
}
