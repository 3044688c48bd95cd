import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ok, type Result } from '../../platform/result';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';

/**
 * Checks whether the token of a reset link is valid, without consuming it: a page can say so before
 * a new password is typed. RESET_TOKEN_INVALID; RESET_TOKEN_EXPIRED.
 */
export class CheckResetLink extends Query<Result<void, 'RESET_TOKEN_EXPIRED' | 'RESET_TOKEN_INVALID'>> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(CheckResetLink)
export class CheckResetLinkHandler implements IQueryHandler<CheckResetLink> {
  constructor(private readonly tokens: OneTimeTokenRepository) {}

  async execute({ token }: CheckResetLink) {
    const owner = await this.tokens.peek('password-reset', token);
    return owner.ok ? ok() : owner;
  }
}
