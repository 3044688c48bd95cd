import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Provider } from '../domain/linked-provider';

/** Identity providers that are linked to accounts. */
@Injectable()
export class LinkedProviderRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The providers that are linked to an account. */
  async listByUser(userId: string): Promise<Provider[]> {
    const sql = 'SELECT provider FROM linked_providers WHERE user_id = $1';
    return (await this.unitOfWork.query<{ provider: Provider }>(sql, [userId])).map(({ provider }) => provider);
  }

  /**
   * Unlinks providers from an account that this transaction has locked.
   * @returns the providers that were linked
   */
  async unlink(userId: string, providers: readonly Provider[]): Promise<Provider[]> {
    const sql = 'DELETE FROM linked_providers WHERE user_id = $1 AND provider = ANY($2::text[]) RETURNING provider';
    return (await this.unitOfWork.query<{ provider: Provider }>(sql, [userId, providers])).map(
      ({ provider }) => provider,
    );
  }
}
