import type { FormValues } from '../form/form';

const HOUR_MS = 3_600_000;

/** Hours up to now, as they are offered. */
export const SPANS: readonly (readonly [hours: number, name: string])[] = [
  [1, 'The last hour'],
  [24, 'The last 24 hours'],
  [168, 'The last 7 days'],
  [720, 'The last 30 days'],
];
export const OTHER_SPAN = 'other';

/**
 * The span that was chosen in the form: up to now, or from one moment of this device's clock to
 * another. A field without a moment is left out, so that the API names it.
 */
export function spanOf({ span, from = '', to = '', which }: FormValues, now = Date.now()) {
  const chosen =
    span === OTHER_SPAN
      ? { from: momentOf(from), to: momentOf(to) }
      : { from: new Date(now - Number(span) * HOUR_MS).toISOString(), to: new Date(now).toISOString() };
  return { ...chosen, onlyFailed: which === 'failed' };
}

/** The moment in a field for date and time; empty stays empty. */
const momentOf = (local: string): string => (local ? new Date(local).toISOString() : '');
