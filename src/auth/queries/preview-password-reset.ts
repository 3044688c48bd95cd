import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ok, type Result } from '../../platform/result';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';

/**
 * Whether a mailed token can reset a password, without consuming it: a page can say so before a new
 * password is typed. RESET_TOKEN_INVALID; RESET_TOKEN_EXPIRED.
 */
export class PreviewPasswordReset extends Query<Result<void, 'RESET_TOKEN_EXPIRED' | 'RESET_TOKEN_INVALID'>> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(PreviewPasswordReset)
export class PreviewPasswordResetHandler implements IQueryHandler<PreviewPasswordReset> {
  constructor(private readonly tokens: OneTimeTokenRepository) {}

  async execute({ token }: PreviewPasswordReset) {
    const owner = await this.tokens.peek('password-reset', token);
    return owner.ok ? ok() : owner;
  }
}
