import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ok, type Result } from '../../platform/result';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { SigningInPurpose } from '../services/link-page';

/**
 * The id of the person whose mailed link this token is, without using it up; undefined when no such
 * link is open.
 */
export class FindLinkOwner extends Query<Result<string | undefined>> {
  constructor(
    readonly purpose: SigningInPurpose,
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
