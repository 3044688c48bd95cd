import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ok, type Result } from '../../platform/result';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { SignInLinkPurpose } from '../services/mailed-link-urls';

/** The user id of an emailed link, without consuming it; undefined if the link is not valid. */
export class FindLinkOwner extends Query<Result<string | undefined>> {
  constructor(
    readonly purpose: SignInLinkPurpose,
    readonly token: string,
  ) {
    super();
  }
}

@QueryHandler(FindLinkOwner)
export class FindLinkOwnerHandler implements IQueryHandler<FindLinkOwner> {
  constructor(private readonly tokens: OneTimeTokenRepository) {}

  async execute({ purpose, token }: FindLinkOwner): Promise<Result<string | undefined>> {
    const owner = await this.tokens.peek(purpose, token);
    return ok(owner.ok ? owner.value.userId : undefined);
  }
}
