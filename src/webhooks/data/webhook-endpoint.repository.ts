import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { entityOf } from '../../platform/database/entity-of';
import { columnsOf } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { WebhookEndpoint } from '../domain/webhook-endpoint';
import { grantorRoleOf, type GrantorRole } from './grantor-role';
import { ReceiverRepository } from './receiver.repository';

/** Every type that verified endpoints of the tenant get; read wherever its row is locked. */
const STORE_TYPES = `
  UPDATE tenants SET webhook_types = (
    SELECT CASE WHEN count(*) = 0 THEN NULL WHEN bool_or(e.types IS NULL) THEN ARRAY['*']
                ELSE (SELECT array_agg(DISTINCT type) FROM webhook_endpoints o, unnest(o.types) AS type
                       WHERE o.tenant_id = $1 AND NOT o.is_deleted AND o.verified_at IS NOT NULL) END
      FROM webhook_endpoints e WHERE e.tenant_id = $1 AND NOT e.is_deleted AND e.verified_at IS NOT NULL)
   WHERE id = $1`;

/** Due deliveries of an endpoint; more of them are not sent by themselves. */
const MOST_DUE = 10_000;

/** Whether `e` has as many due deliveries as it may have. */
const IS_FULL = `
  EXISTS (SELECT FROM webhook_deliveries d
           WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.state = 'due' OFFSET ${MOST_DUE - 1})`;

/** The endpoints of some tenants, with that, for every batch of messages. */
const KEPT = (rows: Repository<WebhookEndpoint>) =>
  rows
    .createQueryBuilder('e')
    .select(`${columnsOf(WebhookEndpoint, 'e')}, ${IS_FULL} AS "isFull", ${grantorRoleOf('e')} AS grantor`)
    .where('e.tenantId = ANY($1) AND NOT e.isDeleted')
    .setLock('for_key_share', undefined, ['e']);

/** An endpoint that cannot be deleted until the transaction ends. */
export interface KeptEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** Whether no more deliveries are to be sent by themselves. */
  readonly isFull: boolean;
  /** Null: its events need nobody's permissions. */
  readonly grantor: GrantorRole | null;
}

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

  /** Saves it after a change of its types or address, its verification, or its deletion. */
  async saveTypes(endpoint: WebhookEndpoint): Promise<void> {
    await this.save(endpoint);
    await this.storeTypes(endpoint);
  }

  /** Removes the row of a deleted endpoint. */
  async removeDeleted(tenantId: string, id: string): Promise<void> {
    await this.rows.delete({ tenantId, id, isDeleted: true });
  }

  /** The endpoints of several tenants, which cannot be deleted until the transaction ends. */
  async keepOfTenants(tenantIds: readonly string[]): Promise<KeptEndpoint[]> {
    const rows = await this.rowsOfBuilt<Omit<KeptEndpoint, 'endpoint'>>(KEPT, [tenantIds]);
    return rows.map((row) => ({ endpoint: entityOf(WebhookEndpoint, row), isFull: row.isFull, grantor: row.grantor }));
  }

  listByIds(tenantIds: readonly string[], ids: readonly string[]): Promise<WebhookEndpoint[]> {
    return this.rows.findBy({ tenantId: In([...tenantIds]), id: In([...ids]) });
  }

  /** Whether no more deliveries to an endpoint are to be sent by themselves. */
  isFull({ tenantId, id }: WebhookEndpoint): Promise<boolean> {
    return this.rows.createQueryBuilder('e').where({ tenantId, id }).andWhere(IS_FULL).getExists();
  }

  private storeTypes({ tenantId }: WebhookEndpoint): Promise<void> {
    return this.unitOfWork.write(STORE_TYPES, [tenantId]);
  }
}
