import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { LinkedProvider, type Provider } from '../domain/linked-provider';

/** Identity providers that are linked to accounts. */
@Injectable()
export class LinkedProviderRepository extends EntityRepository<LinkedProvider> {
  constructor(unitOfWork: UnitOfWork) {
    super(LinkedProvider, unitOfWork);
  }

  /** The providers that are linked to an account. */
  async listByUser(userId: string): Promise<Provider[]> {
    return (await this.rows.findBy({ userId })).map(({ provider }) => provider);
  }

  /**
   * Adds a link to an account that this transaction has locked.
   * @returns false if the identity, or another one at this provider, is linked already
   */
  add(link: LinkedProvider): Promise<boolean> {
    return this.insertUnlessStored(link);
  }

  /**
   * Unlinks providers from an account that this transaction has locked.
   * @returns the providers that were linked
   */
  async unlink(userId: string, providers: readonly Provider[]): Promise<Provider[]> {
    return (await this.deleteBy({ userId, provider: In(providers) })).map(({ provider }) => provider);
  }
}
