import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RevokedTokens } from '../../../http/access/revoked-tokens';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { Job, Jobs, type KeyedJobRequest } from '../../../platform/jobs/jobs';
import { ok, type Result } from '../../../platform/result';
import { TenantDeparture } from '../../../tenants/tenants.api';
import { UserRepository, type User } from '../../../users/users.api';
import { AccountDeleted } from '../../accounts.events';
import { AccountErasureRepository } from '../data/account-erasure.repository';
import { AccountErasure } from '../domain/account-erasure';
import type { AccountHoldings } from '../domain/deletion-blocker';
import { AccountKeeper } from '../services/account-keeper';
import { AddressesOfAccount } from '../services/addresses-of-account';
import { HoldingsReader } from '../services/holdings-reader';
import { completeErasureJob } from './complete-erasure';
import { SendDeletionStoppedMail } from './send-deletion-stopped-mail';

/**
 * Deletes an account that is due, with the tenants of its user alone, in one transaction: either
 * everything or nothing happens, however often the job is repeated. If something prevents it
 * meanwhile, the account is kept, and an email says why. UNAVAILABLE and SUBSCRIPTION_ACTIVE if
 * the tenants changed meanwhile: the next attempt decides again.
 */
@Job('delete-account')
export class DeleteAccount extends Command<Result<void, 'SUBSCRIPTION_ACTIVE' | 'UNAVAILABLE'>> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The job for it. At most one exists per account. */
export const deleteAccountJob = (userId: string): KeyedJobRequest => ({
  command: new DeleteAccount(userId),
  key: `delete-account:${userId}`,
});

@CommandHandler(DeleteAccount)
export class DeleteAccountHandler implements ICommandHandler<DeleteAccount> {
  constructor(
    private readonly tenantDeparture: TenantDeparture,
    private readonly holdings: HoldingsReader,
    private readonly accountKeeper: AccountKeeper,
    private readonly users: UserRepository,
    private readonly addresses: AddressesOfAccount,
    private readonly erasures: AccountErasureRepository,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ userId }: DeleteAccount) {
    return this.unitOfWork.acrossTenants(async () => {
      const locked = await this.tenantDeparture.lock(userId);
      if (!locked.ok) return locked;
      const { user, memberships } = locked.value;
      const now = this.clock.now();
      if (!user?.isDeletionDue(now)) return ok(); // deleted or kept meanwhile
      const { blockers } = await this.holdings.of(userId);
      if (blockers.length > 0) return this.keep(userId, blockers);
      const left = await this.tenantDeparture.leaveAll(userId, memberships);
      if (!left.ok) return left;
      const idsOf = (isOwned: boolean) =>
        memberships.filter(({ isOwner }) => isOwner === isOwned).map(({ tenantId }) => tenantId);
      const tenants = { deletedTenantIds: idsOf(true), leftTenantIds: idsOf(false) };
      const emails = await this.addresses.list(user);
      await this.delete(user, AccountErasure.start({ userId, emails, erasedAt: now, ...tenants }));
      return ok();
    });
  }

  private async delete(user: User, erasure: AccountErasure): Promise<void> {
    await this.users.remove([user]);
    await this.erasures.add(erasure);
    await this.revokedTokens.revoke([user.id]);
    await this.events.publish(new AccountDeleted(user.id));
    await this.jobs.enqueueMissing([completeErasureJob(user.id)]);
  }

  private async keep(userId: string, blockers: AccountHoldings['blockers']): Promise<Result> {
    await this.accountKeeper.keep(userId, 'blocked');
    const names = blockers.map(({ name }) => name);
    await this.jobs.enqueue(new SendDeletionStoppedMail(userId, names));
    return ok();
  }
}
