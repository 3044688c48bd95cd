import { completeAfter } from '../../audit/audit.api';
import { computed } from '../../platform/database/entity-reader';
import type { AuditStream } from '../domain/audit-stream';

/** The columns of a stream that responses show. */
export const STREAM_COLUMNS = [
  'id',
  'url',
  'description',
  'publicKey',
  'oldKeysUntil',
  'disabledAt',
  'disabledWhy',
  'failingSince',
  'lastError',
  'lastSuccessAt',
  'createdBy',
  'createdAt',
] as const satisfies readonly (keyof AuditStream)[];

/** The time of the first entry of a stream that was not sent. */
export const firstWaiting = (stream: string) => `
  (SELECT a.at FROM audit_log a
    WHERE a.tenant_id = ${stream}.tenant_id
      AND ${completeAfter({ position: `${stream}.sent_position`, id: `${stream}.sent_id` }, `${stream}.since_id`)}
    ORDER BY a.position, a.id LIMIT 1)`;

/** What lists compute for a stream. */
export const STREAM_STATE = {
  hasAuthorization: computed<boolean>('r.authorization_enc IS NOT NULL'),
  waitingSince: computed<Date | null>(firstWaiting('r')),
};

/** What responses show of a stream that was just changed. */
export type StreamSummary = Pick<AuditStream, (typeof STREAM_COLUMNS)[number] | 'hasAuthorization'>;

export const streamSummary = (stream: AuditStream): StreamSummary =>
  Object.fromEntries(
    [...STREAM_COLUMNS, 'hasAuthorization' as const].map((name) => [name, stream[name]]),
  ) as unknown as StreamSummary;

/** How long the oldest entry has waited, in place of its time. */
export function withLag<S extends { readonly waitingSince: Date | null }>(row: S, now: Date) {
  const { waitingSince, ...stream } = row;
  const lag = waitingSince ? now.getTime() - waitingSince.getTime() : 0;
  return { ...stream, lagSeconds: Math.max(0, Math.round(lag / 1000)) };
}
