import { isId } from '../../platform/ids';

/**
 * Reading what the processor sends. Its fields move from version to version, unknown ones come, and
 * known ones go: what is not of the kind that is looked for counts as not there.
 */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object within, or an empty one. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The id of something that is given by its id, or whole. */
export const idIn = (value: unknown): string | null => textOf(isFields(value) ? value.id : value);

/** The latest moment that PostgreSQL and ISO 8601 both can write with four digits. */
const LAST_SECOND = 253_402_300_799;

/** A moment that is given in seconds since 1970. */
export const momentOf = (value: unknown): Date | null =>
  typeof value === 'number' && value >= 0 && value <= LAST_SECOND ? new Date(value * 1000) : null;

/** The objects of a list, which may be in an envelope of its own. */
export function listOf(value: unknown): Fields[] {
  const list = isFields(value) ? value.data : value;
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** The tenant that we wrote into some metadata; other systems may write what is no id of ours. */
export function tenantIdIn(metadata: unknown): string | null {
  const id = textOf(fieldsOf(metadata).tenantId);
  return id && isId(id) ? id.toLowerCase() : null;
}
