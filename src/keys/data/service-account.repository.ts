import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, ok, type Result } from '../../platform/result';
import { MAX_SERVICE_ACCOUNTS_PER_TENANT } from '../domain/key-limits';
import { ServiceAccount } from '../domain/service-account';
import { KeyFailures } from '../keys.failures';

/** Stores the service accounts of a tenant. */
@Injectable()
export class ServiceAccountRepository extends EntityRepository<ServiceAccount> {
  constructor(unitOfWork: UnitOfWork) {
    super(ServiceAccount, unitOfWork);
  }

  /**
   * Adds an account in a transaction that holds the tenant's serial lock. LIMIT_REACHED if the
   * tenant has as many as allowed.
   */
  async add(account: ServiceAccount): Promise<Result<void, 'LIMIT_REACHED'>> {
    const { tenantId } = account;
    const count = await this.rows.countBy({ tenantId });
    if (count >= MAX_SERVICE_ACCOUNTS_PER_TENANT) return err(KeyFailures.tooManyServiceAccounts);
    await this.insert(account);
    return ok();
  }

  /** Locks an account in order to change it or to add a key. Null if there is none. */
  lock(tenantId: string, id: string): Promise<ServiceAccount | null> {
    return this.lockOne({ tenantId, id });
  }

  /** Saves an account that this transaction has locked. */
  save(account: ServiceAccount): Promise<void> {
    return this.updateLater(account);
  }

  /** Removes an account with its keys. */
  async remove(account: ServiceAccount): Promise<void> {
    await this.delete(account);
  }
}
