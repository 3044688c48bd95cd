import { Injectable } from '@nestjs/common';
import type { ErasedPerson } from '../../platform/erasure-steps';
import { DatabaseFunction } from '../../platform/database/database-function';
import { UnitOfWork } from '../../platform/database/unit-of-work';

const ERASE = new DatabaseFunction<{ erased: number }>('erase_audit_details', { erased: 'erase_audit_details' });

/**
 * Empties the details and IP addresses of audit entries; who did what and when stays. A function of
 * the database chooses the entries, and only for a person whose account was deleted
 * (docs/decisions/0052-deletion-of-accounts.md).
 */
@Injectable()
export class AuditErasure {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Runs across tenants. @returns how many were erased, at most `limit` */
  async erase({ userId }: ErasedPerson, limit: number): Promise<number> {
    return (await this.unitOfWork.call(ERASE, userId, limit))[0].erased;
  }
}
