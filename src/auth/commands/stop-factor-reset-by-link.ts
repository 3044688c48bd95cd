import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FactorResetStop } from '../../factors/factors.api';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Result } from '../../platform/result';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';

/**
 * Stops the reset of a second factor, with the token of the email about it; nobody has to be signed
 * in. NOT_FOUND if it was done, stopped or canceled before; RESET_TOKEN_INVALID;
 * RESET_TOKEN_EXPIRED.
 */
export class StopFactorResetByLink extends Command<
  Result<void, 'NOT_FOUND' | 'RESET_TOKEN_EXPIRED' | 'RESET_TOKEN_INVALID'>
> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(StopFactorResetByLink)
export class StopFactorResetByLinkHandler implements ICommandHandler<StopFactorResetByLink> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly factorResetStop: FactorResetStop,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ token }: StopFactorResetByLink) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consume('factor-keeping', token); // locks the account
      return owner.ok ? this.factorResetStop.stop(owner.value.userId) : owner;
    });
  }
}
