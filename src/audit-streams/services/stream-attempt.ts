import { Injectable } from '@nestjs/common';
import { FeatureCheck } from '../../billing/billing.api';
import { Clock } from '../../platform/clock';
import { DeliveryAttempt, type FinishedAttempt } from '../../webhooks/webhooks.api';
import type { AuditBatch } from '../domain/audit-batch';
import type { AuditStream } from '../domain/audit-stream';
import { StreamAuthorization } from './stream-authorization';

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
    const at = this.clock.now().toISOString();
    const attempt = { at, milliseconds: 0, status: null, error: NOT_INCLUDED, response: '' };
    return { attempt, retryAfter: undefined };
  }
}
