import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { ApiKeyRepository } from '../data/api-key.repository';

/** Tokens that one announcement holds. */
const ANNOUNCED_AT_ONCE = 200;

/**
 * The account of a user no longer has a second factor: what its personal tokens have proven with it
 * does not count, as in sessions (`Session.forgetSecondFactor`).
 */
@Job('reset-proofs-of-tokens')
export class ResetProofsOfTokens extends Command<Result> {
  /** @param withPasskeys whether proofs by passkey do not count either */
  constructor(
    readonly userId: string,
    readonly withPasskeys: boolean,
  ) {
    super();
  }
}

@CommandHandler(ResetProofsOfTokens)
export class ResetProofsOfTokensHandler implements ICommandHandler<ResetProofsOfTokens> {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly revokedTokens: RevokedTokens,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ userId, withPasskeys }: ResetProofsOfTokens) {
    return this.unitOfWork.acrossTenants(async () => {
      const ids = await this.keys.resetProofs(userId, withPasskeys);
      for (let from = 0; from < ids.length; from += ANNOUNCED_AT_ONCE)
        await this.revokedTokens.revoke(ids.slice(from, from + ANNOUNCED_AT_ONCE)); // instances read them again
      return ok();
    });
  }
}
