import { Injectable } from '@nestjs/common';
import type { ErasedPerson } from '../../../platform/erasure-steps';
import { UnitOfWork } from '../../../platform/database/unit-of-work';

/**
 * Payloads of deleted tenants, whatever their state, and those with an address in tenants that the
 * person has left or in earlier events of no tenant, once they were applied. They are kept for 90
 * days, so that few are searched.
 */
const ERASE = `
  UPDATE webhook_events SET payload = '{}' WHERE id IN (
    SELECT id FROM webhook_events
     WHERE payload <> '{}' AND (tenant_id = ANY ($1::uuid[])
        OR status IN ('processed', 'ignored')
           AND (tenant_id = ANY ($2::uuid[]) OR tenant_id IS NULL AND received_at <= $5) AND EXISTS (
           SELECT FROM unnest($3::text[]) AS address WHERE position(address IN payload::text) > 0))
     LIMIT $4)
  RETURNING 1`;

/** Empties stored Stripe events about a person. The events stay, so that none is applied twice. */
@Injectable()
export class WebhookPayloadErasure {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Runs across tenants. @returns how many were emptied, at most `limit` */
  async erase({ emails, erasedAt, deletedTenantIds, leftTenantIds }: ErasedPerson, limit: number): Promise<number> {
    const parameters = [deletedTenantIds, leftTenantIds, emails.map((email) => JSON.stringify(email)), limit, erasedAt];
    return (await this.unitOfWork.query(ERASE, parameters)).length;
  }
}
