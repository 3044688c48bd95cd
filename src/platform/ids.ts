import { v7 } from 'uuid';

/**
 * A new UUID version 7 (RFC 9562). It is ordered by time, so indexes grow at one end and lists can
 * be paged by id.
 */
export function newId(): string {
  return v7();
}

let counted = 0;

/**
 * A UUID version 7 with a given time, so that a list ordered by id can be filtered by time. Ids of
 * the same time keep their order.
 */
export function newIdAt(moment: Date): string {
  counted = (counted + 1) >>> 0;
  return v7({ msecs: moment.getTime(), seq: counted });
}

/** The smallest UUID version 7 of a time, in milliseconds: every id created earlier is smaller. */
export function firstIdAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The time in a UUID version 7, in milliseconds. */
export function momentOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The 16 bytes of a UUID. */
export function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** The UUID of 16 bytes, of any version. */
export function idOfBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID. */
export function isId(text: string): boolean {
  return ID.test(text);
}
