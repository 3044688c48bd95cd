import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UserRepository } from '../../../users/users.api';
import type { AccountDeletionView } from '../http/views/deletion.views';
import { HoldingsReader } from '../services/holdings-reader';

/** What the deletion of the caller's account means, and when it happens. */
export class GetAccountDeletion extends Query<Result<AccountDeletionView, 'UNAUTHENTICATED'>> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@QueryHandler(GetAccountDeletion)
export class GetAccountDeletionHandler implements IQueryHandler<GetAccountDeletion> {
  constructor(
    private readonly users: UserRepository,
    private readonly holdings: HoldingsReader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor }: GetAccountDeletion) {
    return this.unitOfWork.acrossTenants(async () => {
      const user = await this.users.findById(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated); // deleted after the token was issued
      return ok({ deletesAt: user.deletesAt, ...(await this.holdings.of(user.id)) });
    });
  }
}
