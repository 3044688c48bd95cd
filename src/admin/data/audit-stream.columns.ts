import { STREAM_STATE, type AuditStream } from '../../audit-streams/audit-streams.api';
import type { ColumnOf } from '../../platform/database/entity-table';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';

/** The columns of an AdminAuditStreamView; of the address it shows the host. */
const AUDIT_STREAM_COLUMNS = [
  'id',
  'tenantId',
  'url',
  'description',
  'failures',
  'failingSince',
  'lastError',
  'lastSuccessAt',
  'disabledAt',
  'disabledWhy',
  'isSlow',
  'createdAt',
] as const satisfies readonly ColumnOf<AuditStream>[];

/** What operators see of streams, read from the primary: a change is visible at once. */
export const AUDIT_STREAM_ROWS = {
  scope: EVERY_TENANT,
  isFresh: true,
  select: AUDIT_STREAM_COLUMNS,
  computed: { waitingSince: STREAM_STATE.waitingSince },
} as const;
