import { Injectable } from '@nestjs/common';
import { recordsOf } from '../../platform/database/entity-records';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { WebhookMessage } from '../domain/webhook-message';

/** The channel on which instances announce new messages; without a payload. */
export const WEBHOOKS_CHANNEL = 'tenantry_webhooks';

const { columns, rowsOf, parameter } = recordsOf(WebhookMessage);

/** Stores the messages that an endpoint of their tenant gets, and wakes the workers at COMMIT. */
const ADD_WANTED = `
  WITH given AS (
    SELECT ${columns} FROM ${rowsOf('$1')}
  ), added AS (
    INSERT INTO webhook_messages (${columns})
    SELECT ${columns} FROM given g
     WHERE EXISTS (SELECT FROM tenants t WHERE t.id = g.tenant_id AND t.webhook_types && ARRAY['*', g.type])
    RETURNING id
  )
  SELECT pg_notify($2, '') FROM added LIMIT 1`;

/** Of two workers at the same time, each gets other messages. */
const TAKE_PENDING = `
  UPDATE webhook_messages m SET is_pending = false
    FROM (SELECT tenant_id, id FROM webhook_messages WHERE is_pending ORDER BY id LIMIT $1
             FOR UPDATE SKIP LOCKED) taken
   WHERE m.tenant_id = taken.tenant_id AND m.id = taken.id
  RETURNING m.tenant_id AS "tenantId", m.id, m.type`;

/** A message without its body. */
export type TakenMessage = Pick<WebhookMessage, 'tenantId' | 'id' | 'type'>;

/** Stores the messages to receivers. */
@Injectable()
export class WebhookMessageRepository extends EntityRepository<WebhookMessage> {
  constructor(unitOfWork: UnitOfWork) {
    super(WebhookMessage, unitOfWork);
  }

  /** Adds those that are wanted, with one statement that is sent with the next one or COMMIT. */
  addWanted(messages: readonly WebhookMessage[]): Promise<void> {
    return this.unitOfWork.write(ADD_WANTED, [parameter(messages), WEBHOOKS_CHANNEL]);
  }

  add(message: WebhookMessage): Promise<void> {
    return this.insert(message);
  }

  /** Wakes the workers at COMMIT. */
  announce(): Promise<void> {
    return this.unitOfWork.notify(WEBHOOKS_CHANNEL);
  }

  /** The oldest messages whose deliveries this transaction creates. */
  takePending(limit: number): Promise<TakenMessage[]> {
    return this.unitOfWork.query<TakenMessage>(TAKE_PENDING, [limit]);
  }
}
