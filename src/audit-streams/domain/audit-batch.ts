import type { AuditPosition, PlacedAuditEntry } from '../../audit/audit.api';
import type { AuditStream } from './audit-stream';

/** Entries of a request. */
export const MOST_ENTRIES = 100;
/** Bytes of the entries of a request, unless a single entry is longer. */
const MOST_BYTES = 256 * 1024;
/** The position before all entries. */
export const FIRST_PLACE: AuditPosition = { position: '0', id: '00000000-0000-0000-0000-000000000000' };

/** A request to the receiver of a stream. */
export interface AuditBatch {
  /** The header `webhook-id`: the same if the same entries are sent again. */
  readonly id: string;
  readonly body: string;
  /** The position of the last entry. */
  readonly end: AuditPosition;
  readonly count: number;
}

/**
 * The next request of a stream: as many entries as fit, at least one.
 * @param entries the next ones, at least one
 */
export function batchOf(stream: AuditStream, entries: readonly PlacedAuditEntry[]): AuditBatch {
  const texts: string[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const text = JSON.stringify({ ...entry, position: undefined });
    bytes += Buffer.byteLength(text);
    if (texts.length > 0 && bytes > MOST_BYTES) break;
    texts.push(text);
  }
  const { position, id } = entries[texts.length - 1];
  const end = { position, id };
  const body = envelope('audit-log.entries', stream, `[${texts.join(',')}]`, cursorOf(end));
  return { id: `${stream.id}_${id}`, body, end, count: texts.length };
}

/** The body of a test: no entries, and the cursor stays. */
export const testBody = (stream: AuditStream): string =>
  envelope('audit-log.test', stream, '[]', cursorOf(stream.sent));

/** The cursor that receivers compare; null: nothing was sent. */
const cursorOf = ({ position, id }: AuditPosition) => (id === FIRST_PLACE.id ? null : `${position}.${id}`);

function envelope(type: string, { tenantId, id, sent }: AuditStream, entries: string, cursor: string | null): string {
  const head = JSON.stringify({ type, tenantId, streamId: id, previousCursor: cursorOf(sent), cursor });
  return `${head.slice(0, -1)},"entries":${entries}}`;
}
