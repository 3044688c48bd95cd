import { isId } from '../../platform/ids';

/**
 * An object from Stripe. Fields move between API versions, are added and removed: a field of an
 * unexpected type counts as missing.
 */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is an object, else an empty object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The id of an expandable field, which contains an id or the whole object. */
export const idIn = (value: unknown): string | null => textOf(isFields(value) ? value.id : value);

/** The last second of the year 9999, the last year with four digits in ISO 8601. */
const LAST_SECOND = 253_402_300_799;

/** A time from seconds since 1970. */
export const momentOf = (value: unknown): Date | null =>
  typeof value === 'number' && value >= 0 && value <= LAST_SECOND ? new Date(value * 1000) : null;

/** The objects of a list, which may be wrapped in a list object. */
export function listOf(value: unknown): Fields[] {
  const list = isFields(value) ? value.data : value;
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/**
 * The tenant id in metadata; null if the value is not a UUID, because other systems may write there
 * too.
 */
export function tenantIdIn(metadata: unknown): string | null {
  const id = textOf(fieldsOf(metadata).tenantId);
  return id && isId(id) ? id.toLowerCase() : null;
}
