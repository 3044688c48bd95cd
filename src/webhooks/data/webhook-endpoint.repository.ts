import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { WebhookEndpoint } from '../domain/webhook-endpoint';
import { ReceiverRepository } from './receiver.repository';

/** Every type that an endpoint of the tenant gets; read wherever the tenant's row is locked. */
const STORE_TYPES = `
  UPDATE tenants SET webhook_types = (
    SELECT CASE WHEN count(*) = 0 THEN NULL WHEN bool_or(e.types IS NULL) THEN ARRAY['*']
                ELSE (SELECT array_agg(DISTINCT type) FROM webhook_endpoints o, unnest(o.types) AS type
                       WHERE o.tenant_id = $1 AND NOT o.is_deleted) END
      FROM webhook_endpoints e WHERE e.tenant_id = $1 AND NOT e.is_deleted)
   WHERE id = $1`;

/**
 * Stores the endpoints of a tenant. A transaction that adds, changes or removes one holds the
 * serial lock of the tenant. Deleted ones are found by nothing but their removal.
 */
@Injectable()
export class WebhookEndpointRepository extends ReceiverRepository<WebhookEndpoint> {
  constructor(unitOfWork: UnitOfWork) {
    super(WebhookEndpoint, unitOfWork);
  }

  async add(endpoint: WebhookEndpoint): Promise<void> {
    await this.insert(endpoint);
    await this.storeTypes(endpoint);
  }

  count(tenantId: string): Promise<number> {
    return this.rows.countBy({ tenantId, isDeleted: false });
  }

  lock(tenantId: string, id: string): Promise<WebhookEndpoint | null> {
    return this.lockOne({ tenantId, id, isDeleted: false });
  }

  async tenantOf(id: string): Promise<string | undefined> {
    return (await this.rows.findOne({ select: { tenantId: true }, where: { id, isDeleted: false } }))?.tenantId;
  }

  /** Saves it after a change of its types, or its deletion. */
  async saveTypes(endpoint: WebhookEndpoint): Promise<void> {
    await this.save(endpoint);
    await this.storeTypes(endpoint);
  }

  /** Removes the row of a deleted endpoint. */
  async removeDeleted(tenantId: string, id: string): Promise<void> {
    await this.rows.delete({ tenantId, id, isDeleted: true });
  }

  /** The endpoints of several tenants, which cannot be deleted until the transaction ends. */
  keepOfTenants(tenantIds: readonly string[]): Promise<WebhookEndpoint[]> {
    return this.rows.find({
      where: { tenantId: In([...tenantIds]), isDeleted: false },
      lock: { mode: 'for_key_share' },
    });
  }

  listByIds(tenantIds: readonly string[], ids: readonly string[]): Promise<WebhookEndpoint[]> {
    return this.rows.findBy({ tenantId: In([...tenantIds]), id: In([...ids]) });
  }

  private storeTypes({ tenantId }: WebhookEndpoint): Promise<void> {
    return this.unitOfWork.write(STORE_TYPES, [tenantId]);
  }
}
