import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { TenantProvisioning } from '../../tenants/tenants.api';
import { UserRepository } from '../../users/users.api';
import { UnverifiedAccountDeleted, type DeletionReason } from '../auth.events';

/** Deletes accounts whose email address was never verified. */
@Injectable()
export class UnverifiedAccountDeletion {
  constructor(
    private readonly users: UserRepository,
    private readonly tenantProvisioning: TenantProvisioning,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Deletes the unverified accounts among these, with their workspaces; inside a transaction across
   * tenants.
   * @param reason kept in the audit log
   */
  async delete(userIds: readonly string[], reason: DeletionReason): Promise<void> {
    const unverified = await this.users.lockUnverified(userIds);
    if (unverified.length === 0) return;
    await this.tenantProvisioning.removeUnused(unverified);
    await this.users.remove(unverified);
    await this.events.publish(...unverified.map(({ id }) => new UnverifiedAccountDeleted(id, reason)));
  }
}
