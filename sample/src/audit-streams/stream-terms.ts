import type { FormValues } from '../form/form';

/** What happens to the header Authorization of an existing stream. */
export const AUTHORIZATION_CHANGES = [
  ['keep', 'Keep it as it is'],
  ['replace', 'Replace it'],
  ['remove', 'Remove it'],
] as const;

export const NOW = 'now';
export const ALL = 'all';
export const ON_A_DATE = 'date';

/** Before everything: the service begins with what the plan keeps. */
const BEGINNING = '1970-01-01T00:00:00Z';

/** The value of the header Authorization; null removes it, undefined changes nothing. */
export function authorizationOf({ authorizationChange, authorization = '' }: FormValues): string | null | undefined {
  if (authorizationChange === 'keep') return undefined;
  if (authorizationChange === 'remove') return null;
  return authorizationChange === 'replace' ? authorization : authorization || undefined;
}

/**
 * The time of the first entry: the beginning of the chosen day, on this device's clock; undefined:
 * now.
 */
export function startOf({ start, from = '' }: FormValues): string | undefined {
  if (start === ALL) return BEGINNING;
  if (start === ON_A_DATE) return from && new Date(`${from}T00:00:00`).toISOString();
  return undefined;
}
