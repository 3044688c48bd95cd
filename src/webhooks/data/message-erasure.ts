import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { ErasedPerson } from '../../platform/erasure-steps';
import { firstIdAt } from '../../platform/ids';

/** Those of tenants that the person has left. They are kept for 30 days, so few are searched. */
const ERASE = `
  DELETE FROM webhook_messages WHERE (tenant_id, id) IN (
    SELECT tenant_id, id FROM webhook_messages
     WHERE tenant_id = ANY ($1::uuid[]) AND id < $2 AND NOT is_pending
       AND EXISTS (SELECT FROM unnest($3::text[]) AS address WHERE position(address IN body) > 0)
     LIMIT $4)
  RETURNING 1`;

/** Deletes messages, with their deliveries, that contain the address of a deleted account. */
@Injectable()
export class MessageErasure {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Runs across tenants. @returns how many were deleted, at most `limit` */
  async erase({ emails, erasedAt, leftTenantIds }: ErasedPerson, limit: number): Promise<number> {
    const addresses = emails.map((email) => JSON.stringify(email));
    return (await this.unitOfWork.query(ERASE, [leftTenantIds, firstIdAt(erasedAt), addresses, limit])).length;
  }
}
