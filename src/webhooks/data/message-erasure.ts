import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { ErasedPerson } from '../../platform/erasure-steps';
import { firstIdAt } from '../../platform/ids';

/** Of every tenant: one that the person was never in may have invited the address. */
const ERASE = `
  DELETE FROM webhook_messages WHERE (tenant_id, id) IN (
    SELECT tenant_id, id FROM webhook_messages
     WHERE email = ANY ($1::text[]) AND id < $2 AND NOT is_pending LIMIT $3)
  RETURNING 1`;

/** Deletes messages, with their deliveries, that name the address of a deleted account. */
@Injectable()
export class MessageErasure {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Runs across tenants. @returns how many were deleted, at most `limit` */
  async erase({ emails, erasedAt }: ErasedPerson, limit: number): Promise<number> {
    return (await this.unitOfWork.query(ERASE, [emails, firstIdAt(erasedAt), limit])).length;
  }
}
