import { v7 } from 'uuid';

/** A new UUID of version 7: ordered by time, so that indexes grow at one end and a list can page by it (RFC 9562). */
export function newId(): string {
  return v7();
}
