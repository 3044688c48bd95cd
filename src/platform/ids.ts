import { v7 } from 'uuid';

/**
 * A new UUID of version 7: ordered by time, so that indexes grow at one end and a list can page by
 * it (RFC 9562).
 */
export function newId(): string {
  return v7();
}

let counted = 0;

/**
 * The same with a given time in it, so that a list in the order of its ids can be cut at a moment;
 * those of one moment stay in order.
 */
export function newIdAt(moment: Date): string {
  counted = (counted + 1) >>> 0;
  return v7({ msecs: moment.getTime(), seq: counted });
}

/**
 * The smallest id that can have been made at this moment (in milliseconds): what was made before is
 * smaller.
 */
export function firstIdAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The moment that an id of version 7 has in it, in milliseconds. */
export function momentOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return ID.test(text);
}
