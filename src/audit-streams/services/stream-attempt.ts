import { Injectable } from '@nestjs/common';
import { FeatureCheck } from '../../billing/billing.api';
import { Clock } from '../../platform/clock';
import { permissionsOf } from '../../tenants/tenants.api';
import { DeliveryAttempt, type FinishedAttempt } from '../../webhooks/webhooks.api';
import type { TakenStream } from '../data/audit-stream.repository';
import type { AuditBatch } from '../domain/audit-batch';
import { NEEDED_TO_STREAM, type AuditStream } from '../domain/audit-stream';
import { StreamAuthorization } from './stream-authorization';

const NOT_GRANTED = 'The member who chose the receiver can no longer view the audit log.';
const NOT_INCLUDED = 'The plan does not include audit streams.';

/** Sends a batch to the receiver of a stream. */
@Injectable()
export class StreamAttempt {
  constructor(
    private readonly attempt: DeliveryAttempt,
    private readonly authorization: StreamAuthorization,
    private readonly features: FeatureCheck,
    private readonly clock: Clock,
  ) {}

  /** Nothing is sent, and the attempt fails, while the plan of the tenant has no streams. */
  async send(stream: AuditStream, { id, body }: Pick<AuditBatch, 'id' | 'body'>): Promise<FinishedAttempt> {
    const allowed = await this.features.require(stream.tenantId, 'auditStreaming');
    if (allowed.ok) return this.attempt.send(stream, { id, body, headers: this.authorization.headersOf(stream) });
    return this.refusal(NOT_INCLUDED);
  }

  /** The same while the member who chose the receiver may not read the log. */
  sendBatch({ stream, grantor }: TakenStream, batch: AuditBatch): Promise<FinishedAttempt> {
    const isGranted = grantor === null || permissionsOf(grantor).includes(NEEDED_TO_STREAM);
    return isGranted ? this.send(stream, batch) : Promise.resolve(this.refusal(NOT_GRANTED));
  }

  private refusal(error: string): FinishedAttempt {
    const at = this.clock.now().toISOString();
    return { attempt: { at, milliseconds: 0, status: null, error, response: '' }, retryAfter: undefined };
  }
}
