import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newIdAt } from '../../platform/ids';
import type { PublicMessage } from '../../platform/public-events';
import { newSecretToken } from '../../platform/secret-token';
import { Tenant } from '../../tenants/tenants.api';

/** The type of the message that a member sends to try an endpoint. */
export const TEST_TYPE = 'webhook.test';

/** The type of the message that a receiver must answer before it gets any other. */
export const CHALLENGE_TYPE = 'webhook.verification';

/** A public event as it is sent, kept for 30 days. */
@Entity('webhook_messages')
@Index('webhook_messages_pending_idx', ['id'], { where: 'is_pending' })
@Index('webhook_messages_id_idx', ['id'])
@Index('webhook_messages_email_idx', ['email'], { where: 'email IS NOT NULL' })
export class WebhookMessage {
  @ForeignKey(() => Tenant, { name: 'webhook_messages_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_messages_pkey' })
  readonly tenantId!: string;
  /** Also the header `webhook-id`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_messages_pkey' }) readonly id!: string;
  @Column('text') readonly type!: string;
  /** JSON, exactly as it is sent and signed. */
  @Column('text') readonly body!: string;
  /** The email address in the data (`data.email`), for erasure; null: there is none. */
  @Column('text', { nullable: true }) readonly email!: string | null;
  /** Whether its deliveries are still to be created. */
  @Column('boolean') readonly isPending!: boolean;

  static of(message: PublicMessage, now: Date): WebhookMessage {
    const { type, tenantId } = message;
    const body = JSON.stringify(message);
    const email = 'email' in message.data && typeof message.data.email === 'string' ? message.data.email : null;
    return Object.assign(new WebhookMessage(), { tenantId, id: newIdAt(now), type, body, email, isPending: true });
  }

  static test(tenantId: string, endpointId: string, now: Date): WebhookMessage {
    return this.toOne(TEST_TYPE, tenantId, { endpointId }, now);
  }

  static challenge(tenantId: string, endpointId: string, now: Date): WebhookMessage {
    return this.toOne(CHALLENGE_TYPE, tenantId, { endpointId, challenge: newSecretToken() }, now);
  }

  /** A message to one endpoint, whose delivery is created with it. */
  private static toOne(type: string, tenantId: string, data: object, now: Date): WebhookMessage {
    const message = { type, timestamp: now.toISOString(), tenantId, data };
    return Object.assign(WebhookMessage.of(message, now), { isPending: false });
  }
}

/** The challenge in the body of such a message; undefined in any other. */
export function challengeIn(type: string, body: string): string | undefined {
  if (type !== CHALLENGE_TYPE) return undefined;
  return (JSON.parse(body) as { readonly data: { readonly challenge: string } }).data.challenge;
}
